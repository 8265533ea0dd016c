import { createPauses } from '../../jobs/pauses.ts';
import type { FoldedDocument } from '../text/folded-document.ts';
import { eachToken, isLabel } from '../text/tokens.ts';
import { BlockWriter, type Block } from './blocks.ts';
import { ByteWriter } from './bytes.ts';
import { ALL_FIELDS, FIELDS, writePosting, writePositions } from './postings.ts';
import { doubled, TokenIds } from './token-ids.ts';
import { createUnits } from './units.ts';

/** Token of the entry with all documents of a segment; sorts before all others. */
export const ALL_DOCUMENTS = '';

const INITIAL_OCCURRENCES = 2 ** 16;

/** Entry in the bytes written so far. */
interface Written {
  token: string;
  from: number;
  to: number;
}

/**
 * Collects the occurrences of tokens in flat arrays, in the order of the texts; sorting them by token keeps
 * that order.
 */
export class SegmentBuilder {
  readonly #documents: number[] = [];
  /** Number of occurrences up to the end of each document. */
  readonly #ends: number[] = [];
  readonly #ids = new TokenIds();
  #tokens = new Uint32Array(INITIAL_OCCURRENCES);
  /** Position * FIELDS + field. */
  #places = new Uint32Array(INITIAL_OCCURRENCES);
  #count = 0;

  /** Adds a document; each must be larger than the one before. */
  add(document: number, { title, tags, author, headings, text, labels }: FoldedDocument): void {
    for (const label of labels) this.#note(this.#ids.idOf(label, 0, label.length), 0);
    for (const [field, part] of [title, `${tags}\n${author}`, headings, text].entries())
      eachToken(part, (run, from, to, position) => {
        this.#note(this.#ids.idOf(run, from, to), position * FIELDS + field);
      });
    this.#documents.push(document);
    this.#ends.push(this.#count);
  }

  /** Returns the segment's blocks; its base is the first document. */
  async blocks(): Promise<Block[]> {
    const pause = createPauses();
    const out = new ByteWriter();
    let end = 0;
    const close = (entry: Written): void => {
      entry.from = end;
      end = entry.to = out.length;
    };
    const tokens: Written[] = [{ token: ALL_DOCUMENTS, from: 0, to: 0 }];
    this.#writeAll(out);
    tokens.forEach(close);
    const units: Written[] = [];
    const collector = createUnits(this.#documents, out, (token) => {
      const unit = { token, from: 0, to: 0 };
      units.push(unit);
      return () => close(unit);
    });
    const sorted = this.#sorted();
    for (const id of this.#ids.sorted()) {
      const token = this.#ids.tokens[id] ?? '';
      if (isLabel(token)) this.#writeToken(out, sorted, id, null);
      else {
        collector.open(token);
        this.#writeToken(out, sorted, id, collector.note);
      }
      const entry = { token, from: 0, to: 0 };
      close(entry);
      tokens.push(entry);
      if (pause.isDue()) await pause.take();
    }
    collector.close();
    return blocksOf(out.bytes, tokens, units);
  }

  #note(id: number, place: number): void {
    if (this.#count === this.#tokens.length) {
      this.#tokens = doubled(this.#tokens);
      this.#places = doubled(this.#places);
    }
    this.#tokens[this.#count] = id;
    this.#places[this.#count] = place;
    this.#count += 1;
  }

  #writeAll(out: ByteWriter): void {
    let before = this.#documents[0] ?? 0;
    for (const document of this.#documents) {
      writePosting(out, document - before, ALL_FIELDS, 0);
      before = document;
    }
  }

  /** @param note receives the documents; null for a label, which has no positions */
  #writeToken(
    out: ByteWriter,
    { starts, places, ordinals }: Sorted,
    id: number,
    note: ((ordinal: number, mask: number) => void) | null,
  ): void {
    const end = at(starts, id + 1);
    let before = this.#documents[0] ?? 0;
    for (let index = at(starts, id); index < end;) {
      const ordinal = at(ordinals, index);
      let mask = 0;
      let last = 0;
      for (; index < end && at(ordinals, index) === ordinal; index += 1) {
        const place = at(places, index);
        const field = place % FIELDS;
        if ((mask & (1 << field)) === 0) {
          mask |= 1 << field;
          last = 0;
        }
        const position = (place - field) / FIELDS;
        POSITIONS[field]?.number(position - last);
        last = position;
      }
      const document = this.#documents[ordinal] ?? 0;
      if (note) {
        writePositions(out, document - before, mask, POSITIONS);
        note(ordinal, mask);
      } else writePosting(out, document - before, ALL_FIELDS, 0);
      for (let field = 0; mask >> field > 0; field += 1) POSITIONS[field]?.clear();
      before = document;
    }
  }

  /** Sorts the occurrences by token, and keeps their order otherwise. */
  #sorted(): Sorted {
    const starts = new Uint32Array(this.#ids.tokens.length + 1);
    for (let index = 0; index < this.#count; index += 1) increase(starts, at(this.#tokens, index) + 1, 1);
    for (let id = 1; id < starts.length; id += 1) increase(starts, id, at(starts, id - 1));
    const next = starts.slice();
    const places = new Uint32Array(this.#count);
    const ordinals = new Uint32Array(this.#count);
    let index = 0;
    for (const [ordinal, end] of this.#ends.entries())
      for (; index < end; index += 1) {
        const id = at(this.#tokens, index);
        const target = at(next, id);
        increase(next, id, 1);
        places[target] = at(this.#places, index);
        ordinals[target] = ordinal;
      }
    return { starts, places, ordinals };
  }
}

/** Occurrences by token: those of token `id` are at `[starts[id], starts[id + 1])`. */
interface Sorted {
  starts: Uint32Array;
  places: Uint32Array;
  ordinals: Uint32Array;
}

/** Reused for each posting; empty in between. */
const POSITIONS = Array.from({ length: FIELDS }, () => new ByteWriter());

const at = (array: Uint32Array, index: number): number => array[index] as number;

function increase(array: Uint32Array, index: number, by: number): void {
  array[index] = at(array, index) + by;
}

/** Packs two sorted lists of entries. */
function blocksOf(bytes: Uint8Array, tokens: readonly Written[], units: readonly Written[]): Block[] {
  const blocks: Block[] = [];
  const writer = new BlockWriter((block) => blocks.push(block));
  let next = 0;
  for (const entry of tokens) {
    for (let unit = units[next]; unit && unit.token < entry.token; unit = units[next]) {
      writer.add(bytes, unit);
      next += 1;
    }
    writer.add(bytes, entry);
  }
  for (const unit of units.slice(next)) writer.add(bytes, unit);
  writer.close();
  return blocks;
}
