import { showLines } from './offsets.ts';
import { Problem } from './problem.ts';

/** Text of a file, with `\n` line ends and no byte order mark. */
export interface Decoded {
  text: string;
  encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'gb18030' | 'big5';
  /** Lines, from 1, with bytes that the encoding does not allow; U+FFFD replaces the bytes. */
  damaged: number[];
}

const REPLACEMENT = '\ufffd';

/**
 * Decodes UTF-8, UTF-16 (detected by its byte order mark or zero bytes), GB18030 and Big5. Replaces a few
 * invalid bytes.
 * @throws Problem for other bytes
 */
export function decode(bytes: Uint8Array): Decoded {
  const found = detect(bytes);
  if (!found || found.text.includes('\0'))
    throw new Problem('不是文本文件，或使用了无法识别的编码（支持 UTF-8、UTF-16、GB18030 和 Big5）');
  const text = found.text.replace(/\r\n?/g, '\n');
  const lines = found.isDamaged ? text.split('\n') : [];
  const damaged = lines.flatMap((line, index) => (line.includes(REPLACEMENT) ? [index + 1] : []));
  return { text, encoding: found.encoding, damaged };
}

/** Returns Chinese sentences about how a file was read; empty for valid Unicode. */
export function describeDecoding({ encoding, damaged }: Decoded): string[] {
  const names = { gb18030: 'GB18030', big5: 'Big5', 'utf-8': '', 'utf-16le': '', 'utf-16be': '' };
  const name = names[encoding];
  return [
    ...(name === '' ? [] : [`文件不是 UTF-8，已按 ${name} 读取`]),
    ...(damaged.length === 0 ? [] : [`${showLines(damaged)}有无法解码的字节，已换成“${REPLACEMENT}”`]),
  ];
}

interface Candidate extends Pick<Decoded, 'text' | 'encoding'> {
  isDamaged: boolean;
}

function detect(bytes: Uint8Array): Candidate | null {
  const marked = guess(bytes);
  if (marked) return tryDecode(bytes, marked) ?? repair(bytes, [marked]);
  const whole = tryDecode(bytes, 'utf-8');
  if (whole) return whole;
  if (isMostlyUtf8(bytes)) return repair(bytes, ['utf-8']);
  const big5 = isLikelyBig5(bytes) ? (tryDecode(bytes, 'big5') ?? repair(bytes, ['big5'])) : null;
  return big5 ?? tryDecode(bytes, 'gb18030') ?? repair(bytes, ['utf-8', 'gb18030']);
}

function tryDecode(bytes: Uint8Array, encoding: Decoded['encoding']): Candidate | null {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return encoding === 'big5' && NOT_BIG5.test(text) ? null : { text, encoding, isDamaged: false };
  } catch {
    return null;
  }
}

/** Characters that Node returns for bytes without a meaning in Big5. */
const NOT_BIG5 = /[\u0080\p{Private_Use}]/u;

/**
 * Decodes with the encoding that needs the fewest replacements; null if that is still too many for a text.
 */
function repair(bytes: Uint8Array, encodings: readonly Decoded['encoding'][]): Candidate | null {
  const [best] = encodings
    .map((encoding) => ({ encoding, text: replaceInvalid(bytes, encoding) }))
    .map((each) => ({ ...each, invalid: countInvalid(each.text) }))
    .toSorted((a, b) => a.invalid - b.invalid);
  if (!best || best.invalid > Math.max(3, best.text.length / 100) || best.invalid * 4 > best.text.length)
    return null;
  return { text: best.text, encoding: best.encoding, isDamaged: true };
}

function replaceInvalid(bytes: Uint8Array, encoding: Decoded['encoding']): string {
  const decoded = new TextDecoder(encoding).decode(bytes);
  const text = encoding === 'big5' ? decoded.replaceAll(new RegExp(NOT_BIG5, 'gu'), REPLACEMENT) : decoded;
  // Node drops half a character at the end of UTF-16.
  return text.includes(REPLACEMENT) ? text : text + REPLACEMENT;
}

const countInvalid = (text: string): number => text.split(REPLACEMENT).length - 1;

/** GB18030 accepts most of the bytes of damaged UTF-8, so it must not be tried on it. */
function isMostlyUtf8(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes);
  const invalid = countInvalid(text);
  // Two bytes of GB18030 are often valid UTF-8; three in a row hardly ever.
  const valid = text.match(/[\u0800-\ufffc]/g)?.length ?? 0;
  return valid > invalid * 2;
}

/** Number of two-byte characters from which a Big5 text has some whose second byte is ASCII. */
const LONG_TEXT = 30;

/**
 * Whether more characters are common ones in Big5 (level 1) than in GB18030 (level 1 of GB 2312). Almost all
 * bytes of one are valid in the other.
 */
function isLikelyBig5(bytes: Uint8Array): boolean {
  let [pairs, ascii, gb, big5] = [0, 0, 0, 0];
  for (let at = 0; at + 1 < bytes.length; at += 1) {
    const [lead = 0, trail = 0] = [bytes[at], bytes[at + 1]];
    if (lead < 0x81 || lead > 0xfe) continue;
    const isAscii = trail >= 0x40 && trail <= 0x7e;
    pairs += 1;
    if (isAscii) ascii += 1;
    if (lead >= 0xb0 && lead <= 0xd7 && trail >= 0xa1) gb += 1;
    if (lead >= 0xa4 && lead <= 0xc6 && (isAscii || trail >= 0xa1)) big5 += 1;
    at += 1;
  }
  // Kana and Cyrillic letters of GB 2312 look like common characters of Big5.
  return big5 > gb && (ascii > 0 || pairs < LONG_TEXT);
}

function guess(bytes: Uint8Array): Decoded['encoding'] | null {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  // Front matter and headings are Latin text: in UTF-16 every other byte of it is zero.
  if (bytes.length % 2 === 0 && bytes.length >= 4) {
    if (first !== 0 && second === 0 && bytes[2] !== 0 && bytes[3] === 0) return 'utf-16le';
    if (first === 0 && second !== 0 && bytes[2] === 0 && bytes[3] !== 0) return 'utf-16be';
  }
  return null;
}
