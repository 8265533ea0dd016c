const HAN = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}`;
// A Chinese character counts as one, and so does a word of any other script, `don’t` and `3.14` included.
const LETTERS = String.raw`(?:(?![${HAN}])[\p{L}\p{N}\p{M}])+`;
const WORD = new RegExp(String.raw`[${HAN}]|${LETTERS}(?:['’.]${LETTERS})*`, 'gu');

/** Scripts that put no spaces between words. */
const UNSPACED = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
let segmenter: Intl.Segmenter | undefined;

/** How much is written, as 字数 counts: Chinese and Japanese characters, and words of everything else. */
export function countWords(text: string): number {
  const hasUnspaced = UNSPACED.test(text);
  let count = 0;
  for (const [word] of text.matchAll(WORD)) count += hasUnspaced && UNSPACED.test(word) ? wordsIn(word) : 1;
  return count;
}

function wordsIn(run: string): number {
  segmenter ??= new Intl.Segmenter('th', { granularity: 'word' });
  let count = 0;
  for (const { isWordLike } of segmenter.segment(run)) if (isWordLike) count++;
  return count;
}

/** Words (as `countWords` counts) that a reader of Chinese takes in a minute: 300 to 500 are measured. */
const WORDS_A_MINUTE = 400;

/** How long reading takes, in whole minutes, 1 at least. */
export const readingMinutes = (words: number): number => Math.max(1, Math.round(words / WORDS_A_MINUTE));
