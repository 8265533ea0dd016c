const HAN = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}`;
// Each Chinese or Japanese character counts as one word; other scripts count by word, including `don’t` and
// `3.14`.
const LETTERS = String.raw`(?:(?![${HAN}])[\p{L}\p{N}\p{M}])+`;
const WORD = new RegExp(String.raw`[${HAN}]|${LETTERS}(?:['’.]${LETTERS})*`, 'gu');

const UNSPACED = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
let segmenter: Intl.Segmenter | undefined;

export function countWords(text: string): number {
  const words = text.match(WORD) ?? [];
  if (!UNSPACED.test(text)) return words.length;
  return words.reduce((count, word) => count + (UNSPACED.test(word) ? wordsIn(word) : 1), 0);
}

function wordsIn(run: string): number {
  segmenter ??= new Intl.Segmenter('th', { granularity: 'word' });
  let count = 0;
  for (const { isWordLike } of segmenter.segment(run)) if (isWordLike) count++;
  return count;
}

/** Reading speed in words of `countWords` per minute; measured speeds for Chinese are 300 to 500. */
const WORDS_PER_MINUTE = 400;

export const readingMinutes = (words: number): number => Math.max(1, Math.round(words / WORDS_PER_MINUTE));

// `toLocaleString` would create a format for each call.
const numbers = new Intl.NumberFormat('zh-CN');

/** Formats a number of words with separators: 12,345. */
export const formatWords = (words: number): string => numbers.format(words);
