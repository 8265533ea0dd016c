const HAN = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}`;
// A Chinese character counts as one, and so does a run of letters or digits of any other script.
const WORD = new RegExp(String.raw`[${HAN}]|(?:(?![${HAN}])[\p{L}\p{N}\p{M}])+`, 'gu');

/** How much is written, as 字数 counts: Chinese and Japanese characters, and words of everything else. */
export function countWords(text: string): number {
  let count = 0;
  for (const _ of text.matchAll(WORD)) count++;
  return count;
}
