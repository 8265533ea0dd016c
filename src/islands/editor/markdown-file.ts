import { toMarkdownFile } from '../../lib/shared/write-file.ts';
import type { DraftFields } from '../../lib/stores/draft/draft-types.ts';
import { saveFile } from '../../lib/stores/save-file.ts';

/** Characters that file systems reject in names, and leading dots, which hide files. */
const UNSAFE = /[\p{Cc}/\\:*?"<>|]|^\.+/gu;

/**
 * Whether a file can be imported as an article. Checks the name because browsers report no type for such
 * files.
 */
export const isMarkdownFile = ({ name }: File): boolean => /\.(?:md|markdown|mdown|mkd|txt)$/i.test(name);

export function saveMarkdownFile(fields: DraftFields): void {
  const name = fields.title.replaceAll(UNSAFE, ' ').trim().slice(0, 80) || '无标题';
  saveFile(`${name}.md`, toMarkdownFile(fields), 'text/markdown');
}
