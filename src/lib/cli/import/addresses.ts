import { posix } from 'node:path';
import { addressOf } from '../../contract/pictures.ts';
import type { Folder } from './walk.ts';

/** Where an address of an imported file leads. */
export type Destination =
  | { kind: 'article'; path: string; anchor: string }
  | { kind: 'image'; path: string; absolute: string; bytes: number }
  | { kind: 'outside' | 'missing-image' | 'missing-article' }
  /** Not ours to change: another site, an anchor of the same page, a file that is no picture. */
  | { kind: 'other' };

export interface AddressBook {
  /** @param url as written in the file at `from` (path from the folder) */
  resolve(url: string, from: string): Destination;
}

const ABSOLUTE = /^(?:[a-z][a-z\d+.-]*:|\/\/)/i;
const IMAGE = /\.(?:png|jpe?g|webp|gif|svg|avif|bmp|ico|tiff?)$/i;
const DOCUMENT = /\.(?:md|markdown|html?)$/i;
/** Where generators keep what they serve from the root of the site. */
const PUBLIC_FOLDERS = ['', '.vuepress/public', 'public', 'static', 'source', 'assets', 'docs', 'src'];

/**
 * Reads addresses as the generators do: relative to the file, from the root of the site, with or without
 * extension, in Hexo's folder of a post, or by the address the old site gave an article.
 * @param articles path of each file that becomes an article, with the addresses of its old place
 */
export function createAddressBook(
  folder: Folder,
  articles: ReadonlyMap<string, readonly string[]>,
): AddressBook {
  const former = new Map<string, string>();
  for (const [path, addresses] of articles) for (const address of addresses) former.set(plain(address), path);
  const findArticle = (path: string): string | undefined => {
    const bare = path.replace(/\/+$/, '');
    const stem = bare.replace(DOCUMENT, '');
    const names = [bare, `${stem}.md`, `${stem}.markdown`];
    for (const index of ['README', 'readme', 'index', '_index']) names.push(posix.join(stem, `${index}.md`));
    return names.find((name) => articles.has(name)) ?? former.get(plain(bare));
  };

  const findImage = (paths: readonly string[]): Destination => {
    let leadsOut = false;
    for (const path of paths) {
      const found = folder.locate(path);
      if (typeof found === 'object')
        return { kind: 'image', path, absolute: found.absolute, bytes: found.stats.size };
      leadsOut ||= found === 'outside';
    }
    return { kind: leadsOut ? 'outside' : 'missing-image' };
  };

  return {
    resolve(url, from) {
      const written = addressOf(url.trim());
      if (written === '' || written.startsWith('#') || ABSOLUTE.test(written)) return { kind: 'other' };
      const [, path = '', hash = ''] = /^([^?#]*)(?:\?[^#]*)?(#.*)?$/s.exec(written) ?? [];
      const candidates = placesOf(decode(path), from, folder.name);
      if (IMAGE.test(path)) return findImage(candidates);
      const inside = candidates.filter((candidate) => !isOutside(candidate));
      const article = inside.map(findArticle).find((found) => found !== undefined);
      if (article !== undefined) return { kind: 'article', path: article, anchor: hash };
      if (/\.(?:md|markdown)$/i.test(path))
        return { kind: isOutside(candidates[0]) ? 'outside' : 'missing-article' };
      return { kind: 'other' };
    },
  };
}

/** The paths from the folder that `path`, written in the file `from`, can mean; the likeliest first. */
function placesOf(path: string, from: string, folderName: string): string[] {
  if (!path.startsWith('/')) {
    const parent = posix.dirname(from);
    const assets = from.replace(/\.[^./]*$/, '');
    return [posix.join(parent, path), posix.join(assets, path)];
  }
  const bare = path.replace(/^\/+/, '');
  // A site served from /name/, or a folder that is the `name` of a larger site.
  const [first = '', ...rest] = bare.split('/');
  const withoutBase = rest.length > 0 && first === folderName ? [rest.join('/')] : [];
  return [bare, ...withoutBase].flatMap((each) => PUBLIC_FOLDERS.map((place) => posix.join(place, each)));
}

const isOutside = (path = ''): boolean => path === '..' || path.startsWith('../');

const plain = (address: string): string =>
  address
    .replace(/^\/+|\/+$/g, '')
    .replace(/(?:\/index)?\.html?$/i, '')
    .toLowerCase();

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
