import { Problem } from './problem.ts';

/** Text of a file, with `\n` line ends and no byte order mark. */
export interface Decoded {
  text: string;
  encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'gb18030';
}

/**
 * Decodes UTF-8, UTF-16 (detected by its byte order mark or zero bytes) and GB18030.
 * @throws Problem for other bytes
 */
export function decode(bytes: Uint8Array): Decoded {
  const encoding = guess(bytes);
  const candidates: Decoded['encoding'][] = encoding ? [encoding] : ['utf-8', 'gb18030'];
  for (const candidate of candidates) {
    const text = tryDecode(bytes, candidate);
    if (text === null) continue;
    if (text.includes('\0')) break;
    return { text: text.replace(/\r\n?/g, '\n'), encoding: candidate };
  }
  throw new Problem('不是文本文件，或使用了无法识别的编码（支持 UTF-8、UTF-16 和 GB18030）');
}

function tryDecode(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
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
