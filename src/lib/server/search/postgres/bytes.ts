const INITIAL_BYTES = 1024;

/** Growing bytes; numbers are varints of seven bits a byte, lowest first. */
export class ByteWriter {
  bytes = new Uint8Array(INITIAL_BYTES);
  length = 0;

  /** Appends an integer from 0 to 2^53. */
  number(value: number): void {
    if (this.length + 8 > this.bytes.length) this.#grow(8);
    const { bytes } = this;
    let rest = value;
    while (rest > 0x7f) {
      bytes[this.length++] = (rest % 0x80) | 0x80;
      rest = rest > 0x7fffffff ? Math.floor(rest / 0x80) : rest >>> 7;
    }
    bytes[this.length++] = rest;
  }

  copy(source: Uint8Array, from: number, to: number): void {
    const size = to - from;
    if (this.length + size > this.bytes.length) this.#grow(size);
    if (size < 24) for (let at = from; at < to; at += 1) this.bytes[this.length++] = source[at] as number;
    else {
      this.bytes.set(source.subarray(from, to), this.length);
      this.length += size;
    }
  }

  clear(): void {
    this.length = 0;
  }

  take(): Uint8Array {
    return this.bytes.slice(0, this.length);
  }

  #grow(by: number): void {
    const larger = new Uint8Array(Math.max(2 * this.bytes.length, this.length + by));
    larger.set(this.bytes.subarray(0, this.length));
    this.bytes = larger;
  }
}

/** Reads what `ByteWriter` wrote, from `at` on. */
export class ByteReader {
  readonly bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  number(): number {
    const { bytes } = this;
    let byte = bytes[this.at++] as number;
    if (byte < 0x80) return byte;
    let value = byte & 0x7f;
    let factor = 0x80;
    do {
      byte = bytes[this.at++] as number;
      value += (byte & 0x7f) * factor;
      factor *= 0x80;
    } while (byte > 0x7f);
    return value;
  }
}
