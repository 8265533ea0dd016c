import { readPage } from '../../components/urls.ts';
import { sitePages } from './page-list.ts';

/** Addresses of pages that may be kept, with or without a slash at the end. */
const KEPT_PAGES = new RegExp(
  `^(?:${sitePages.flatMap(({ path, isKept }) => (isKept ? [path.replaceAll(/\/:\w+/g, '(?:/[^/]+)')] : [])).join('|')})/?$`,
);
const LONGEST_KEY = 1024;
/** Any origin: only paths are read. */
const BASE = 'http://site.invalid';

/** What a kept page depends on of a request's `url`, path and page (DESIGN.md §6); null if never kept. */
export function keyOf(url: string): string | null {
  const [path = ''] = url.split('?', 1);
  if (!KEPT_PAGES.test(path) || url.length > LONGEST_KEY) return null;
  const parsed = URL.parse(url, BASE);
  // A path that a URL writes otherwise (dots, backslashes, odd characters) is rare, and one page must not
  // have many keys.
  if (parsed?.pathname !== path) return null;
  if (parsed.search === '') return path;
  // The search form's own address, which redirects.
  if (parsed.searchParams.has('keywords')) return null;
  const page = readPage(parsed);
  return page > 1 ? `${path}?page=${page}` : path;
}
