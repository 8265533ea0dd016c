import { COMMENT_ORDERS, type CommentOrder } from '../contract/rules/bounds.ts';
import { COMMENT_BOX_ID, commentId, COMMENTS_ID } from './ids.ts';

/** Addresses of the pages (docs/pages.md). Names and keywords are arbitrary text, see `toSafe`. */

/** Maximum characters of a search. CONTRACT.md gives no limit; the schema of searchpage has the same. */
const MAX_KEYWORDS_CHARACTERS = 100;

/** Maximum characters of a tag's or author's name. */
const MAX_NAME_CHARACTERS = 30;

/**
 * Text that cannot pass through every server and proxy in a path, even encoded: a proxy that decodes twice
 * changes the path, many refuse `%2F`, and clients remove the segments `.` and `..` in any encoding. Astro
 * decodes repeatedly and does not match paths with line breaks.
 */
const UNSAFE = /[%/\\?#\p{Cc}\u2028\u2029]|^\.{1,2}$/u;
const ESCAPE = '~';
const ESCAPED_BYTES = /(?:~[0-9A-F]{2})+/g;
const TO_ESCAPE = new RegExp(`${UNSAFE.source}|${ESCAPE}`, 'gu');

const isUnsafe = (text: string) =>
  UNSAFE.test(text) || (text.startsWith(ESCAPE) && text.slice(1).search(ESCAPED_BYTES) !== -1);

const escapeBytes = (text: string) =>
  Array.from(
    new TextEncoder().encode(text),
    (byte) => ESCAPE + byte.toString(16).toUpperCase().padStart(2, '0'),
  ).join('');
const escapeAll = (text: string) => ESCAPE + text.replace(TO_ESCAPE, escapeBytes);

/**
 * Escapes unsafe text: a `~`, then `~` and two hexadecimal digits for each byte of the unsafe characters;
 * `a/b` becomes `~a~2Fb`. URL normalisation does not change `~` (RFC 3986 §2.3). Other text is unchanged.
 */
const toSafe = (text: string): string => (isUnsafe(text) ? escapeAll(text) : text);

/**
 * Reverses `toSafe`. Text that `toSafe` never produces is returned unchanged, because older addresses have
 * it.
 */
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

/** Encodes `text` as one path segment. Readers trim segments, so outer spaces must not matter. */
const toSegment = (text: string): string => encodeURIComponent(toSafe(text.toWellFormed()));

/** Returns the text after `prefix` in a path, decoded once; null if it is not valid percent-encoded UTF-8. */
function decodeSegment(pathname: string, prefix: string): string | null {
  const rest = pathname.startsWith(prefix) ? pathname.slice(prefix.length).replace(/\/$/, '') : '';
  try {
    return decodeURIComponent(rest);
  } catch {
    return null;
  }
}

/**
 * Returns the text after `prefix` in the path of `url`, trimmed; null if it is not valid percent-encoded
 * UTF-8. Astro decodes its params repeatedly, which turns a search for `%2B` into one for `+`.
 */
export function readSegment(url: string, prefix: string): string | null {
  const text = decodeSegment(new URL(url).pathname, prefix);
  return text === null ? null : fromSafe(text).trim();
}

function isEncoded(pathname: string): boolean {
  try {
    // The result is used, because the build removes calls of `decodeURI` whose result is unused.
    return decodeURI(pathname) !== '';
  } catch {
    return false;
  }
}

const TEXT_PAGES = ['/p/', '/home/', '/tag/detail/', '/user/info/', '/user/activity/', '/archive/user/'];

/**
 * Returns the path that Astro can match: `pathname`, or the canonical path of a text that has another
 * spelling; null if it is not valid percent-encoded UTF-8.
 * @param pathname percent-encoded path of a URL
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

export interface Narrowing {
  author?: string | undefined;
  tag?: string | undefined;
  byTime?: boolean;
}

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

export function homeUrl(keywords = '', page = 1, narrowing: Narrowing = {}): string {
  if (keywords === '') return paged('/home', page);
  return `/home/${toSegment(keywords)}${listQuery(page, 'newest', narrowing)}`;
}

/**
 * Returns the address of an article in the form that the site has chosen: with its `address` if there is one
 * (contract/entities.ts), else with its id. `/detail/{id}` is served in either case. The `address` of a
 * page is its whole path.
 */
export function articleUrl(id: string, address = ''): string {
  if (address.startsWith('/')) return address;
  return address === '' ? `/detail/${id}` : `/a/${encodeURIComponent(address)}`;
}

/** The field `address` of an article in answers, absent where it is ''. */
export const addressField = ({ address }: { address: string }) => (address === '' ? {} : { address });

export const pageUrl = (slug: string) => `/p/${toSegment(slug)}`;

export const friendsUrl = () => '/friends';

/** @param before cursor of older articles */
export const circleUrl = (before = '') => (before === '' ? '/friends/circle' : `/friends/circle/${before}`);

/** Articles of friends as a feed, and their feeds as a list for feed readers. */
export const CIRCLE_FEED = '/friends/circle.xml';
export const OPML = '/friends.opml';

export const editUrl = (id: string) => `/edit/${id}`;

export const historyUrl = (id: string) => `${editUrl(id)}?history`;

/** @param article path of the article */
export const commentsUrl = (article: string, page = 1, order?: CommentOrder) =>
  `${article}${listQuery(page, order)}#${COMMENTS_ID}`;

/** Returns the address of a comment on a given page of the thread. */
export const commentUrl = (articleId: string, id: string, page = 1, address = '') =>
  `${paged(articleUrl(articleId, address), page)}#${commentId(id)}`;

/**
 * Returns the permanent address of a comment, which redirects to `commentUrl` with the current page, also
 * without JavaScript.
 */
export const commentLink = (articleId: string, id: string) => `${articleUrl(articleId)}/comment/${id}`;

/** @param article path of the article */
export const commentBoxUrl = (article: string) => `${article}#${COMMENT_BOX_ID}`;

export const tagUrl = (name: string, page = 1) => paged(`/tag/detail/${toSegment(name)}`, page);

export const tagsUrl = (page = 1) => paged('/tag/list', page);

export const seriesUrl = (id: string) => `/series/${id}`;

export function archiveUrl({ year, month }: { year?: number; month?: number } = {}, page = 1): string {
  const parts = [year, month].filter((part) => part !== undefined);
  return paged(['/archive', ...parts].join('/'), page);
}

export const userArchiveUrl = (username: string, page = 1) =>
  paged(`/archive/user/${toSegment(username)}`, page);

export const userActivityUrl = (username: string, page = 1) =>
  paged(`/user/activity/${toSegment(username)}`, page);

export const userUrl = (username: string, page = 1) => paged(`/user/info/${toSegment(username)}`, page);

/** Subject of a feed: the site, or a user, tag or series (by id). */
export type FeedSubject = { kind: 'site' } | { kind: 'user' | 'tag' | 'series'; name: string };

export const FEED_FILES = { rss: 'feed.xml', atom: 'atom.xml', json: 'feed.json' } as const;
export type FeedFormat = keyof typeof FEED_FILES;

/**
 * Returns the address of a feed. The name is a separate segment, so it cannot be confused with other parts.
 */
export const feedUrl = (subject: FeedSubject, format: FeedFormat): string =>
  subject.kind === 'site'
    ? `/${FEED_FILES[format]}`
    : `/feed/${subject.kind}/${toSegment(subject.name)}/${FEED_FILES[format]}`;

/** Parses an address from `feedUrl` for a user, tag or series; null for others. */
export function readFeed(url: string): { subject: FeedSubject; format: FeedFormat } | null {
  const [, , kind, segment = '', file, ...rest] = new URL(url).pathname.split('/');
  const format = (Object.keys(FEED_FILES) as FeedFormat[]).find((each) => FEED_FILES[each] === file);
  const name = fromSafe(decodeSegment(segment, '') ?? '').trim();
  if (!format || name === '' || rest.length > 0) return null;
  return kind === 'user' || kind === 'tag' || kind === 'series' ? { subject: { kind, name }, format } : null;
}

export const sourceUrl = (id: string) => `/detail/${id}.md`;

export const sitemapUrl = (kind: string, part: number) => `/sitemap/${kind}-${part}.xml`;

/**
 * Returns the address of an avatar, by file name or else by username (the response is empty if there is
 * none).
 */
export function avatarUrl(username: string, file?: string): string {
  return file === undefined
    ? `/api/file/avatar/user?username=${encodeURIComponent(username)}&optional=1`
    : `/api/file/${encodeURIComponent(file)}`;
}

/** Returns `?page=` as a number from 1, by default 1. The blog clamps pages beyond the last. */
export function readPage(url: URL): number {
  const page = Math.trunc(Number(url.searchParams.get('page')));
  return page >= 1 && Number.isFinite(page) ? Math.min(page, 1_000_000) : 1;
}

export const readOrder = (url: URL): CommentOrder =>
  COMMENT_ORDERS.find((order) => order === url.searchParams.get('sort')) ?? 'newest';

/** Reads the filters of a search page; none on other pages. Names that are too long are ignored. */
export function readNarrowing({ pathname, searchParams }: URL): Narrowing {
  if (!/^\/home\/[^/]/.test(pathname)) return {};
  const nameIn = (parameter: string): string | undefined => {
    const name = cleanKeywords(searchParams.get(parameter) ?? '');
    return name === '' || Array.from(name).length > MAX_NAME_CHARACTERS ? undefined : name;
  };
  return { author: nameIn('author'), tag: nameIn('tag'), byTime: searchParams.get('sort') === 'time' };
}

/** Normalises keywords: collapses white space, removes controls, trims, cuts after 100 characters. */
export function cleanKeywords(text: string): string {
  const words = text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  return Array.from(words).slice(0, MAX_KEYWORDS_CHARACTERS).join('').trim();
}

export const reportUrl = (kind: 'article' | 'comment' | 'user', id: string): string =>
  `/report?${new URLSearchParams({ kind, id }).toString()}`;
