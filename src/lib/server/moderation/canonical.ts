import { ENCLOSED, enclosedLetter, prototypeOf } from '../text/confusables.ts';
import { toSimplified } from '../text/simplified.ts';
import { digitOf } from './digits.ts';

/** Separators between two characters of a canonical text, weakest first. */
export const GAP = { none: 0, symbol: 1, space: 2, stop: 3, paragraph: 4 } as const;
type Gap = (typeof GAP)[keyof typeof GAP];

export interface Canonical {
  text: string;
  /** Range of the original that unit `n` came from, in UTF-16 units. */
  starts: Uint32Array;
  ends: Uint32Array;
  /** Separator before unit `n`. Has one more entry than `text` has units, for the end of the text. */
  gaps: Uint8Array;
}

const LINE_FEED = 10;
const known: (string | Gap)[] = [];

/**
 * Converts `text` to the form in which words are searched. Folds width, case, accents, letters that look
 * Latin (UTS #39) and traditional characters; drops invisible characters; turns punctuation and spaces into
 * gaps.
 */
export function canonicalise(text: string): Canonical {
  // One character becomes at most 18 units (NFKD of U+FDFA).
  let units = new Uint16Array(text.length + 64);
  let starts = new Uint32Array(units.length);
  let ends = new Uint32Array(units.length);
  let gaps = new Uint8Array(units.length + 1);
  let length = 0;
  let gap: Gap = GAP.paragraph;
  let breaks = 0;
  let wasEnclosed = false;
  for (let at = 0; at < text.length;) {
    const start = at;
    const code = text.codePointAt(at) as number;
    at += code > 0xffff ? 2 : 1;
    const form = formOf(code);
    if (typeof form === 'number') {
      // One line break is a space, an empty line ends a paragraph.
      if (code === LINE_FEED) breaks += 1;
      const found = breaks > 1 ? GAP.paragraph : form;
      if (found > gap) gap = found;
      continue;
    }
    if (form === '') continue;
    breaks = 0;
    // An enclosed letter next to plain ones ends a word: 🆂 after `casino` hides nothing.
    const isEnclosed = code >= ENCLOSED[0] && letterIn(code) !== undefined;
    if (isEnclosed !== wasEnclosed && gap < GAP.symbol) gap = GAP.symbol;
    wasEnclosed = isEnclosed;
    if (length + form.length > units.length) {
      const larger = units.length * 2 + form.length;
      [units, starts, ends, gaps] = [
        grown(units, new Uint16Array(larger)),
        grown(starts, new Uint32Array(larger)),
        grown(ends, new Uint32Array(larger)),
        grown(gaps, new Uint8Array(larger + 1)),
      ];
    }
    for (let index = 0; index < form.length; index += 1) {
      units[length] = form.charCodeAt(index);
      starts[length] = start;
      ends[length] = at;
      gaps[length] = gap;
      gap = GAP.none;
      length += 1;
    }
  }
  gaps[length] = GAP.paragraph;
  return { text: decode(units.subarray(0, length)), starts, ends, gaps };
}

/** Enclosed alphabets, and the letters of flags. */
const ALPHABETS = [...ENCLOSED, 0x1f1e6];
const letterIn = (code: number): string | undefined => enclosedLetter(code, ALPHABETS);

const IGNORED = /[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
const SPACE = /^[\s\p{Z}\p{Cc}]+$/u;
/** Ends a sentence or clause. Excludes the Latin full stop, which is used to write `w.o.r.d`. */
const STOP = /[,!?;:…、。，！？；：]/u;
const WORDLIKE = /[\p{L}\p{N}]/gu;

/** Returns letters and digits of a character as compared, '' for an invisible one, or its separator. */
export const formOf = (code: number): string | Gap => (known[code] ??= makeForm(String.fromCodePoint(code)));

function makeForm(character: string): string | Gap {
  if (SPACE.test(character)) return GAP.space;
  const code = character.codePointAt(0) ?? 0;
  const letter = letterIn(code);
  if (letter !== undefined) return letter;
  const plain = character.normalize('NFKD').replace(IGNORED, '');
  if (plain === '') return '';
  const letters = plain.match(WORDLIKE);
  return letters ? letters.map(levelled).join('') : STOP.test(character) ? GAP.stop : GAP.symbol;
}

function levelled(letter: string): string {
  const digit = letter <= '\u007f' ? letter.toLowerCase() : digitOf(letter);
  if (digit !== null) return digit;
  if (/\p{Script=Han}/u.test(letter)) return toSimplified(letter);
  const lower = letter.toLowerCase();
  if (lower <= '\u007f') return lower;
  // Only for letters read as Latin: elsewhere, letters that look alike make different words.
  const look = prototypeOf(lower);
  return /^[a-z]$/i.test(look) ? look.toLowerCase() : lower;
}

function grown<T extends Uint8Array | Uint16Array | Uint32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

const CHUNK_UNITS = 8_192;

function decode(units: Uint16Array): string {
  let text = '';
  for (let at = 0; at < units.length; at += CHUNK_UNITS)
    text += String.fromCharCode(...units.subarray(at, at + CHUNK_UNITS));
  return text;
}
