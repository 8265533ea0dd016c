import { listQuery, readNarrowing, readOrder, readPage } from '../../components/urls.ts';
import { sitePages, type SitePage } from './page-list.ts';

const patternOf = ({ path }: SitePage) => path.replaceAll('.', '\\.').replaceAll(/\/:\w+/g, '(?:/[^/]+)');

/** Addresses of some pages, with or without a slash at the end. */
const matcherOf = (pages: readonly SitePage[]) => new RegExp(`^(?:${pages.map(patternOf).join('|')})/?$`);

const PAGES = matcherOf(sitePages);
const KEPT_PAGES = matcherOf(sitePages.filter(({ isKept }) => isKept));
const OWN_PAGES = matcherOf(sitePages.filter((page) => page.isForSignedIn));
const DOCUMENTS = matcherOf(sitePages.filter(({ isDocument }) => isDocument));
const ORDERED_PAGES = matcherOf(sitePages.filter(({ hasOrder }) => hasOrder));
const LONGEST_KEY = 1024;
/** Any origin: only paths are read. */
const BASE = 'http://site.invalid';

/** Whether there is a page of the site at a path, whatever it shows. */
export const isSitePage = (path: string): boolean => PAGES.test(path);

/** Whether the page at a path is of use to signed-in readers alone. */
export const isForSignedIn = (path: string): boolean => OWN_PAGES.test(path);

/** Whether what is at a path is for programs, which ask again and again. */
export const isDocument = (path: string): boolean => DOCUMENTS.test(path);

/** What of a page's query chooses what it shows, in one spelling; '' for the first page as it is. */
export const shownQuery = (url: URL): string =>
  listQuery(readPage(url), ORDERED_PAGES.test(url.pathname) ? readOrder(url) : 'newest', readNarrowing(url));

/**
 * What a kept page depends on of a request's `url`: path and `shownQuery` (DESIGN.md §6); null if never
 * kept.
 */
export function keyOf(url: string): string | null {
  const [path = ''] = url.split('?', 1);
  if (!KEPT_PAGES.test(path) || url.length > LONGEST_KEY) return null;
  const parsed = URL.parse(url, BASE);
  // A path that a URL writes otherwise (dots, backslashes, odd characters) is rare, and one page must not
  // have many keys.
  if (parsed?.pathname !== path) return null;
  if (parsed.search === '' || isDocument(path)) return path;
  // The search form's own address, which redirects.
  if (parsed.searchParams.has('keywords')) return null;
  // So many searches for names nobody repeats would push out pages that many read.
  const { author, tag } = readNarrowing(parsed);
  if (author !== undefined || tag !== undefined) return null;
  return path + shownQuery(parsed);
}
