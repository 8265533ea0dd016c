import { posix } from 'node:path';
import { PICTURE_URL } from '../../contract/rules/pictures.ts';
import { inspect } from '../../markdown-file/inspect.ts';
import { Problem } from '../../markdown-file/problem.ts';
import { FOLDERS, isPictureName } from './format.ts';

export interface Linked {
  content: string;
  cover: string;
}

/**
 * Replaces the site's addresses of pictures with relative paths.
 * @param pathOf returns the path of a picture in the export, or null
 * @param from path of the text's file
 * @returns null if `withSiteAddresses` could not restore the text, for example because it already contains
 * such a path
 */
export function withRelativeLinks(
  text: Linked,
  pathOf: (name: string) => string | null,
  from: string,
): Linked | null {
  const linkOf = (url: string): string | null => {
    const name = url.startsWith(PICTURE_URL) ? url.slice(PICTURE_URL.length) : '';
    const path = isPictureName(name) ? pathOf(name) : null;
    return path === null ? null : relative(from, path);
  };
  if (withSiteAddresses(text) !== text) return null;
  const linked = mapAddresses(text, PICTURE_URL, linkOf);
  const back = withSiteAddresses(linked);
  return back.content === text.content && back.cover === text.cover ? linked : null;
}

/** Replaces relative paths of pictures with the site's addresses; returns `text` itself if it has none. */
export const withSiteAddresses = (text: Linked): Linked =>
  mapAddresses(text, `${FOLDERS.picture}/`, (url) => {
    const [, name = ''] = /^(?:\.\.\/)+(?:[^?#]+\/)?pictures\/([^/?#]+)$/.exec(url) ?? [];
    return isPictureName(name) ? PICTURE_URL + name : null;
  });

/** Replaces addresses with `map(address)` where it is not null. Texts without `sign` are not parsed. */
function mapAddresses(text: Linked, sign: string, map: (url: string) => string | null): Linked {
  const cover = text.cover.includes(sign) ? (map(text.cover) ?? text.cover) : text.cover;
  const content = text.content.includes(sign) ? mapIn(text.content, map) : text.content;
  return content === text.content && cover === text.cover ? text : { content, cover };
}

function mapIn(content: string, map: (url: string) => string | null): string {
  let targets;
  try {
    ({ targets } = inspect(content));
  } catch (error) {
    if (error instanceof Problem) return content;
    throw error;
  }
  let [result, end] = ['', 0];
  for (const target of targets.toSorted((one, other) => one.start - other.start)) {
    const link = map(target.url);
    if (link === null || target.start < end) continue;
    result += content.slice(end, target.start) + link;
    end = target.end;
  }
  return result + content.slice(end);
}

/** Escaped, to need no brackets in markdown. */
const relative = (from: string, to: string): string =>
  encodeURI(posix.relative(posix.dirname(from), to)).replace(
    /[()'#?]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  );
