import { hidingOf } from '../../markdown-file/hiding-names.ts';
import { preOf } from './code.ts';

const DELIMITER = /<!--\s+(\/?)wp:((?:[a-z][\w-]*\/)?[a-z][\w-]*)\s+(\{[\s\S]*?\}\s+)?(\/?)-->/g;
const MAX_LEVELS = 4;

export interface BlockSources {
  shared(id: string): string | undefined;
  notes: string;
  lose(name: string): void;
}

/** Whether a post was written in blocks, and so marks paragraphs as elements, not by empty lines. */
export const hasBlocks = (content: string): boolean => /<!--\s+wp:/.test(content);

/**
 * Removes the editor's comments, except around parts that only some readers may see. Blocks that the server
 * renders are lost, except shared blocks and footnotes; code gets the language that its comment states.
 */
export function readBlocks(content: string, sources: BlockSources, level = 0): string {
  const delimiters = new RegExp(DELIMITER);
  let result = '';
  let position = 0;
  let language = '';
  for (let match = delimiters.exec(content); match; match = delimiters.exec(content)) {
    const [, end = '', name = '', json, alone = ''] = match;
    result += named(content.slice(position, match.index), language);
    position = delimiters.lastIndex;
    language = '';
    if (alone === '' && hidingOf(name)) result += `<!--${end}${name}-->`;
    if (end !== '') continue;
    const attributes = attributesOf(json);
    if (alone !== '') {
      result += standIn(name, attributes, sources, level);
      continue;
    }
    language = languageOf(attributes);
    const drawnTo =
      typeof attributes['code'] === 'string' ? content.indexOf(`<!-- /wp:${name} `, position) : -1;
    if (drawnTo < 0 || language === '') continue;
    // Code Block Pro: the page contains rendered code, the comment the source.
    result += preOf(String(attributes['code']).replaceAll('&', '&amp;'), language);
    position = delimiters.lastIndex = drawnTo;
    language = '';
  }
  return result + named(content.slice(position), language);
}

const languageOf = ({ language }: Record<string, unknown>): string =>
  typeof language === 'string' && /^[\w+#.-]{1,40}$/.test(language) ? language : '';

const named = (html: string, language: string): string =>
  language === '' ? html : html.replace(/<pre\b/, `<pre data-language="${language}"`);

function standIn(
  name: string,
  { ref }: Record<string, unknown>,
  sources: BlockSources,
  level: number,
): string {
  const shared = name === 'block' && level < MAX_LEVELS ? sources.shared(String(ref)) : undefined;
  if (shared !== undefined) return readBlocks(shared, sources, level + 1);
  if (name === 'footnotes') return sources.notes;
  // These blocks only concern the layout.
  if (!['spacer', 'separator', 'post-title', 'site-title', 'table-of-contents'].includes(name))
    sources.lose(name);
  return '';
}

function attributesOf(json = ''): Record<string, unknown> {
  try {
    const read: unknown = JSON.parse(json || '{}');
    return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
