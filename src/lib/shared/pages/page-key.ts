import { listQuery, readNarrowing, readOrder, readPage } from '../urls.ts';
import { sitePages, type SitePage } from '../../contract/rules/page-list.ts';

const patternOf = ({ path }: SitePage) => path.replaceAll('.', '\\.').replaceAll(/\/:\w+/g, '(?:/[^/]+)');

/** Matches the paths of pages, with or without a trailing slash. */
const matcherOf = (pages: readonly SitePage[]) => new RegExp(`^(?:${pages.map(patternOf).join('|')})/?$`);

const PAGES = matcherOf(sitePages);
const CACHED_PAGES = matcherOf(sitePages.filter(({ isCached }) => isCached));
const OWN_PAGES = matcherOf(sitePages.filter((page) => page.isForSignedIn));
const DOCUMENTS = matcherOf(sitePages.filter(({ isDocument }) => isDocument));
const ORDERED_PAGES = matcherOf(sitePages.filter(({ hasOrder }) => hasOrder));
const MAX_KEY_CHARACTERS = 1024;
/** Placeholder origin; only paths are compared. */
const BASE = 'http://site.invalid';

export const isSitePage = (path: string): boolean => PAGES.test(path);

export const isForSignedIn = (path: string): boolean => OWN_PAGES.test(path);

/** Whether a page shows visitors the content of the site, and no form of an account. */
export const isForReaders = (path: string): boolean => CACHED_PAGES.test(path);

export const isDocument = (path: string): boolean => DOCUMENTS.test(path);

/** Returns the query parameters that affect a page, in canonical form; '' for the first page of a list. */
export const shownQuery = (url: URL): string =>
  listQuery(readPage(url), ORDERED_PAGES.test(url.pathname) ? readOrder(url) : 'newest', readNarrowing(url));

/**
 * Whether a request asks for the page without the look and style sheet of the operator. Only staff get it,
 * and the cache key does not contain it.
 */
export const asksPlainLook = (url: string): boolean =>
  url.includes('look=plain') && URL.parse(url, BASE)?.searchParams.get('look') === 'plain';

/** Returns the cache key of a request: its path and `shownQuery`; null if it is not cached. */
export function keyOf(url: string): string | null {
  const [path = ''] = url.split('?', 1);
  if (!CACHED_PAGES.test(path) || url.length > MAX_KEY_CHARACTERS) return null;
  const parsed = URL.parse(url, BASE);
  // Paths that the URL parser normalises (dots, backslashes, unusual characters) are rare. Caching them would
  // give a page several keys.
  if (parsed?.pathname !== path) return null;
  if (parsed.search === '' || isDocument(path)) return path;
  // The search form submits here and is redirected.
  if (parsed.searchParams.has('keywords')) return null;
  // Narrowed searches are rarely repeated and would evict popular pages.
  const { author, tag } = readNarrowing(parsed);
  if (author !== undefined || tag !== undefined) return null;
  return path + shownQuery(parsed);
}
