import { applyEdits, type Edited } from '../../markdown-file/edits.ts';
import { FORMULA } from '../code-ends.ts';
import { findCode } from '../code-ranges.ts';
import { createLines } from '../../markdown-file/offsets.ts';
import { translateCallouts } from './callouts.ts';
import { translateLinks, type Vault } from './links.ts';

/** Highlighted text within a paragraph. */
const MARKED = /(?<![=\\])==(?![=\s])((?:(?!==|\n[ \t]*\n)[^]){1,2000}?)(?<!\s)==(?!=)/g;
const ADDRESS = /https?:\/\/[^\s)]+|\]\([^)\n]{1,1000}\)/g;
/** Id of a paragraph, which links refer to and pages do not show. */
const BLOCK_ID = /(?:[ \t]+|^)\^(?=[\w-]*[a-z])[\w-]{4,40}[ \t]*$/gim;

/** Turns Obsidian's `==text==` into highlighted text, and removes ids of paragraphs. */
function translateMarks(edited: Edited): Edited {
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

/** Code that Obsidian's plugins replace with a list of notes. */
const QUERY = /^[ \t>]*(?:`{3,}|~{3,})[ \t]*(dataview|dataviewjs|query|tasks|base|ad-[\w-]+)[ \t]*$/gim;
const INLINE_NOTE = /(?<![\^\\$\w])\^\[[^\]\n]{1,500}\]/g;

/**
 * Translates Obsidian's markdown: links by name, highlights, callouts. Outside of a vault, only what no other
 * markdown means: links to known files, and callouts.
 * @throws Problem for a text that nests too deeply
 */
export function translateObsidian(edited: Edited, vault: Vault): Edited {
  const linked = translateLinks(edited, vault);
  const marked = vault.isVault ? translateMarks(linked) : linked;
  if (vault.isVault) tellOthers(marked, vault);
  return translateCallouts(marked, (line, kind) => vault.lose(line, `看不懂的标注 [!${kind}]，按“说明”导入`));
}

function tellOthers({ text, lineOf }: Edited, vault: Vault): void {
  const lineAt = createLines(text);
  for (const { 1: name = '', index } of text.matchAll(QUERY))
    vault.lose(lineOf(lineAt(index)), `Obsidian 插件的代码块，保留为代码：${name}`);
  const notes = [...text.matchAll(INLINE_NOTE)];
  const isCode = notes.length > 0 ? findCode(text) : () => true;
  for (const { 0: source, index } of notes)
    if (!isCode(index)) vault.lose(lineOf(lineAt(index)), `行内脚注，保留原样：${source}`);
}
