import { findCode } from '../dialects/code-ranges.ts';
import { findTightHeadings } from '../markdown/syntax/tight-headings.ts';
import { applyEdits, type Edited } from '../markdown-file/edits.ts';
import { createLines, showLines } from '../markdown-file/offsets.ts';

/**
 * Puts a space after the signs of headings like `##小节`, which the product of the text shows as headings.
 * @throws Problem for a text that nests too deeply
 */
export const spaceHeadings = (edited: Edited): Edited =>
  applyEdits(
    edited,
    headingsIn(edited.text).map(({ at }) => ({ start: at, end: at, by: ' ' })),
  );

/** Returns a Chinese sentence that names such lines, or null. */
export function tellTightHeadings(
  { text, lineOf }: Edited,
  lineInFile: (line: number) => number,
): string | null {
  const lineAt = createLines(text);
  const lines = headingsIn(text).map(({ start }) => lineInFile(lineOf(lineAt(start))));
  return lines.length === 0 ? null : `${showLines(lines)}：# 后面没有空格，不是标题`;
}

function headingsIn(text: string) {
  const found = findTightHeadings(text);
  if (found.length === 0) return [];
  const isCode = findCode(text);
  return found.filter(({ start }) => !isCode(start));
}
