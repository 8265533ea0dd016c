import { applyEdits, type Edited } from '../../markdown-file/edits.ts';
import { FORMULA } from '../code-ends.ts';
import { findCode } from '../code-ranges.ts';

/** Highlighted text within a paragraph. */
const MARKED = /(?<![=\\])==(?![=\s])((?:(?!==|\n[ \t]*\n)[^]){1,2000}?)(?<!\s)==(?!=)/g;
const ADDRESS = /https?:\/\/[^\s)]+|\]\([^)\n]{1,1000}\)/g;
/** Id of a paragraph, which links refer to and pages do not show. */
const BLOCK_ID = /(?:[ \t]+|^)\^(?=[\w-]*[a-z])[\w-]{4,40}[ \t]*$/gim;

/** Turns Obsidian's `==text==` into highlighted text, and removes ids of paragraphs. */
export function translateMarks(edited: Edited): Edited {
  const { text } = edited;
  if (!/==|\^/.test(text)) return edited;
  const isOther = findCode(text, [FORMULA, ADDRESS]);
  const marks = [...text.matchAll(MARKED)].filter(
    ({ 0: { length }, index }) => !isOther(index) && !isOther(index + length - 1),
  );
  const ids = [...text.matchAll(BLOCK_ID)].filter(({ index, 0: { length } }) => !isOther(index + length - 1));
  return applyEdits(edited, [
    ...marks.flatMap(({ 0: { length }, index }) => [
      { start: index, end: index + 2, by: '<mark>' },
      { start: index + length - 2, end: index + length, by: '</mark>' },
    ]),
    ...ids.map(({ 0: { length }, index }) => ({ start: index, end: index + length, by: '' })),
  ]);
}
