import { ByteReader, ByteWriter } from './bytes.ts';

/** Bytes of sorted tokens with their postings; `first` is the smallest token. */
export interface Block {
  first: string;
  data: Uint8Array;
}

export interface Entry {
  token: string;
  bytes: Uint8Array;
  from: number;
  to: number;
}

/**
 * Size above which a block is closed. Several fit on a page of PostgreSQL; a search for a rare token reads
 * one of each segment.
 */
const BLOCK_BYTES = 1500;

/** Packs entries, added in ascending order of their tokens, into blocks. */
export class BlockWriter {
  readonly #done: (block: Block) => void;
  readonly #bytes = new ByteWriter();
  #first = '';
  #last = '';

  constructor(done: (block: Block) => void) {
    this.#done = done;
  }

  /** @param entry range of its postings in `bytes` */
  add(bytes: Uint8Array, { token, from, to }: Omit<Entry, 'bytes'>): void {
    const size = to - from;
    if (this.#bytes.length > 0 && this.#bytes.length + size > BLOCK_BYTES) this.close();
    if (this.#bytes.length === 0) this.#first = this.#last = token;
    let shared = 0;
    while (shared < this.#last.length && this.#last.charCodeAt(shared) === token.charCodeAt(shared))
      shared += 1;
    if (this.#bytes.length === 0) shared = 0;
    this.#bytes.number(shared);
    this.#bytes.number(token.length - shared);
    for (let at = shared; at < token.length; at += 1) this.#bytes.number(token.charCodeAt(at));
    this.#bytes.number(size);
    this.#bytes.copy(bytes, from, to);
    this.#last = token;
  }

  close(): void {
    if (this.#bytes.length === 0) return;
    this.#done({ first: this.#first, data: this.#bytes.take() });
    this.#bytes.length = 0;
  }
}

/** Walks the entries of a block, in ascending order. */
export class BlockReader implements Entry {
  readonly bytes: Uint8Array;
  readonly #reader: ByteReader;
  token = '';
  from = 0;
  to = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#reader = new ByteReader(bytes);
  }

  next(): boolean {
    const reader = this.#reader;
    reader.at = this.to;
    if (this.to >= this.bytes.length) return false;
    const shared = reader.number();
    let token = shared === this.token.length ? this.token : this.token.slice(0, shared);
    for (let rest = reader.number(); rest > 0; rest -= 1) token += String.fromCharCode(reader.number());
    const size = reader.number();
    this.token = token;
    this.from = reader.at;
    this.to = reader.at + size;
    return true;
  }
}

/** Returns bytes that sort like the token: UTF-16, highest byte first. */
export const keyOf = (token: string): Buffer => Buffer.from(token, 'utf16le').swap16();
