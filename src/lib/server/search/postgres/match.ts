import { isLabel, phraseOf } from '../text/tokens.ts';
import { BlockReader, type Entry } from './blocks.ts';
import { ByteWriter } from './bytes.ts';
import { ALL_FIELDS, FIELDS, Postings, writePositions } from './postings.ts';

/** A token, or all tokens that begin with it, at a distance from the beginning of the word. */
interface Key {
  token: string;
  isPrefix: boolean;
  offset: number;
}

/** Documents in ascending order, counted from the base of their segment, each with the mask of its fields. */
export interface Matches {
  documents: Float64Array;
  masks: Uint8Array;
}

type Range = Omit<Entry, 'token'>;

/**
 * Returns keys that cover all characters of a word, or the label itself: exactly the fields with them at
 * these distances contain the word.
 */
export function keysOf(word: string): Key[] {
  if (isLabel(word)) return [{ token: word, isPrefix: false, offset: 0 }];
  const { tokens, isPrefix } = phraseOf(word);
  let offset = 0;
  const all = tokens.map((token, index) => {
    const key = { token, isPrefix: isPrefix && index === tokens.length - 1, offset };
    offset += String.fromCodePoint(token.codePointAt(0) ?? 0).length;
    return key;
  });
  const chosen: Key[] = [];
  for (let end = 0; ;) {
    let best: Key | undefined;
    for (const key of all) if (key.offset <= end && endOf(key) > (best ? endOf(best) : end)) best = key;
    if (!best) return chosen;
    chosen.push(best);
    end = endOf(best);
  }
}

const endOf = ({ offset, token }: Key): number => offset + token.length;

/** Returns the postings of `key` in `blocks`, which are sorted and hold all tokens of its range. */
export function postingsOf(key: Key, blocks: readonly Uint8Array[]): Range | null {
  const found: Range[] = [];
  for (const data of blocks) {
    const block = new BlockReader(data);
    while (block.next()) {
      if (block.token < key.token) continue;
      if (block.token === key.token && !key.isPrefix) return block;
      if (!key.isPrefix || !block.token.startsWith(key.token)) break;
      found.push({ bytes: data, from: block.from, to: block.to });
    }
  }
  return found.length > 1 ? unionOf(found) : (found[0] ?? null);
}

/** Merges the postings of several tokens, which may hold the same document. */
function unionOf(ranges: readonly Range[]): Range {
  const places = new Map<number, number[]>();
  for (const { bytes, from, to } of ranges) {
    const postings = new Postings(bytes, from, to);
    while (postings.next()) {
      const list = places.get(postings.document) ?? [];
      places.set(postings.document, list);
      for (let field = 0; field < FIELDS; field += 1)
        list.push(...postings.positions(1 << field).map((position) => position * FIELDS + field));
    }
  }
  const out = new ByteWriter();
  const positions = Array.from({ length: FIELDS }, () => new ByteWriter());
  let before = 0;
  for (const [document, list] of [...places].sort(([a], [b]) => a - b)) {
    const last = Array.from({ length: FIELDS }, () => 0);
    let mask = 0;
    for (const place of list.sort((a, b) => a - b)) {
      const field = place % FIELDS;
      const position = Math.floor(place / FIELDS);
      positions[field]?.number(position - (last[field] ?? 0));
      last[field] = position;
      mask |= 1 << field;
    }
    writePositions(out, document - before, mask, positions);
    for (const each of positions) each.length = 0;
    before = document;
  }
  return { bytes: out.bytes, from: 0, to: out.length };
}

/** Returns the documents with all `keys` at their distances; `lists` are the postings of each key. */
export function matchesOf(keys: readonly Key[], lists: readonly (Range | null)[]): Matches {
  const documents: number[] = [];
  const masks: number[] = [];
  const note = (document: number, mask: number): void => {
    documents.push(document);
    masks.push(mask);
  };
  if (lists.every((list) => list !== null)) {
    const cursors = lists.map(({ bytes, from, to }) => new Postings(bytes, from, to));
    const [only] = cursors;
    if (cursors.length === 1) while (only?.next()) note(only.document, only.mask);
    else eachShared(cursors, (document) => note(document, maskOfPhrase(keys, cursors)));
  }
  return withoutEmpty(documents, masks);
}

function withoutEmpty(documents: readonly number[], masks: readonly number[]): Matches {
  return {
    documents: Float64Array.from(documents.filter((_, index) => masks[index] !== 0)),
    masks: Uint8Array.from(masks.filter((mask) => mask !== 0)),
  };
}

/** Stops at each document that all cursors hold. */
function eachShared(cursors: readonly Postings[], visit: (document: number) => void): void {
  if (!cursors.every((cursor) => cursor.next())) return;
  for (let document = 0; ;) {
    let hasMoved = false;
    for (const cursor of cursors) {
      if (!cursor.seek(document)) return;
      if (cursor.document > document) {
        document = cursor.document;
        hasMoved = true;
      }
    }
    if (hasMoved) continue;
    visit(document);
    document += 1;
  }
}

/** Returns the mask of the fields in which the current documents of `cursors` hold the phrase. */
function maskOfPhrase(keys: readonly Key[], cursors: readonly Postings[]): number {
  const shared = cursors.reduce((mask, cursor) => mask & cursor.mask, ALL_FIELDS);
  let found = 0;
  for (let bit = 1; bit <= shared; bit *= 2)
    if (shared & bit && holdsPhrase(keys, cursors, bit)) found |= bit;
  return found;
}

function holdsPhrase(keys: readonly Key[], cursors: readonly Postings[], bit: number): boolean {
  let starts: number[] | undefined;
  for (const [index, { offset }] of keys.entries()) {
    const positions = cursors[index]?.positions(bit) ?? [];
    let at = 0;
    starts = starts
      ? starts.filter((start) => {
          while ((positions[at] ?? Infinity) < start + offset) at += 1;
          return positions[at] === start + offset;
        })
      : positions;
    if (starts.length === 0) return false;
  }
  return true;
}
