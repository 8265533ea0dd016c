import { toMarkdownFile } from '../../lib/markdown-file/write-file.ts';
import type { DraftFields } from '../../lib/stores/draft.ts';

/** What no file system takes in a name, and what hides a file. */
const UNSAFE = /[\p{Cc}/\\:*?"<>|]|^\.+/gu;

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
