import { posix } from 'node:path';
import { titleIn } from '../../../markdown-file/file-name.ts';

const INDEX_NAMES = /^(?:readme|index|_index)$/i;
const GENERIC =
  /^(?:_?posts?|_?drafts|docs?|content|source|src|blog|articles?|notes?|pages?|_pages|zh(?:-cn)?|\.|[\d\s年月日._-]+)$/i;

export const nameOf = (path: string): string => posix.basename(path).replace(/\.[^.]*$/, '');

/** Whether a file is its folder's text: `title/index.md`. */
export const isIndex = (path: string): boolean => INDEX_NAMES.test(nameOf(path));

/**
 * Returns the title in the name of a file, or of its folder.
 * @param folder name of the imported folder
 */
export function titleFromPath(path: string, folder: string): string {
  if (!isIndex(path)) return titleIn(nameOf(path));
  const parent = posix.dirname(path);
  return titleIn(parent === '.' ? folder : posix.basename(parent));
}

/**
 * Published articles need a tag: returns the nearest folder with a meaningful name. The folder of an index
 * file is the article itself, the folder of a README may be a section.
 */
export function defaultTag(path: string, folder: string, title: string): string {
  const isOwn = /^_?index$/i.test(nameOf(path)) || (isIndex(path) && titleFromPath(path, folder) === title);
  const place = posix.dirname(isOwn ? posix.dirname(path) : path);
  const folders = [folder, ...place.split('/')].map(titleIn);
  return folders.findLast((name) => !GENERIC.test(name)) ?? '未分类';
}
