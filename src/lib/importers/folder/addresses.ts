import { posix } from 'node:path';
import { decodeAddress } from '../../markdown/decode-address.ts';
import { addressOf } from '../../contract/rules/pictures.ts';
import { DOCUMENT, FILE, IMAGE, MARKDOWN } from '../../dialects/extensions.ts';
import type { OldSite } from '../old-site.ts';
import { createNames, type Names } from '../../dialects/obsidian/names.ts';
import { basePath } from './generators/settings.ts';
import type { Folder } from './walk.ts';

const LOCAL = /^(?:file:|[a-z]:[\\/]|\\\\)/i;
const MAX_FOLDERS = 6;

/**
 * Reads the address of a file on the author's computer, `C:\…`, `file:///…` or `\\server\…`; null for other
 * addresses. `ends` are the path from each of its last folders on; without the name alone, which many files
 * share.
 */
function readLocalPath(url: string) {
  if (!LOCAL.test(url)) return null;
  const path = /^file:/i.test(url) ? decodeAddress(url.slice(5).replace(/[?#].*$/s, '')) : url;
  const [root, ...parts] = path.split(/[\\/]+/).filter((part) => part !== '');
  const ends = parts.slice(0, -1).map((_, index) => parts.slice(index).join('/'));
  return { name: parts.at(-1) ?? root ?? '', ends: ends.slice(-MAX_FOLDERS) };
}

export type Destination =
  | { kind: 'article'; path: string; anchor: string }
  | { kind: 'image'; path: string; absolute: string; bytes: number }
  /** On the imported site, but unavailable. `old`: its address on the old site, if known. */
  | { kind: 'outside' | 'missing-image' | 'missing-article' | 'file'; old: string | null }
  /** On a computer that is neither this one nor the old site's. */
  | { kind: 'local'; name: string }
  /** On another site, or an anchor of the same page. */
  | { kind: 'other' };

interface Wanted {
  url: string;
  /** Whether it is shown as a picture, whatever its extension. */
  isPicture?: boolean;
  isMedium?: boolean | undefined;
}

export type AddressBook = ReturnType<typeof createAddressBook>;

const ABSOLUTE = /^(?:[a-z][a-z\d+.-]*:|\/\/)/i;
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
 * extension, in Hexo's asset folder of a post, by an article's old address, or in a vault by name.
 * @param articles path of each file that becomes an article, with its addresses on the old site
 * @param isVault whether a file is a note of an Obsidian vault
 */
export function createAddressBook(
  folder: Folder,
  articles: ReadonlyMap<string, readonly string[]>,
  oldSite: OldSite | null = null,
  isVault: (path: string) => boolean = () => false,
) {
  const notes = createNames(articles.keys());
  const files = createLazyNames(folder);
  const finder = createFinder(articles);
  const base = basePath(folder.generator);
  const inVault = (names: Names, path: string, from: string): string[] => {
    const found = isVault(from) ? names.find(decodeAddress(path), from) : null;
    return found === null ? [] : [found];
  };
  const oldAddress = (path: string, from: string): string | null => {
    if (!oldSite) return null;
    const [address = ''] = articles.get(from) ?? [];
    return oldSite.addressOf(URL.parse(path, `http://x/${address.replace(/^\/+/, '')}`)?.pathname ?? path);
  };

  /** Resolves a path on the site. @param ofOldSite its address on the old site, if it was written so */
  function resolvePath(written: string, wanted: Wanted, from: string, ofOldSite: string | null): Destination {
    const { isPicture = false, isMedium = false } = wanted;
    const [, path = '', hash = ''] = /^([^?#]*)(?:\?[^#]*)?(#.*)?$/s.exec(written) ?? [];
    const old = ofOldSite ?? oldAddress(path, from);
    const candidates = placesOf(decodeAddress(path === '' ? '/' : path), from, folder, base);
    if (isPicture || IMAGE.test(path)) {
      const found = findImage(folder, candidates, old);
      return found.kind === 'missing-image' ? findImage(folder, inVault(files, path, from), old) : found;
    }
    const inside = candidates.filter((candidate) => !isOutside(candidate));
    const article = finder.first(inside) ?? (MARKDOWN.test(path) ? inVault(notes, path, from)[0] : undefined);
    if (article !== undefined) return { kind: 'article', path: article, anchor: hash };
    if (MARKDOWN.test(path)) return { kind: isOutside(candidates[0]) ? 'outside' : 'missing-article', old };
    const isFile =
      isMedium || FILE.test(path) || candidates.some((each) => typeof folder.locate(each) === 'object');
    if (isFile && path !== '/') return { kind: 'file', old };
    return old === null ? { kind: 'other' } : { kind: 'missing-article', old };
  }

  function resolveLocal(
    { name, ends }: NonNullable<ReturnType<typeof readLocalPath>>,
    isPicture: boolean,
    from: string,
  ): Destination {
    const beside = posix.dirname(from);
    const inFolder = ends.flatMap((end) =>
      end.startsWith(`${folder.name}/`) ? [posix.relative(folder.name, end)] : [],
    );
    const places = [...ends.map((end) => posix.join(beside, end)), ...inSite([...ends, ...inFolder], folder)];
    const image = isPicture || IMAGE.test(name) ? findImage(folder, places, null) : null;
    if (image?.kind === 'image') return image;
    const article = isPicture ? undefined : finder.first(places);
    return article === undefined ? { kind: 'local', name } : { kind: 'article', path: article, anchor: '' };
  }

  return {
    /** Functions that find the file of an article, and any other file, by its name in a vault. */
    notes,
    files,
    resolve(wanted: Wanted, from: string): Destination {
      const url = wanted.url.trim();
      const onComputer = readLocalPath(url);
      if (onComputer) return resolveLocal(onComputer, wanted.isPicture ?? false, from);
      const written = addressOf(url).replace(/(?<=[\w.])\\(?=[\w.])/g, '/');
      const pathOnOldSite = oldSite?.pathOf(written) ?? null;
      const local = pathOnOldSite ?? written;
      if (local === '' || local.startsWith('#')) return { kind: 'other' };
      if (pathOnOldSite === null && ABSOLUTE.test(written)) {
        const page = NOTION.test(written) ? finder.ofNotion(written.replace(/[?#].*$/s, '')) : undefined;
        return page === undefined ? { kind: 'other' } : { kind: 'article', path: page, anchor: '' };
      }
      return resolvePath(local, wanted, from, pathOnOldSite === null ? null : written);
    },
    /** Returns the file of the article that a generator's tag names, or null. */
    find: finder.named,
  };
}

/** Finds files that become articles. */
function createFinder(articles: ReadonlyMap<string, readonly string[]>) {
  const former = new Map<string, string>();
  for (const [path, addresses] of articles) for (const address of addresses) former.set(plain(address), path);
  const stems = namesOf(articles.keys());
  const pagesOfNotion = new Map(
    [...articles.keys()].flatMap((path) => notionIds(path).map((id) => [id, path])),
  );
  const ofNotion = (path: string): string | undefined =>
    notionIds(path)
      .map((id) => pagesOfNotion.get(id))
      .find((found) => found !== undefined);
  const at = (path: string): string | undefined => {
    const bare = path.replace(/\/+$/, '');
    const stem = bare.replace(DOCUMENT, '');
    const names = [bare, `${stem}.md`, `${stem}.markdown`, `${stem}.mdx`];
    for (const index of ['README', 'readme', 'index', '_index'])
      names.push(posix.join(stem, `${index}.md`), posix.join(stem, `${index}.mdx`));
    return names.find((name) => articles.has(name)) ?? former.get(plain(bare)) ?? ofNotion(bare);
  };
  const first = (paths: readonly string[]): string | undefined =>
    paths.map(at).find((found) => found !== undefined);
  const named = (name: string, from: string): string | null => {
    const bare = decodeAddress(name).replace(/^\/+|\/+$/g, '');
    const beside = posix.join(posix.dirname(from), bare);
    const places = [beside, ...POST_FOLDERS.map((each) => posix.join(each, bare))];
    return first(places) ?? stems.get(lastStem(bare)) ?? null;
  };
  return { first, named, ofNotion };
}

/** Returns the first of the pictures that exists. @param old address on the old site, if known */
function findImage(folder: Folder, paths: readonly string[], old: string | null): Destination {
  let leadsOut = false;
  for (const path of paths) {
    const found = folder.locate(path);
    if (typeof found === 'object')
      return { kind: 'image', path, absolute: found.absolute, bytes: found.stats.size };
    leadsOut ||= found === 'outside';
  }
  return { kind: leadsOut ? 'outside' : 'missing-image', old };
}

/** Returns Notion's id at the end of a path or address, if there is one. */
function notionIds(path: string): string[] {
  const [, id] = /(?:^|[ _/-])([0-9a-f]{32})$/.exec(path.replace(DOCUMENT, '')) ?? [];
  return id === undefined ? [] : [id];
}

/** Lists the files of the site only if a name is looked for. */
function createLazyNames(folder: Folder): Names {
  let names: Names | undefined;
  return { find: (name, from) => (names ??= createNames(folder.listSite())).find(name, from) };
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
  return inSite(paths, folder);
}

/** Returns the places of paths in the folders of the site that may hold them. */
function inSite(paths: readonly string[], folder: Folder): string[] {
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
