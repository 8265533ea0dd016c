import type { CommentOrder } from '../lib/contract/bounds.ts';
import { COMMENT_BOX_ID, commentId, COMMENTS_ID } from './ids.ts';

/** Addresses of the pages (DESIGN.md §4). Names and keywords are arbitrary text: see `toSafe`. */

/** Longest search, in characters (CONTRACT.md gives no bound; the schema of searchpage allows as many). */
const MAX_KEYWORDS = 100;

/** Longest name of a tag or an author, in characters. */
const MAX_NAME = 30;

/**
 * What no path can carry through every server and proxy, encoded or not: a proxy that decodes once too often
 * reads another path, many refuse `%2F`, and clients drop the segments `.` and `..` in any spelling. Astro
 * decodes until nothing changes and knows no path with a line break.
 */
const UNSAFE = /[%/\\?#\p{Cc}\u2028\u2029]|^\.{1,2}$/u;
const ESCAPE = '~';
const ESCAPED_BYTES = /(?:~[0-9A-F]{2})+/g;
const TO_ESCAPE = new RegExp(`${UNSAFE.source}|${ESCAPE}`, 'gu');

/** Whether `text` cannot stand for itself: it is unsafe, or reads like another text that is. */
const isUnsafe = (text: string) =>
  UNSAFE.test(text) || (text.startsWith(ESCAPE) && text.slice(1).search(ESCAPED_BYTES) !== -1);

const escapeBytes = (text: string) =>
  Array.from(
    new TextEncoder().encode(text),
    (byte) => ESCAPE + byte.toString(16).toUpperCase().padStart(2, '0'),
  ).join('');
const escapeAll = (text: string) => ESCAPE + text.replace(TO_ESCAPE, escapeBytes);

/**
 * `text` without what is unsafe: `~`, then `~` and two hexadecimal digits for each byte of those characters,
 * `a/b` is `~a~2Fb`. To normalisers `~` is the same in any spelling (RFC 3986 §2.3). Any other text stays.
 */
const toSafe = (text: string): string => (isUnsafe(text) ? escapeAll(text) : text);

/** The text that `toSafe` makes `safe` of. What it makes of none stands for itself: older addresses do. */
function fromSafe(safe: string): string {
  if (!safe.startsWith(ESCAPE)) return safe;
  try {
    const bytesToText = (bytes: string) => decodeURIComponent(bytes.replaceAll(ESCAPE, '%'));
    const text = safe.slice(1).replace(ESCAPED_BYTES, bytesToText);
    return isUnsafe(text) && escapeAll(text) === safe ? text : safe;
  } catch {
    return safe;
  }
}

/** `text` as one path segment. Readers trim a segment, so spaces at its ends must not matter. */
const toSegment = (text: string): string => encodeURIComponent(toSafe(text.toWellFormed()));

/** The text after `prefix` in a path, decoded once; null when it is not valid percent-encoded UTF-8. */
function decodeSegment(pathname: string, prefix: string): string | null {
  const rest = pathname.startsWith(prefix) ? pathname.slice(prefix.length).replace(/\/$/, '') : '';
  try {
    return decodeURIComponent(rest);
  } catch {
    return null;
  }
}

/**
 * The text after `prefix` in the path of `url`, trimmed; null when it is not valid percent-encoded UTF-8.
 * Astro's own params are decoded again and again until nothing changes, which turns a search for `%2B` into
 * one for `+`.
 */
export function readSegment(url: string, prefix: string): string | null {
  const text = decodeSegment(new URL(url).pathname, prefix);
  return text === null ? null : fromSafe(text).trim();
}

function isEncoded(pathname: string): boolean {
  try {
    // The result is looked at: a build drops a call of `decodeURI` whose result nobody needs.
    return decodeURI(pathname) !== '';
  } catch {
    return false;
  }
}

/** Pages whose address ends in a text. */
const TEXT_PAGES = ['/home/', '/tag/detail/', '/user/info/', '/archive/user/'];

/**
 * The path under which a page is found: `pathname` itself, or for a text that an address of ours writes
 * otherwise that address; null when it is not valid percent-encoded UTF-8.
 * @param pathname of a URL, percent-encoded
 */
export function findablePath(pathname: string): string | null {
  if (!isEncoded(pathname)) return null;
  const prefix = TEXT_PAGES.find((start) => pathname.startsWith(start));
  if (prefix === undefined) return pathname;
  const text = decodeSegment(pathname, prefix);
  if (text === null) return null;
  const known = fromSafe(text).trim();
  return toSafe(known) === text ? pathname : prefix + toSegment(known);
}

/** What a search is narrowed to, and whether the newest hits come first. */
export interface Narrowing {
  author?: string | undefined;
  tag?: string | undefined;
  byTime?: boolean;
}

/** The part of a page's address that says which part of its list is shown, in which order. */
export function listQuery(
  page: number,
  order: CommentOrder = 'newest',
  { author, tag, byTime = false }: Narrowing = {},
): string {
  const query = new URLSearchParams();
  if (author !== undefined) query.set('author', author);
  if (tag !== undefined) query.set('tag', tag);
  if (byTime) query.set('sort', 'time');
  if (order !== 'newest') query.set('sort', order);
  if (page > 1) query.set('page', String(page));
  return query.size > 0 ? `?${query.toString()}` : '';
}

const paged = (path: string, page: number) => path + listQuery(page);

/** The list of articles, or with `keywords` the search for them. */
export function homeUrl(keywords = '', page = 1, narrowing: Narrowing = {}): string {
  if (keywords === '') return paged('/home', page);
  return `/home/${toSegment(keywords)}${listQuery(page, 'newest', narrowing)}`;
}

/** An article by its 24-digit id. */
export const articleUrl = (id: string) => `/detail/${id}`;

/** The editor of an article. */
export const editUrl = (id: string) => `/edit/${id}`;

/** The editor of an article with its earlier texts. */
export const historyUrl = (id: string) => `${editUrl(id)}?history`;

/** The comments of an article; what of its address follows `#` is an element of the page. */
export const commentsUrl = (articleId: string, page = 1, order?: CommentOrder) =>
  `${articleUrl(articleId)}${listQuery(page, order)}#${COMMENTS_ID}`;

/** One comment, shown and marked wherever in a long thread it stands. */
export const commentUrl = (articleId: string, id: string, page = 1) =>
  `${paged(articleUrl(articleId), page)}#${commentId(id)}`;

/** A comment's lasting address, which leads to `commentUrl` with its page of then: without script too. */
export const commentLink = (articleId: string, id: string) => `${articleUrl(articleId)}/comment/${id}`;

/** The box under an article where comments are written. */
export const commentBoxUrl = (articleId: string) => `${articleUrl(articleId)}#${COMMENT_BOX_ID}`;

/** A tag and its articles. */
export const tagUrl = (name: string, page = 1) => paged(`/tag/detail/${toSegment(name)}`, page);

/** All tags. */
export const tagsUrl = (page = 1) => paged('/tag/list', page);

/** A series and its articles. */
export const seriesUrl = (id: string) => `/series/${id}`;

/** The site's articles by time: all months, or the articles of a year or of a month of it. */
export function archiveUrl({ year, month }: { year?: number; month?: number } = {}, page = 1): string {
  const parts = [year, month].filter((part) => part !== undefined);
  return paged(['/archive', ...parts].join('/'), page);
}

/** All of a user's articles by time. */
export const userArchiveUrl = (username: string, page = 1) =>
  paged(`/archive/user/${toSegment(username)}`, page);

/** A user's profile. */
export const userUrl = (username: string, page = 1) => paged(`/user/info/${toSegment(username)}`, page);

/** What feeds there are of: the site, or what one of these names; a series by its id. */
export type FeedSubject = { kind: 'site' } | { kind: 'user' | 'tag' | 'series'; name: string };

/** The formats of a feed, by the name of its file. */
export const FEED_FILES = { rss: 'feed.xml', atom: 'atom.xml', json: 'feed.json' } as const;
export type FeedFormat = keyof typeof FEED_FILES;

/** A feed. A name is a segment of its own, so that whatever it holds nothing else reads like it. */
export const feedUrl = (subject: FeedSubject, format: FeedFormat): string =>
  subject.kind === 'site'
    ? `/${FEED_FILES[format]}`
    : `/feed/${subject.kind}/${toSegment(subject.name)}/${FEED_FILES[format]}`;

/** The feed at an address that `feedUrl` writes for a user, tag or series; null for any other. */
export function readFeed(url: string): { subject: FeedSubject; format: FeedFormat } | null {
  const [, , kind, segment = '', file, ...rest] = new URL(url).pathname.split('/');
  const format = (Object.keys(FEED_FILES) as FeedFormat[]).find((each) => FEED_FILES[each] === file);
  const name = fromSafe(decodeSegment(segment, '') ?? '').trim();
  if (!format || name === '' || rest.length > 0) return null;
  return kind === 'user' || kind === 'tag' || kind === 'series' ? { subject: { kind, name }, format } : null;
}

/** An article's source, with front matter. */
export const sourceUrl = (id: string) => `/detail/${id}.md`;

/** A file of the sitemap. */
export const sitemapUrl = (kind: string, part: number) => `/sitemap/${kind}-${part}.xml`;

/** An avatar, by file name or else by username (answers with nothing when there is none). */
export function avatarUrl(username: string, file?: string): string {
  return file === undefined
    ? `/api/file/avatar/user?username=${encodeURIComponent(username)}&optional=1`
    : `/api/file/${encodeURIComponent(file)}`;
}

/** `?page=` as a number from 1; what is no number is page 1. The blog clamps pages beyond the last. */
export function readPage(url: URL): number {
  const page = Math.trunc(Number(url.searchParams.get('page')));
  return page >= 1 && Number.isFinite(page) ? Math.min(page, 1_000_000) : 1;
}

/** `?sort=` of an article's page: the order of its comments. */
export const readOrder = (url: URL): CommentOrder =>
  url.searchParams.get('sort') === 'oldest' ? 'oldest' : 'newest';

/** What narrows the search whose page `url` is; nothing elsewhere. Names that nobody can have are none. */
export function readNarrowing({ pathname, searchParams }: URL): Narrowing {
  if (!/^\/home\/[^/]/.test(pathname)) return {};
  const nameIn = (parameter: string): string | undefined => {
    const name = cleanKeywords(searchParams.get(parameter) ?? '');
    return name === '' || Array.from(name).length > MAX_NAME ? undefined : name;
  };
  return { author: nameIn('author'), tag: nameIn('tag'), byTime: searchParams.get('sort') === 'time' };
}

/** Keywords as searched: white space run together, trimmed, cut after 100 characters, no controls. */
export function cleanKeywords(text: string): string {
  const words = text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  return Array.from(words).slice(0, MAX_KEYWORDS).join('').trim();
}

/** The page on which a reader reports something; `id` is a name where it is a user's. */
export const reportUrl = (kind: 'article' | 'comment' | 'user', id: string): string =>
  `/report?${new URLSearchParams({ kind, id }).toString()}`;
