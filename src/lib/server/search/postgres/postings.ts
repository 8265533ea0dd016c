import type { Place } from '../reader.ts';
import { ByteReader, ByteWriter } from './bytes.ts';

/**
 * Postings of a token: for each document, in ascending order, its distance from the one before (the first:
 * from the base of the segment), the fields that hold the token, and the positions there.
 */

/** Number of fields: title, names, headings, text. A mask has a bit for each, the title's lowest. */
export const FIELDS = 4;

export const ALL_FIELDS = 2 ** FIELDS - 1;

/** Masks of the fields that belong to a place. */
export const PLACE_MASKS: Record<Place, number> = { titles: 1, names: 2, heads: 7, whole: ALL_FIELDS };

const MASK_SIZE = 2 ** FIELDS;

const isOneField = (mask: number): boolean => (mask & (mask - 1)) === 0;

/** Writes the header of a posting whose positions take `size` bytes. */
export function writePosting(into: ByteWriter, distance: number, mask: number, size: number): void {
  into.number(distance);
  into.number(size * MASK_SIZE + mask);
}

/** Writes a posting with the positions in each field of `mask`; `positions` of other fields are empty. */
export function writePositions(
  into: ByteWriter,
  distance: number,
  mask: number,
  positions: readonly ByteWriter[],
): void {
  if (isOneField(mask)) {
    const only = positions[31 - Math.clz32(mask)];
    writePosting(into, distance, mask, only?.length ?? 0);
    if (only) into.copy(only.bytes, 0, only.length);
    return;
  }
  const all = new ByteWriter();
  for (const each of positions) {
    if (each.length === 0) continue;
    all.number(each.length);
    all.copy(each.bytes, 0, each.length);
  }
  writePosting(into, distance, mask, all.length);
  into.copy(all.bytes, 0, all.length);
}

/** Walks the postings in `bytes[from, to)`; `document` counts from the base of the segment. */
export class Postings {
  readonly bytes: Uint8Array;
  readonly #reader: ByteReader;
  readonly #end: number;
  document = 0;
  mask = 0;
  /** Range of the positions. */
  start = 0;
  end = 0;

  constructor(bytes: Uint8Array, from: number, to: number) {
    this.bytes = bytes;
    this.#reader = new ByteReader(bytes, from);
    this.#end = to;
  }

  next(): boolean {
    const reader = this.#reader;
    if (reader.at >= this.#end) return false;
    this.document += reader.number();
    const header = reader.number();
    this.mask = header % MASK_SIZE;
    this.start = reader.at;
    this.end = reader.at + Math.floor(header / MASK_SIZE);
    reader.at = this.end;
    return true;
  }

  /** Advances to the first document at or after `document`. */
  seek(document: number): boolean {
    while (this.document < document) if (!this.next()) return false;
    return true;
  }

  /** Returns the positions in the field with bit `bit`. */
  positions(bit: number): number[] {
    if ((this.mask & bit) === 0) return [];
    const reader = new ByteReader(this.bytes, this.start);
    let to = this.end;
    if (!isOneField(this.mask))
      for (let other = 1; ; other *= 2) {
        if ((this.mask & other) === 0) continue;
        const size = reader.number();
        if (other === bit) {
          to = reader.at + size;
          break;
        }
        reader.at += size;
      }
    const found: number[] = [];
    let position = 0;
    while (reader.at < to) {
      position += reader.number();
      found.push(position);
    }
    return found;
  }
}
