import { preOf } from './code.ts';

/** A comment that begins, ends, or alone is a block of WordPress's editor. */
const DELIMITER = /<!--\s+(\/?)wp:((?:[a-z][\w-]*\/)?[a-z][\w-]*)\s+(\{[\s\S]*?\}\s+)?(\/?)-->/g;
/** How deep blocks are put in that others refer to. */
const MOST_LEVELS = 4;

/** What a post's blocks need that stands elsewhere. */
export interface BlockSources {
  /** Content of a block that several posts share, by its id. */
  shared(id: string): string | undefined;
  /** HTML of the notes of this post. */
  notes: string;
  /** Told of a block that has no content of its own. */
  lose(name: string): void;
}

/** Whether a post was written in blocks: paragraphs are elements then, not empty lines. */
export const hasBlocks = (content: string): boolean => /<!--\s+wp:/.test(content);

/**
 * Content without the editor's comments. Of a block that the server would have drawn nothing stays, but for
 * shared ones and notes; code gets the language that its comment has.
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
    // Code Block Pro: the page has it drawn, the comment as it was typed.
    result += preOf(String(attributes['code']).replaceAll('&', '&amp;'), language);
    position = delimiters.lastIndex = drawnTo;
    language = '';
  }
  return result + named(content.slice(position), language);
}

const languageOf = ({ language }: Record<string, unknown>): string =>
  typeof language === 'string' && /^[\w+#.-]{1,40}$/.test(language) ? language : '';

/** HTML of a block, its code with the language that the block names. */
const named = (html: string, language: string): string =>
  language === '' ? html : html.replace(/<pre\b/, `<pre data-language="${language}"`);

function standIn(
  name: string,
  { ref }: Record<string, unknown>,
  sources: BlockSources,
  level: number,
): string {
  const shared = name === 'block' && level < MOST_LEVELS ? sources.shared(String(ref)) : undefined;
  if (shared !== undefined) return readBlocks(shared, sources, level + 1);
  if (name === 'footnotes') return sources.notes;
  // These only arrange.
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
