import { specOf, valueOf, FIELD_NAMES } from '../../lib/contract/authored-fields.ts';
import type { DraftFields } from '../../lib/stores/draft.ts';

/** What no file system takes in a name, and what hides a file. */
const UNSAFE = /[\p{Cc}/\\:*?"<>|]|^\.+/gu;

/**
 * An article as a file that `moye import` and other sites' generators read: YAML front matter, then the text.
 * Values are written as JSON, which YAML 1.2 takes as they are. What is empty is left out.
 */
export function toMarkdownFile(fields: DraftFields): string {
  const lines = FIELD_NAMES.filter((name) => name !== 'content' && name !== 'series').flatMap((name) => {
    const value = valueOf(fields, name);
    const isEmpty = value === '' || value === false || (Array.isArray(value) && value.length === 0);
    return isEmpty && specOf(name).kind !== 'names' ? [] : [`${name}: ${JSON.stringify(value)}`];
  });
  return ['---', ...lines, '---', '', fields.content, ''].join('\n');
}

/** Whether a file can be brought in as an article, by its name: browsers know no type of such files. */
export const isMarkdownFile = ({ name }: File): boolean => /\.(?:md|markdown|mdown|mkd|txt)$/i.test(name);

/** Has the browser save an article as a file of its title. */
export function saveMarkdownFile(fields: DraftFields): void {
  const url = URL.createObjectURL(new Blob([toMarkdownFile(fields)], { type: 'text/markdown' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${fields.title.replaceAll(UNSAFE, ' ').trim().slice(0, 80) || '无标题'}.md`;
  link.click();
  URL.revokeObjectURL(url);
}
