import { removeParts } from '../../markdown-file/edits.ts';
import { inspect } from '../../markdown-file/inspect.ts';
import { createRangeTest } from '../../markdown-file/offsets.ts';

const MARK = '%%';

/**
 * Handles Obsidian comments (`%%…%%`), which a published note does not show. In a vault they are removed,
 * except for line breaks; elsewhere the text stays and the article becomes secret.
 * @param warnings receives Chinese sentences
 * @throws Problem for a text that nests too deeply
 */
export function hideComments(
  content: string,
  isVault: boolean,
  warnings: string[],
): { content: string; isSecret: boolean } {
  if (!content.includes(MARK)) return { content, isSecret: false };
  const marks = findMarks(content);
  const pairs = Math.floor(marks.length / 2);
  if (!isVault) {
    if (pairs > 0) warnings.push('正文里有成对的 %%（Obsidian 的注释），已导入为仅自己可见');
    return { content, isSecret: pairs > 0 };
  }
  const isOpen = marks.length % 2 === 1;
  if (pairs > 0) warnings.push(`${pairs} 处 Obsidian 注释（%%…%%）没有导入`);
  if (isOpen) warnings.push('有没有成对的 %%（Obsidian 的注释），已导入为仅自己可见');
  const comments = Array.from({ length: pairs }, (_, pair) => {
    return { start: marks[2 * pair] ?? 0, end: (marks[2 * pair + 1] ?? 0) + MARK.length };
  });
  return { content: removeParts(content, comments), isSecret: isOpen };
}

function findMarks(content: string): number[] {
  const isCode = createRangeTest(inspect(content).code);
  return [...content.matchAll(/%%/g)].map(({ index }) => index).filter((at) => !isCode(at));
}
