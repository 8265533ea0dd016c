/**
 * Tokens of the index, the same for every engine. Each position of a text gives one token, the character there with those after
 * it, cut at white space: two characters in Chinese and punctuation, three where a letter or digit of a small alphabet is the
 * first or the second. So the tokens of a word follow each other in every text that holds it and nowhere else: a phrase of
 * tokens is a substring, with nothing to recheck. A word shorter than its token is a token of its own, a unit.
 */

/** Version of everything the index is made of; another one makes it be built anew. */
export const INDEX_VERSION = 1;

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
const NARROW_SPAN = 3;

/**
 * The tokens of `text` (folded), separated by spaces: first its units, each once, then one token for each position. ASCII
 * punctuation is written in its full-width form, which folded text never holds, so that engines see only letters.
 */
export function tokenize(text: string): string {
  const units = new Set<string>();
  const tokens: string[] = [];
  for (const run of encode(text).split(/\s+/u)) {
    for (let at = 0; at < run.length;) {
      const second = next(run, at);
      const third = next(run, second);
      tokens.push(run.slice(at, spanEnd(run, at)));
      units.add(run.slice(at, second));
      if (third > second && isNarrowPair(run, at, second)) units.add(run.slice(at, third));
      at = second;
    }
  }
  const head = Array.from(units, (unit) => UNIT + unit).join(' ');
  return `${head} ${tokens.join(' ')}`;
}

/** The phrase that occurs in the tokens of exactly those texts that hold `word` (folded, no white space, not empty). */
export function phraseOf(word: string): Phrase {
  const run = encode(word);
  const second = next(run, 0);
  const isShort = second === run.length || (next(run, second) === run.length && isNarrowPair(run, 0, second));
  if (isShort) return { tokens: [UNIT + run], isPrefix: false };
  const tokens: string[] = [];
  for (let at = 0; ; at = next(run, at)) {
    const end = spanEnd(run, at);
    tokens.push(run.slice(at, end));
    if (end === run.length) return { tokens, isPrefix: isCut(run, at) };
  }
}

/** Where the token that begins at `at` ends, within the run. */
function spanEnd(run: string, at: number): number {
  const second = next(run, at);
  const third = next(run, second);
  return isNarrowPair(run, at, second) ? next(run, third) : third;
}

/** Whether the run ends before the token at `at` is complete. */
function isCut(run: string, at: number): boolean {
  const second = next(run, at);
  const span = isNarrowPair(run, at, second) ? NARROW_SPAN : WIDE_SPAN;
  return Array.from(run.slice(at)).length < span;
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
