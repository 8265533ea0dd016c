const NEWLINE = 0x0a;
const SPACE = 0x20;
const POINT = 0x2e;
const ZERO = 0x30;
const CONTINUATION = 0x80;
const MAX_WORD_BYTES = 64;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

export type WordTable = ReturnType<typeof readWordTable>;

/**
 * Reads a file of jieba, whose lines are `word number …`; a later line replaces an earlier one with the same
 * word. The words stay in the bytes of the file. A hash table (FNV-1a, open addressing) stores the offsets of
 * their lines.
 */
export function readWordTable(file: Buffer) {
  const table = new Int32Array(2 ** Math.ceil(Math.log2(countLines(file) * 1.5))).fill(-1);
  const mask = table.length - 1;
  let size = 0;

  /** Returns the slot of the word in `bytes`, or the free slot for it. */
  function slotOf(hash: number, bytes: Uint8Array, from: number, to: number): number {
    for (let slot = (hash ^ (hash >>> 15)) & mask; ; slot = (slot + 1) & mask) {
      const line = table[slot] ?? -1;
      if (line < 0 || (file[line + to - from] === SPACE && isSame(line, bytes, from, to))) return slot;
    }
  }
  function isSame(line: number, bytes: Uint8Array, from: number, to: number): boolean {
    for (let at = from; at < to; at++) if (file[line + at - from] !== bytes[at]) return false;
    return true;
  }
  function numberAfter(space: number): number {
    let digits = 0;
    let divisor = 0;
    for (let at = space + 1; at < file.length && (file[at] ?? 0) > SPACE; at++) {
      const byte = file[at] ?? 0;
      if (byte === POINT) divisor = 1;
      else {
        digits = digits * 10 + byte - ZERO;
        divisor *= 10;
      }
    }
    // With at most 15 digits, both are exact, and the quotient is the nearest possible number.
    return divisor > 1 ? digits / divisor : digits;
  }
  function find(hash: number, bytes: Uint8Array, from: number, to: number): number | undefined {
    const line = table[slotOf(hash, bytes, from, to)] ?? -1;
    return line < 0 ? undefined : numberAfter(line + to - from);
  }

  for (let start = 0; start < file.length;) {
    let hash = FNV_OFFSET;
    let end = start;
    for (; file[end] !== SPACE; end++) hash = step(hash, file[end]);
    const slot = slotOf(hash, file, start, end);
    if ((table[slot] ?? -1) < 0) size++;
    table[slot] = start;
    start = lineEnd(file, end) + 1;
  }
  return {
    numbers(): Float64Array {
      const numbers = new Float64Array(size);
      let count = 0;
      for (const line of table) if (line >= 0) numbers[count++] = numberAfter(file.indexOf(SPACE, line));
      return numbers;
    },
    numberOf(word: string): number | undefined {
      const bytes = Buffer.from(word);
      return find(bytes.reduce(step, FNV_OFFSET), bytes, 0, bytes.length);
    },
    /** Calls `found` for each word that begins at `start` in `bytes` (UTF-8), shortest first. */
    eachAt(bytes: Uint8Array, start: number, found: (end: number, number: number) => void): void {
      const limit = Math.min(bytes.length, start + MAX_WORD_BYTES);
      let hash = FNV_OFFSET;
      for (let end = start; end < limit;) {
        do hash = step(hash, bytes[end++]);
        while (end < bytes.length && isInside(bytes, end));
        const number = find(hash, bytes, start, end);
        if (number !== undefined) found(end, number);
      }
    },
  };
}

const step = (hash: number, byte = 0): number => Math.imul(hash ^ byte, FNV_PRIME);

/** Returns whether the byte at `at` is a continuation byte of a UTF-8 character. */
export const isInside = (bytes: Uint8Array, at: number): boolean =>
  ((bytes[at] ?? 0) & 0xc0) === CONTINUATION;

function countLines(file: Buffer): number {
  let count = 1;
  for (let at = 0; at < file.length; at++) if (file[at] === NEWLINE) count++;
  return count;
}

function lineEnd(file: Buffer, from: number): number {
  let end = from;
  while (end < file.length && file[end] !== NEWLINE) end++;
  return end;
}
