import { posix } from 'node:path';
import { addressOf } from '../../contract/rules/pictures.ts';
import { decodeAddress } from '../../markdown/decode-address.ts';
import { basePath } from './generators/settings.ts';
import type { OldSite } from '../old-site.ts';
import type { Folder } from './walk.ts';

export type Destination =
  | { kind: 'article'; path: string; anchor: string }
  | { kind: 'image'; path: string; absolute: string; bytes: number }
  /** On the imported site, but unavailable. `old`: its address on the old site, if known. */
  | { kind: 'outside' | 'missing-image' | 'missing-article' | 'file'; old: string | null }
  /** On another site, or an anchor of the same page. */
  | { kind: 'other' };

interface Wanted {
  url: string;
  /** Whether it is shown as a picture, whatever its extension. */
  isPicture?: boolean;
  isMedium?: boolean | undefined;
}

export interface AddressBook {
  resolve(wanted: Wanted, from: string): Destination;
  /** Returns the file of the article that a generator's tag names, or null. */
  find(name: string, from: string): string | null;
}

const ABSOLUTE = /^(?:[a-z][a-z\d+.-]*:|\/\/)/i;
const IMAGE = /\.(?:png|jpe?g|webp|gif|svg|avif|bmp|ico|tiff?)$/i;
const DOCUMENT = /\.(?:md|markdown|html?)$/i;
const FILE =
  /\.(?:mp4|webm|mov|m4v|mp3|m4a|ogg|wav|flac|pdf|zip|rar|7z|gz|tar|docx?|xlsx?|pptx?|epub|apk|exe|dmg|txt|csv|json)$/i;
const NOTION = /^https:\/\/(?:[\w-]+\.)?notion\.(?:so|site)\//i;
const PUBLIC_FOLDERS = [
  '',
  '.vuepress/public',
  'public',
  'static',
  'source',
  'assets',
  'docs',
  'src',
  'content',
];
const POST_FOLDERS = ['', '_posts', 'source/_posts', 'content', 'posts', 'content/posts', 'src/content'];

/**
 * Resolves addresses as generators do: relative to the file, from the root of the site, with or without
 * extension, in Hexo's asset folder of a post, or by an article's address on the old site.
 * @param articles path of each file that becomes an article, with its addresses on the old site
 */
export function createAddressBook(
  folder: Folder,
  articles: ReadonlyMap<string, readonly string[]>,
  oldSite: OldSite | null = null,
): AddressBook {
  const former = new Map<string, string>();
  for (const [path, addresses] of articles) for (const address of addresses) former.set(plain(address), path);
  const stems = namesOf(articles.keys());
  const pagesOfNotion = new Map(
    [...articles.keys()].flatMap((path) => notionIds(path).map((id) => [id, path])),
  );
  const base = basePath(folder.generator);
  const pageOfNotion = (path: string): string | undefined =>
    notionIds(path)
      .map((id) => pagesOfNotion.get(id))
      .find((found) => found !== undefined);
  const findArticle = (path: string): string | undefined => {
    const bare = path.replace(/\/+$/, '');
    const stem = bare.replace(DOCUMENT, '');
    const names = [bare, `${stem}.md`, `${stem}.markdown`];
    for (const index of ['README', 'readme', 'index', '_index']) names.push(posix.join(stem, `${index}.md`));
    return names.find((name) => articles.has(name)) ?? former.get(plain(bare)) ?? pageOfNotion(bare);
  };
  const findImage = (paths: readonly string[], old: string | null): Destination => {
    let leadsOut = false;
    for (const path of paths) {
      const found = folder.locate(path);
      if (typeof found === 'object')
        return { kind: 'image', path, absolute: found.absolute, bytes: found.stats.size };
      leadsOut ||= found === 'outside';
    }
    return { kind: leadsOut ? 'outside' : 'missing-image', old };
  };
  const oldAddress = (path: string, from: string): string | null => {
    if (!oldSite) return null;
    const [address = ''] = articles.get(from) ?? [];
    return oldSite.addressOf(URL.parse(path, `http://x/${address.replace(/^\/+/, '')}`)?.pathname ?? path);
  };

  return {
    resolve({ url, isPicture = false, isMedium = false }, from) {
      const written = addressOf(url.trim()).replace(/(?<=[\w.])\\(?=[\w.])/g, '/');
      const ofOldSite = oldSite?.pathOf(written) ?? null;
      const local = ofOldSite ?? written;
      if (local === '' || local.startsWith('#')) return { kind: 'other' };
      if (ofOldSite === null && ABSOLUTE.test(written)) {
        const page = NOTION.test(written) ? pageOfNotion(written.replace(/[?#].*$/s, '')) : undefined;
        return page === undefined ? { kind: 'other' } : { kind: 'article', path: page, anchor: '' };
      }
      const [, path = '', hash = ''] = /^([^?#]*)(?:\?[^#]*)?(#.*)?$/s.exec(local) ?? [];
      const old = ofOldSite === null ? oldAddress(path, from) : written;
      const candidates = placesOf(decodeAddress(path === '' ? '/' : path), from, folder, base);
      if (isPicture || IMAGE.test(path)) return findImage(candidates, old);
      const inside = candidates.filter((candidate) => !isOutside(candidate));
      const article = inside.map(findArticle).find((found) => found !== undefined);
      if (article !== undefined) return { kind: 'article', path: article, anchor: hash };
      if (/\.(?:md|markdown)$/i.test(path))
        return { kind: isOutside(candidates[0]) ? 'outside' : 'missing-article', old };
      const isFile =
        isMedium || FILE.test(path) || candidates.some((each) => typeof folder.locate(each) === 'object');
      if (isFile && path !== '/') return { kind: 'file', old };
      return ofOldSite === null && old === null ? { kind: 'other' } : { kind: 'missing-article', old };
    },

    find(name, from) {
      const bare = decodeAddress(name).replace(/^\/+|\/+$/g, '');
      const beside = posix.join(posix.dirname(from), bare);
      const places = [beside, ...POST_FOLDERS.map((each) => posix.join(each, bare))];
      return (
        places.map(findArticle).find((found) => found !== undefined) ?? stems.get(lastStem(bare)) ?? null
      );
    },
  };
}

/** Returns Notion's id at the end of a path or address, if there is one. */
function notionIds(path: string): string[] {
  const [, id] = /(?:^|[ _/-])([0-9a-f]{32})$/.exec(path.replace(DOCUMENT, '')) ?? [];
  return id === undefined ? [] : [id];
}

function namesOf(paths: Iterable<string>): Map<string, string> {
  const names = new Map<string, string>();
  for (const path of paths) {
    const stem = lastStem(path);
    for (const name of [stem, stem.replace(/^\d{4}-\d{1,2}-\d{1,2}-/, '')])
      if (!names.has(name)) names.set(name, path);
  }
  return names;
}

function lastStem(path: string): string {
  const parts = path.replace(DOCUMENT, '').split('/');
  const last = parts.at(-1) ?? '';
  return /^_?index$/i.test(last) && parts.length > 1 ? (parts.at(-2) ?? '') : last;
}

function placesOf(path: string, from: string, folder: Folder, base: string): string[] {
  if (!path.startsWith('/')) {
    const assets = from.replace(/\.[^./]*$/, '');
    const beside = [posix.join(posix.dirname(from), path), posix.join(assets, path)];
    return [...beside, ...fromRoot(posix.join('/', assets, path), folder, base)].flatMap(withoutStyle);
  }
  return fromRoot(path, folder, base).flatMap(withoutStyle);
}

function fromRoot(path: string, folder: Folder, base: string): string[] {
  const bare = path.replace(/^\/+/, '');
  // The site may be served from /name/, or the folder may be the part `name` of a larger site.
  const [first = '', ...rest] = bare.split('/');
  const isNamed = rest.length > 0 && (first === folder.name || `/${bare}`.startsWith(`${base}/`));
  const paths = isNamed
    ? [bare, ...(base === '' ? [] : [`/${bare}`.slice(base.length + 1)]), rest.join('/')]
    : [bare];
  const ups =
    folder.place === '' ? [''] : ['', ...folder.place.split('/').map((_, index) => '../'.repeat(index + 1))];
  return ups.flatMap((up) =>
    paths.flatMap((each) => PUBLIC_FOLDERS.map((place) => posix.join(up, place, each))),
  );
}

/** Image hosts append a style to names, as in `a.webp!large`; the file has the plain name. */
const withoutStyle = (path: string): string[] =>
  path.includes('!') ? [path, path.replace(/![^/]*$/, '')] : [path];

const isOutside = (path = ''): boolean => path === '..' || path.startsWith('../');

const plain = (address: string): string =>
  decodeAddress(address)
    .replace(/^\/+|\/+$/g, '')
    .replace(/(?:\/index)?\.html?$/i, '')
    .toLowerCase();
