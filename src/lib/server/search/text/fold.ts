import { simplifiedCharacters } from '../../text/simplified.ts';

/** Folds `text`; control characters become spaces, lone surrogates U+FFFD. */
export function fold(text: string): string {
  return foldWithMap(text).text;
}

/** Normalizes like `fold`, but keeps traditional and simplified characters apart. */
export const foldForm = (text: string): string => foldWidthAndCase(text.toWellFormed());

/**
 * Normalizes text as index and queries compare it: without compatibility forms and case (`ＪＶＭ` = `jvm`), in
 * simplified characters (`軟體` = `软体`). Each character folds separately with its marks, so the fold of a
 * substring is a substring of the fold.
 * @returns `originalRange`: the range of the original for a folded range [start, end), in UTF-16 units
 */
export function foldWithMap(text: string) {
  const source = text.toWellFormed();
  const pieces: Piece[] = [];
  let folded = '';
  let done = 0;
  for (let [from, to] = nextPiece(source, 0); from < source.length; [from, to] = nextPiece(source, to)) {
    folded += foldRegular(source, done, from);
    const start = folded.length;
    folded += foldChunk(source.slice(from, to));
    pieces.push({ start, end: folded.length, from, to });
    done = to;
  }
  folded += foldRegular(source, done, source.length);
  return {
    text: folded,
    originalRange: (start: number, end: number): [number, number] => [
      originalStart(pieces, start),
      originalEnd(pieces, end),
    ],
  };
}

/** A chunk whose fold has another length, or differs from the folds of its characters. */
interface Piece {
  start: number;
  end: number;
  from: number;
  to: number;
}

/** Returns the range of the first piece at or after `at`; an empty range at the end without one. */
function nextPiece(source: string, at: number): [number, number] {
  const { kinds } = (characters ??= tryCharacters());
  let before = at;
  for (let index = at; index < source.length;) {
    const code = source.charCodeAt(index);
    const isPair = code >= 0xd800 && code <= 0xdbff;
    const kind = isPair ? kindAt(source, index) : kinds[code];
    if (kind !== REGULAR) {
      let end = kind === JOINING ? index : index + (isPair ? 2 : 1);
      while (end < source.length && kindAt(source, end) === JOINING) {
        end += (source.codePointAt(end) as number) > 0xffff ? 2 : 1;
      }
      return [kind === JOINING ? before : index, end];
    }
    before = index;
    index += isPair ? 2 : 1;
  }
  return [source.length, source.length];
}

function foldRegular(source: string, from: number, to: number): string {
  if (from === to) return '';
  const { folds } = (characters ??= tryCharacters());
  const units = new Uint16Array(to - from);
  for (let index = from; index < to; index += 1)
    units[index - from] = folds[source.charCodeAt(index)] as number;
  return Buffer.from(units.buffer).toString('utf16le');
}

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

const foldChunk = (chunk: string): string =>
  Array.from(foldWidthAndCase(chunk), (character) => simplifiedOf(character) ?? character).join('');

let simplified: ReadonlyMap<string, string> | undefined;

const loadSimplified = (): ReadonlyMap<string, string> => (simplified ??= simplifiedCharacters());
const simplifiedOf = (character: string): string | undefined => loadSimplified().get(character);

let traditional: RegExp | undefined;

/** Whether a text has characters that `fold` simplifies. */
export function isTraditional(text: string): boolean {
  traditional ??= new RegExp(`[${[...loadSimplified().keys()].join('')}]`, 'u');
  return traditional.test(text);
}

// Folds sigma by hand because toLowerCase depends on its neighbours. Line breaks and tabs remain white space.
function foldWidthAndCase(chunk: string): string {
  return chunk
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ς', 'σ')
    .replace(/[^\P{Cc}\t-\r]/gu, ' ');
}

const REGULAR = 0;
/** Folds to another length, or needs two units. */
const IRREGULAR = 1;
/** Joins the preceding character: marks, half-width voiced sound marks, vowels and finals of Hangul. */
const JOINING = 2;

const JOINS = /[\p{M}\uff9e\uff9f\u1160-\u11ff\ud7b0-\ud7fb\uffa0-\uffdc]/u;
// Above it, only variation selectors join, and traditional characters stay.
const LAST_TRIED = 0x2fa1f;
const BLOCK = 64;
// Ideographs, Hangul syllables and surrogates: none of them joins, and only traditional characters fold.
const UNCHANGING = [
  [0x3400, 0x9fff],
  [0xac00, 0xd77f],
  [0xd800, 0xdfff],
  [0x20000, 0x2f7ff],
] as const;

interface Characters {
  kinds: Uint8Array;
  folds: Uint16Array;
}

let characters: Characters | undefined;

function kindAt(source: string, index: number): number {
  const { kinds } = (characters ??= tryCharacters());
  const code = source.codePointAt(index) as number;
  if (code <= LAST_TRIED) return kinds[code] as number;
  return JOINS.test(String.fromCodePoint(code)) ? JOINING : REGULAR;
}

/** Folds every character once, so the result follows Node's Unicode version. */
function tryCharacters(): Characters {
  const kinds = new Uint8Array(LAST_TRIED + 1);
  const folds = Uint16Array.from({ length: 0x10000 }, (_, unit) => unit);
  for (let first = 0; first <= LAST_TRIED; first += BLOCK) {
    if (UNCHANGING.some(([from, to]) => first >= from && first <= to)) continue;
    const codes = Array.from({ length: BLOCK }, (_, index) => first + index).filter(
      (code) => code <= LAST_TRIED,
    );
    const block = String.fromCodePoint(...codes);
    if (foldChunk(block) === block && !JOINS.test(block)) continue;
    for (const code of codes) {
      const character = String.fromCodePoint(code);
      const folded = foldChunk(character);
      if (JOINS.test(character)) kinds[code] = JOINING;
      else if (folded.length === 1 && code <= 0xffff) folds[code] = folded.charCodeAt(0);
      else if (folded !== character) kinds[code] = IRREGULAR;
    }
  }
  for (const character of loadSimplified().keys()) {
    const code = character.codePointAt(0) as number;
    const folded = foldChunk(character);
    if (code > 0xffff || folded.length > 1) kinds[code] = IRREGULAR;
    else folds[code] = folded.charCodeAt(0);
  }
  // Compatibility letters of Hangul would compose with their neighbours.
  kinds.fill(IRREGULAR, 0x3131, 0x318f);
  return { kinds, folds };
}
