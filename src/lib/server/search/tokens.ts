/**
 * Tokens of the index, the same for every engine. Each position of a text gives one token, the character
 * there with those after it, cut at white space: two characters in Chinese and punctuation, four where a
 * letter or digit of a small alphabet is the first or the second. So the tokens of a word follow each other
 * in every text that holds it and nowhere else: a phrase of tokens is a substring, with nothing to recheck. A
 * word shorter than the token at its place is a token of its own, a unit.
 */

/** Version of everything the index is made of; another one makes it be built anew. */
export const INDEX_VERSION = 2;

/** A word as the index knows it. */
export interface Phrase {
  /** Tokens that follow each other. */
  tokens: string[];
  /** The last token is only the beginning of one. */
  isPrefix: boolean;
}

// U+FF5F never occurs in folded text (its fold is U+2985), so a unit is never mistaken for a token.
const UNIT = '\uff5f';
const WIDE_SPAN = 2;
const NARROW_SPAN = 4;

/**
 * The tokens of `text` (folded), by spaces: its units, each once, then one for each position. ASCII
 * punctuation turns full-width, which folded text never holds: engines see letters only.
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
 * A token that stands for `value` (folded) as a whole: an author's name, a tag. Filters look it up; no text
 * holds it, since no unit begins with two of its marks.
 */
export const labelOf = (kind: 'author' | 'tag', value: string): string =>
  `${UNIT}${UNIT}${kind}${UNIT}${encode(value).replace(/\s/gu, UNIT)}`;

/** The tokens and units of `text` (folded), each once. */
export function tokensOf(text: string): Set<string> {
  const tokens = new Set(tokenize(text).split(' '));
  tokens.delete('');
  return tokens;
}

/** The phrase in the tokens of exactly those texts that hold `word` (folded, no white space, not empty). */
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

/** Tokens and units of every text that holds `word`: one is proof, several may stand in other places. */
export function keysOf(word: string): string[] {
  const { tokens, isPrefix } = phraseOf(word);
  return isPrefix ? [...tokens.slice(0, -1), UNIT + tokens.at(-1)] : tokens;
}

/** Characters in the token that begins at `at`, where the run goes on long enough. */
function spanAt(run: string, at: number): number {
  return isNarrowPair(run, at, next(run, at)) ? NARROW_SPAN : WIDE_SPAN;
}

function isNarrowPair(run: string, at: number, second: number): boolean {
  return isNarrow(run, at) || (second < run.length && isNarrow(run, second));
}

/** Start of the character after the one at `at`. */
function next(run: string, at: number): number {
  const code = run.charCodeAt(at);
  return Math.min(code >= 0xd800 && code <= 0xdbff ? at + 2 : at + 1, run.length);
}

const WIDE = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}]/u;
const LETTER = /[\p{L}\p{N}\p{M}]/u;

/** Whether a letter or digit of a small alphabet stands at `at`. */
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
