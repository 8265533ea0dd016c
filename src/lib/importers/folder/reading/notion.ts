import { NOTION_ID } from '../../../markdown-file/file-name.ts';
import { readDate } from '../../../markdown-file/dates.ts';
import type { Metadata } from '../../../markdown-file/front-matter.ts';
import { isDateName, isTagName } from '../front-matter-names.ts';

/** Lines `Name: value` between the title of an exported page and its text. */
const BLOCK = /^\s*# [^\n]*\n\s*\n?((?:[^\s:>|#*`<![\]-][^\n:]{0,40}:(?: [^\n]*)?\n)+)(?:\s*\n|$)/;
/** Address that follows the name of a related page. */
const RELATION = / \([^()\s]{0,500}?[0-9a-f]{32}[^()\s]{0,500}\)/g;

/** Other properties could mean anything. */
const isUsed = (name: string): boolean => isDateName(name) || isTagName(name);

/**
 * Reads the properties that Notion's export writes below the title. Those that the import uses leave the
 * text; others stay, because nothing else would keep them.
 * @param name name of the file
 */
export function readProperties(body: string, name: string): { properties: Metadata; body: string } {
  const [whole = '', block = ''] = BLOCK.exec(`${body}\n`) ?? [];
  const entries = block.split('\n').flatMap((line): [string, string][] => {
    const [, key = '', value = ''] = /^([^:]+):\s*(.*)$/.exec(line) ?? [];
    return key === '' ? [] : [[key.trim(), value.replace(RELATION, '').trim()]];
  });
  const isNotion = NOTION_ID.test(name);
  const hasDate = entries.some(([key, value]) => isDateName(key) && readDate(value) !== null);
  if (!isNotion && !hasDate) return { properties: {}, body };
  const kept = block
    .split('\n')
    .filter((line) => !isNotion || !isUsed(line.split(':')[0] ?? ''))
    .join('\n');
  const start = whole.lastIndexOf(block);
  return {
    properties: Object.fromEntries(entries),
    body: body.slice(0, start) + kept + body.slice(start + block.length),
  };
}

/** Properties that count as front matter; all of them may hide the page. */
export const usedProperties = (properties: Metadata): Metadata =>
  Object.fromEntries(Object.entries(properties).filter(([name]) => isUsed(name)));
