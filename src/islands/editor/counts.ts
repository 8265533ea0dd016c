import { commonEnds } from '../../lib/common-ends.ts';

const HAN = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}`;
// A Chinese character counts as one, and so does a run of letters or digits of any other script.
const WORD = new RegExp(String.raw`[${HAN}]|(?:(?![${HAN}])[\p{L}\p{N}\p{M}])+`, 'gu');

/** How much is written, as 字数 counts: Chinese and Japanese characters, and words of everything else. */
export function countWords(text: string): number {
  let count = 0;
  for (const _ of text.matchAll(WORD)) count++;
  return count;
}

/** Words (as `countWords` counts) that a reader of Chinese takes in a minute: 300 to 500 are measured. */
const WORDS_A_MINUTE = 400;

/** How long reading takes, in whole minutes, 1 at least. */
export const readingMinutes = (words: number): number => Math.max(1, Math.round(words / WORDS_A_MINUTE));

/** A `countWords` for a text being written: of the one before, only lines that differ are counted again. */
export function createWordCounter(): (text: string) => number {
  let before = '';
  let total = 0;
  return (text) => {
    const { head, tail } = commonEnds(before, text);
    // No word goes on in the next line.
    const from = text.lastIndexOf('\n', head - 1) + 1;
    const lineEnd = text.indexOf('\n', text.length - tail);
    const rest = lineEnd < 0 ? 0 : text.length - lineEnd;
    const between = (whole: string) => countWords(whole.slice(from, whole.length - rest));
    total += between(text) - between(before);
    before = text;
    return total;
  };
}
