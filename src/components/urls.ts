import { COMMENT_BOX_ID, commentId, COMMENTS_ID } from './ids.ts';

/**
 * Addresses of the pages (DESIGN.md §4), written and read in one place. Names and keywords are arbitrary text: `/`, `%`, `?`, `#`,
 * `+` and emoji travel percent-encoded.
 */

/** Longest search, in characters (CONTRACT.md gives no bound; the schema of searchpage allows as many). */
const MAX_KEYWORDS = 100;

/**
 * `text` as one path segment. A URL cannot carry `.` or `..` as a segment, however encoded: clients drop them. A trailing space
 * keeps them, and readers of a segment trim it; so the text itself must not depend on spaces at its ends.
 */
function toSegment(text: string): string {
  const encoded = encodeURIComponent(text.toWellFormed());
  return encoded === '.' || encoded === '..' ? `${encoded}%20` : encoded;
}

/**
 * The text after `prefix` in the path of `url`, decoded once and trimmed; null when it is not valid percent-encoded UTF-8.
 * Astro's own params are decoded again and again until nothing changes, which turns a search for `%2B` into one for `+`.
 */
export function readSegment(url: string, prefix: string): string | null {
  const { pathname } = new URL(url);
  const rest = pathname.startsWith(prefix) ? pathname.slice(prefix.length).replace(/\/$/, '') : '';
  try {
    return decodeURIComponent(rest).trim();
  } catch {
    return null;
  }
}

const paged = (path: string, page: number) => (page > 1 ? `${path}?page=${page}` : path);

/** The list of articles, or with `keywords` the search for them. */
export function homeUrl(keywords = '', page = 1): string {
  return paged(keywords === '' ? '/home' : `/home/${toSegment(keywords)}`, page);
}

/** An article by its 24-digit id. */
export const articleUrl = (id: string) => `/detail/${id}`;

/** The editor of an article. */
export const editUrl = (id: string) => `/edit/${id}`;

/** The comments of an article; what of its address follows `#` is an element of the page. */
export const commentsUrl = (articleId: string, page = 1) =>
  `${paged(articleUrl(articleId), page)}#${COMMENTS_ID}`;

/** One comment, shown and marked wherever in a long thread it stands. */
export const commentUrl = (articleId: string, id: string) => `${articleUrl(articleId)}#${commentId(id)}`;

/** The box under an article where comments are written. */
export const commentBoxUrl = (articleId: string) => `${articleUrl(articleId)}#${COMMENT_BOX_ID}`;

/** A tag and its articles. */
export const tagUrl = (name: string, page = 1) => paged(`/tag/detail/${toSegment(name)}`, page);

/** All tags. */
export const tagsUrl = (page = 1) => paged('/tag/list', page);

/** A user's profile. */
export const userUrl = (username: string, page = 1) => paged(`/user/info/${toSegment(username)}`, page);

/** An avatar: by file name, or by username where the file is not known (answers with nothing when there is none). */
export function avatarUrl(username: string, file?: string): string {
  return file === undefined
    ? `/api/file/avatar/user?username=${encodeURIComponent(username)}&optional=1`
    : `/api/file/${encodeURIComponent(file)}`;
}

/** `?page=` as a number from 1; what is no number is page 1. Pages beyond the last are the blog's to clamp. */
export function readPage(url: URL): number {
  const page = Math.trunc(Number(url.searchParams.get('page')));
  return page >= 1 && Number.isFinite(page) ? Math.min(page, 1_000_000) : 1;
}

/** Keywords as searched: white space run together, trimmed, cut after 100 characters, no control characters. */
export function cleanKeywords(text: string): string {
  const words = text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  return Array.from(words).slice(0, MAX_KEYWORDS).join('').trim();
}
