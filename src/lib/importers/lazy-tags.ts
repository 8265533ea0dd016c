import { applyEdits, type Edited } from '../markdown-file/edits.ts';
import { inspect } from '../markdown-file/inspect.ts';
import { writeLazyTag } from '../markdown/from-html/lazy-pictures.ts';

const PICTURE = /<img\b(?=[^<>]*\s(?:data-|srcset))[^<>]{0,4000}>/gi;

/**
 * Gives pictures in raw HTML that are loaded late (`<img data-src>`) their real address.
 * @throws Problem for a text that nests too deeply
 */
export function readLazyTags(edited: Edited): Edited {
  const { text } = edited;
  if (!/<img\b/i.test(text)) return edited;
  const edits = inspect(text).html.flatMap(({ start, end }) =>
    [...text.slice(start, end).matchAll(PICTURE)].map(({ 0: tag, index }) => ({
      start: start + index,
      end: start + index + tag.length,
      by: writeLazyTag(tag),
    })),
  );
  return applyEdits(edited, edits);
}
