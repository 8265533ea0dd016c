/**
 * Index tokens, the same for every engine. Each position of a text yields one token: the character there and
 * those after it, up to white space. A token has two characters in Chinese and punctuation, four where the
 * first or second is a letter or digit of a small alphabet. So the tokens of a word are adjacent in every
 * text that contains it and nowhere else: a phrase of tokens is a substring, and needs no recheck. A word
 * shorter than the token at its position is a separate token, a unit.
 */

/** Version of the index format; a change triggers a rebuild. */
export const INDEX_VERSION = 4;

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
  const run = encode(text);
  // Code units, because 200,000 slices and joins of strings took a tenth of a second.
  const tokens = createUnits(run.length * (NARROW_SPAN + 1));
  const units = createUnits(run.length);
  const isKnown = createSeen();
  for (let at = skipSpace(run, 0); at < run.length; at = skipSpace(run, next(run, at))) {
    const span = spanAt(run, at);
    let end = at;
    for (let length = 1; length < span && isInRun(run, end); length += 1) {
      end = next(run, end);
      if (!isKnown(run, at, end)) units.add(run, at, end, UNIT);
    }
    tokens.add(run, at, isInRun(run, end) ? next(run, end) : end);
  }
  return `${units.text()} ${tokens.text()}`;
}

const isInRun = (text: string, at: number): boolean => at < text.length && !isSpace(text.charCodeAt(at));

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

/** White space as \s: every text has spaces and line breaks, few have others. */
const isSpace = (code: number): boolean =>
  code < 0x80
    ? code === 0x20 || (code >= 0x09 && code <= 0x0d)
    : code === 0xa0 ||
      (code >= 0x1680 && (code <= 0x3000 || code === 0xfeff) && /\s/.test(String.fromCharCode(code)));

/** Collects words separated by spaces; `length` is its first size in code units. */
function createUnits(length: number) {
  let codes = new Uint16Array(length + 16);
  let used = 0;
  return {
    add(text: string, from: number, to: number, mark = ''): void {
      if (used + to - from + 2 > codes.length) {
        const larger = new Uint16Array(2 * codes.length + to - from);
        larger.set(codes);
        codes = larger;
      }
      if (used > 0) codes[used++] = 0x20;
      if (mark !== '') codes[used++] = mark.charCodeAt(0);
      for (let at = from; at < to; at += 1) codes[used++] = text.charCodeAt(at);
    },
    text: (): string => Buffer.from(codes.buffer, 0, 2 * used).toString('utf16le'),
  };
}

/** Returns a test whether a range of a text, of at most three characters, was seen before. */
function createSeen(): (text: string, from: number, to: number) => boolean {
  const single = new Uint8Array(0x10000);
  const longer = new Set<number | string>();
  return (text, from, to) => {
    if (to - from === 1) {
      const code = text.charCodeAt(from);
      const isSeen = single[code] === 1;
      single[code] = 1;
      return isSeen;
    }
    let key: number | string = 0;
    if (to - from > 3) key = text.slice(from, to);
    else for (let at = from; at < to; at += 1) key = key * 0x10000 + text.charCodeAt(at);
    if (longer.has(key)) return true;
    longer.add(key);
    return false;
  };
}

/**
 * Returns a token for a whole `value` (folded): an author's name or display name or a tag, for filters, or
 * the script. No text contains it, because no unit begins with two of its marks.
 */
export const labelOf = (kind: 'author' | 'display' | 'tag' | 'script', value: string): string =>
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
export function phraseOf(word: string): { tokens: string[]; isPrefix: boolean } {
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
  const codes = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    codes[at] = isSign(code) ? code + 0xfee0 : code;
  }
  return Buffer.from(codes.buffer).toString('utf16le');
}

/** Whether a code unit is ASCII punctuation. */
const isSign = (code: number): boolean =>
  (code >= 0x21 && code <= 0x2f) ||
  (code >= 0x3a && code <= 0x40) ||
  (code >= 0x5b && code <= 0x60) ||
  (code >= 0x7b && code <= 0x7e);
