/**
 * What the index and queries compare: compatibility forms and case are dropped (`ＪＶＭ` = `jvm`), nothing else. Folding goes chunk by
 * chunk, a chunk being a character with the marks that follow it, so that the fold of a part is a part of the fold of the whole.
 */
export interface Folded {
  text: string;
  /** Range of the original that the folded range [start, end) came from, in UTF-16 units. */
  originalRange(start: number, end: number): [number, number];
}

/** Folds `text`; control characters become spaces, lone surrogates U+FFFD. */
export function fold(text: string): string {
  return foldWithMap(text).text;
}

/** Folds `text` and remembers where each part came from. */
export function foldWithMap(text: string): Folded {
  const source = text.toWellFormed();
  const pieces: Piece[] = [];
  let folded = '';
  let done = 0;
  for (let [from, to] = nextPiece(source, 0, 0); from < source.length; [from, to] = nextPiece(source, to, done)) {
    folded += foldChunk(source.slice(done, from));
    const start = folded.length;
    folded += foldChunk(source.slice(from, to));
    pieces.push({ start, end: folded.length, from, to });
    done = to;
  }
  folded += foldChunk(source.slice(done));
  return {
    text: folded,
    originalRange: (start, end) => [originalStart(pieces, start), originalEnd(pieces, end)],
  };
}

/** A chunk whose fold has another length than the chunk, or which folds differently together than character by character. */
interface Piece {
  start: number;
  end: number;
  from: number;
  to: number;
}

/** Range of the first piece at or after `at`; begins at the end of `source` when there is none. Nothing before `limit` belongs to it. */
function nextPiece(source: string, at: number, limit: number): [number, number] {
  const kinds = (table ??= kindsOfCharacters());
  let before = limit;
  for (let index = at; index < source.length; ) {
    const code = source.codePointAt(index) as number;
    const width = code > 0xffff ? 2 : 1;
    const kind = kindOf(kinds, code);
    if (kind !== REGULAR) {
      let end = index + width;
      while (end < source.length && kindOf(kinds, source.codePointAt(end) as number) === JOINING) {
        end += (source.codePointAt(end) as number) > 0xffff ? 2 : 1;
      }
      return [kind === JOINING ? before : index, end];
    }
    // A mark takes along the character before it.
    before = index;
    index += width;
    if (index < source.length && kindOf(kinds, source.codePointAt(index) as number) !== JOINING) before = index;
  }
  return [source.length, source.length];
}

/** The last piece that begins at or before the folded position. */
function pieceBefore(pieces: readonly Piece[], position: number): Piece | undefined {
  let low = 0;
  let high = pieces.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((pieces[middle] as Piece).start <= position) low = middle + 1;
    else high = middle;
  }
  return pieces[low - 1];
}

function originalStart(pieces: readonly Piece[], position: number): number {
  const piece = pieceBefore(pieces, position);
  if (!piece) return position;
  return position < piece.end ? piece.from : piece.to + (position - piece.end);
}

function originalEnd(pieces: readonly Piece[], position: number): number {
  const piece = pieceBefore(pieces, position - 1);
  if (!piece) return position;
  return position <= piece.end ? piece.to : piece.to + (position - piece.end);
}

// Sigma is folded by hand because toLowerCase looks at its neighbours. Line breaks and tabs are white space already.
function foldChunk(chunk: string): string {
  return chunk
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ς', 'σ')
    .replace(/[\0-\x08\x0e-\x1f\x7f-\x9f]/g, ' ');
}

const REGULAR = 0;
/** Its fold has another length. */
const IRREGULAR = 1;
/** Joins the character before it: marks, half-width voiced sound marks, vowels and finals of Hangul. */
const JOINING = 2;

const JOINS = /[\p{M}\uff9e\uff9f\u1160-\u11ff\ud7b0-\ud7fb\uffa0-\uffdc]/u;
// Above it nothing folds and only variation selectors join.
const LAST_TABLED = 0x2fa1f;
const BLOCK = 64;
// Ideographs, syllables of Hangul and surrogates: nothing to find among them.
const UNCHANGING = [
  [0x3400, 0x9fff],
  [0xac00, 0xd77f],
  [0xd800, 0xdfff],
  [0x20000, 0x2f7ff],
] as const;

let table: Uint8Array | undefined;

function kindOf(kinds: Uint8Array, code: number): number {
  if (code <= LAST_TABLED) return kinds[code] as number;
  return JOINS.test(String.fromCodePoint(code)) ? JOINING : REGULAR;
}

/** Found by trying, so that it follows the Unicode version of Node. */
function kindsOfCharacters(): Uint8Array {
  const kinds = new Uint8Array(LAST_TABLED + 1);
  // Compatibility letters of Hangul would compose with their neighbours.
  kinds.fill(IRREGULAR, 0x3131, 0x318f);
  for (let first = 0x80; first <= LAST_TABLED; first += BLOCK) {
    if (UNCHANGING.some(([from, to]) => first >= from && first <= to)) continue;
    const codes = Array.from({ length: BLOCK }, (_, index) => first + index).filter((code) => code <= LAST_TABLED);
    const block = String.fromCodePoint(...codes);
    if (foldChunk(block) === block && !JOINS.test(block)) continue;
    for (const code of codes) {
      const character = String.fromCodePoint(code);
      if (JOINS.test(character)) kinds[code] = JOINING;
      else if (foldChunk(character).length !== character.length) kinds[code] = IRREGULAR;
    }
  }
  return kinds;
}
