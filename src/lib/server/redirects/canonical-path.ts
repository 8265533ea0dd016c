import { isSitePage } from '../../blog/page-key.ts';
import { isMadeFile } from '../../contract/made-files.ts';
import { PURGE_PATH } from '../../purge-signature.ts';

/** Bytes of a path in UTF-8, at most: an index of PostgreSQL takes no more than 2,704. */
const LONGEST = 2000;
/** Characters of an address as it is written: three for each of those bytes, and a host. */
const LONGEST_ADDRESS = 3 * LONGEST + 300;
/** Any origin: only paths are read. */
const BASE = 'http://site.invalid';
/** What one place is written with in several ways: `/a`, `/a/`, `/a.html`, `/a/index.html`. */
const ENDING = /(?:\/index\.html?|\.html?|\/)+$/i;
/** The numbers that WordPress knows posts and pages by. */
const POST_NUMBER = /^[1-9]\d{0,17}$/;
/** What the server answers by itself, besides pages and files. */
const SERVED = new RegExp(String.raw`^/(?:api|_[a-z-]+|healthz|metrics)(?:/|$)|^${PURGE_PATH}/?$`);

/** Why an address cannot be a former one of an article. */
export type BadAddress = 'malformed' | 'query' | 'own';

/**
 * The one spelling of a former address: decoded once, NFC, without what stands at its end for the same place
 * (`ENDING`), in the case it was written in: old servers told `/A` from `/a`. Of the query it keeps what
 * WordPress finds a post by, `/?p=12`. Null where there is no address, or only that of the site.
 * @param address percent-encoded or not: a path from the root, or all of an address of the old site
 */
export function canonicalPath(address: string): string | null {
  const read = readAddress(address);
  return read && (read.path === '' ? read.post : read.path);
}

/**
 * The form in which a former address of an article is kept, or why it cannot be one: this site's own pages
 * answer for themselves, and a query other than WordPress's would be lost.
 * @param address as `canonicalPath` takes it
 */
export function formerPathOf(address: string): { path: string } | { problem: BadAddress } {
  const read = readAddress(address);
  if (!read) return { problem: 'malformed' };
  const { path, post, hasQuery } = read;
  if (path === '' && post !== null) return { path: post };
  if (hasQuery) return { problem: 'query' };
  return path === '' || isOwnPath(path) ? { problem: 'own' } : { path };
}

/** A kept path as an address: what would read as something else is percent-encoded. */
export const addressOf = (path: string): string =>
  path.startsWith('/?') ? path : path.replace(/[%?#\\\s]/g, encodeURIComponent);

/** Whether this site answers at a path, by a page or otherwise. */
const isOwnPath = (path: string): boolean => isSitePage(path) || isMadeFile(path) || SERVED.test(path);

/** An address in parts; `path` is empty for the root, null is none that a browser could ask for. */
function readAddress(address: string): { path: string; post: string | null; hasQuery: boolean } | null {
  // `ENDING` takes time by the square of what it looks at.
  if (address.length > LONGEST_ADDRESS) return null;
  const text = address.trim();
  const url = /^(?:\/|https?:\/\/)/i.test(text) ? URL.parse(text, BASE) : null;
  const decoded = url && decode(url.pathname);
  if (!decoded || /\p{Cc}/u.test(decoded)) return null;
  const path = decoded.normalize('NFC').replace(/\/+/g, '/').replace(ENDING, '');
  if (Buffer.byteLength(path) > LONGEST) return null;
  const number = url.searchParams.get('p') ?? url.searchParams.get('page_id') ?? '';
  return { path, post: POST_NUMBER.test(number) ? `/?p=${number}` : null, hasQuery: url.search !== '' };
}

function decode(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}
