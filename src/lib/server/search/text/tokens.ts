/**
 * Index tokens, the same for every engine. Each position of a text yields one token: the character there and
 * those after it, up to white space. A token has two characters in Chinese and punctuation, four where the
 * first or second is a letter or digit of a small alphabet. So the tokens of a word are adjacent in every
 * text that contains it and nowhere else: a phrase of tokens is a substring, and needs no recheck. A word
 * shorter than the token at its position is a separate token, a unit.
 */

/** Version of the index format; a change triggers a rebuild. */
export const INDEX_VERSION = 3;

export interface Phrase {
  tokens: string[];
  isPrefix: boolean;
}

// U+FF5F never occurs in folded text (its fold is U+2985), so units and tokens cannot be confused.
const UNIT = '\uff5f';
const WIDE_SPAN = 2;
const NARROW_SPAN = 4;

/**
 * Returns the tokens of `text` (folded), separated by spaces: its distinct units, then one token per
 * position. ASCII punctuation becomes full-width, which folded text never contains, so engines see only
 * letters.
 */
export function tokenize(text: string): string {
  const units = new Set<string>();
  const tokens: string[] = [];
  for (const run of encode(text).split(/\s+/u)) {
    for (let at = 0; at < run.length; at = next(run, at)) {
      const span = spanAt(run, at);
      let end = at;
      for (let length = 1; length < span && end < run.length; length += 1) {
        end = next(run, end);
        units.add(run.slice(at, end));
      }
      tokens.push(run.slice(at, next(run, end)));
    }
  }
  const head = Array.from(units, (unit) => UNIT + unit).join(' ');
  return `${head} ${tokens.join(' ')}`;
}

/**
 * Returns a token for a whole `value` (folded): an author's name or a tag, for filters, or the script. No
 * text contains it, because no unit begins with two of its marks.
 */
export const labelOf = (kind: 'author' | 'tag' | 'script', value: string): string =>
  `${UNIT}${UNIT}${kind}${UNIT}${encode(value).replace(/\s/gu, UNIT)}`;

export const isLabel = (token: string): boolean => token.startsWith(UNIT + UNIT);

/** Calls `note` with each token of `text` (folded), as a range of a run, and its position in UTF-16 units. */
export function eachToken(
  text: string,
  note: (run: string, from: number, to: number, position: number) => void,
): void {
  const encoded = encode(text);
  for (const { 0: run, index } of encoded.matchAll(/\S+/gu)) {
    for (let at = 0; at < run.length; at = next(run, at)) {
      let end = next(run, at);
      for (let rest = spanAt(run, at) - 1; rest > 0 && end < run.length; rest -= 1) end = next(run, end);
      note(run, at, end, index + at);
    }
  }
}

/** Returns the units of a text with `token`: its prefixes that are shorter than a whole token. */
export function unitsOf(token: string): string[] {
  const units: string[] = [];
  let end = 0;
  for (let rest = spanAt(token, 0) - 1; rest > 0 && end < token.length; rest -= 1) {
    end = next(token, end);
    units.push(UNIT + token.slice(0, end));
  }
  return units;
}

/** Returns the phrase that matches exactly the texts with `word` (folded, no white space, not empty). */
export function phraseOf(word: string): Phrase {
  const run = encode(word);
  const tokens: string[] = [];
  for (let at = 0; ; at = next(run, at)) {
    const span = spanAt(run, at);
    const characters = Array.from(run.slice(at, at + 2 * span)).slice(0, span);
    const token = characters.join('');
    const isPrefix = characters.length < span;
    if (isPrefix && at === 0) return { tokens: [UNIT + token], isPrefix: false };
    tokens.push(token);
    if (at + token.length === run.length) return { tokens, isPrefix };
  }
}

function spanAt(run: string, at: number): number {
  return isNarrowPair(run, at, next(run, at)) ? NARROW_SPAN : WIDE_SPAN;
}

function isNarrowPair(run: string, at: number, second: number): boolean {
  return isNarrow(run, at) || (second < run.length && isNarrow(run, second));
}

function next(run: string, at: number): number {
  const code = run.charCodeAt(at);
  return Math.min(code >= 0xd800 && code <= 0xdbff ? at + 2 : at + 1, run.length);
}

const WIDE = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}]/u;
const LETTER = /[\p{L}\p{N}\p{M}]/u;

function isNarrow(run: string, at: number): boolean {
  const code = run.charCodeAt(at);
  if (code < 0x80) return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39);
  if ((code >= 0x4e00 && code <= 0x9fff) || (code >= 0xff00 && code <= 0xff5f)) return false;
  const character = run.slice(at, next(run, at));
  return LETTER.test(character) && !WIDE.test(character);
}

function encode(text: string): string {
  return text.replace(/[!-/:-@[-`{-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0));
}
