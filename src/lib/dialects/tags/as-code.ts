import { codeBlock, inlineCode } from './markdown.ts';
import type { Written } from './tag.ts';

/** Writes an unknown tag as code: as a block if it is alone on its lines, otherwise inline. */
export const asCode = (source: string, isAlone: boolean): Written =>
  isAlone || /\n[ \t]*\n/.test(source) ? codeBlock(source, 'text') : inlineCode(source);

export function shownInReport(source: string): string {
  const line = source.replace(/\s+/g, ' ').trim();
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
