import { MIB } from '../../contract/rules/units.ts';

/** Values of PHP's `serialize`, except objects. */
export type PhpValue = string | number | boolean | null | PhpArray;
type PhpArray = ReadonlyMap<string, PhpValue>;

const MAX_ELEMENTS = 20_000;
const MAX_DEPTH = 16;
const MAX_CHARACTERS = 4 * MIB;

export class PhpError extends Error {
  override name = 'PhpError';
  constructor(reason: 'object' | 'broken') {
    super(`serialised PHP: ${reason}`);
  }
}

/**
 * Reads arrays that Typecho stores: JSON since 1.3, PHP's serialization before. Creates only text, numbers
 * and maps; refuses objects, references, and values that are too deep or too long.
 * @throws PhpError
 */
export function readStored(text: string): PhpValue {
  if (text.length > MAX_CHARACTERS) throw new PhpError('broken');
  if (/^\s*[{[]/.test(text)) return fromJson(text);
  return new Reader(Buffer.from(text, 'utf8')).all();
}

function fromJson(text: string): PhpValue {
  try {
    return asPhp(JSON.parse(text), 0);
  } catch {
    throw new PhpError('broken');
  }
}

function asPhp(value: unknown, depth: number): PhpValue {
  if (depth > MAX_DEPTH) throw new PhpError('broken');
  if (typeof value !== 'object' || value === null) return value as PhpValue;
  return new Map(Object.entries(value).map(([key, each]) => [key, asPhp(each, depth + 1)]));
}

export const valueAt = (value: PhpValue | undefined, key: string): PhpValue | undefined =>
  value instanceof Map ? (value as PhpArray).get(key) : undefined;

/** Reads bytes, because lengths of strings are in bytes. */
class Reader {
  readonly #bytes: Buffer;
  #at = 0;
  #elements = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  all(): PhpValue {
    const value = this.#value(0);
    if (this.#at !== this.#bytes.length) throw new PhpError('broken');
    return value;
  }

  #value(depth: number): PhpValue {
    if (depth > MAX_DEPTH || ++this.#elements > MAX_ELEMENTS) throw new PhpError('broken');
    const type = this.#bytes.toString('latin1', this.#at, this.#at + 2);
    this.#at += 2;
    switch (type) {
      case 'N;':
        return null;
      case 'b:':
        return this.#until(';') === '1';
      case 'i:':
      case 'd:':
        return Number(this.#until(';'));
      case 's:':
        return this.#string();
      case 'a:':
        return this.#array(depth);
      default:
        throw new PhpError(/^[OCErR]:$/.test(type) ? 'object' : 'broken');
    }
  }

  #string(): string {
    const length = this.#length();
    const [start, end] = [this.#at + 1, this.#at + 1 + length];
    if (this.#bytes[this.#at] !== 0x22 || this.#bytes.toString('latin1', end, end + 2) !== '";')
      throw new PhpError('broken');
    this.#at = end + 2;
    return this.#bytes.toString('utf8', start, end);
  }

  #array(depth: number): PhpArray {
    const count = this.#length();
    if (count > MAX_ELEMENTS || this.#bytes[this.#at] !== 0x7b) throw new PhpError('broken');
    this.#at += 1;
    const found = new Map<string, PhpValue>();
    for (let index = 0; index < count; index += 1) {
      const key = this.#value(MAX_DEPTH);
      if (typeof key !== 'string' && typeof key !== 'number') throw new PhpError('broken');
      found.set(String(key), this.#value(depth + 1));
    }
    if (this.#bytes[this.#at] !== 0x7d) throw new PhpError('broken');
    this.#at += 1;
    return found;
  }

  #length(): number {
    const text = this.#until(':');
    if (!/^\d{1,9}$/.test(text)) throw new PhpError('broken');
    return Number(text);
  }

  #until(sign: string): string {
    const end = this.#bytes.indexOf(sign, this.#at, 'latin1');
    if (end < 0 || end - this.#at > 40) throw new PhpError('broken');
    const text = this.#bytes.toString('latin1', this.#at, end);
    this.#at = end + 1;
    return text;
  }
}
