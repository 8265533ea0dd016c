import { codeBlock, inlineCode } from './markdown.ts';
import type { Written } from './tag.ts';

/** A tag that nobody knows, as code: alone on its lines as a block, else within the line. */
export const asCode = (source: string, isAlone: boolean): Written =>
  isAlone || /\n[ \t]*\n/.test(source) ? codeBlock(source, 'text') : inlineCode(source);

/** How a report names it. */
export function shownInReport(source: string): string {
  const line = source.replace(/\s+/g, ' ').trim();
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
