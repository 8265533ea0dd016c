import { isSitePage } from '../../shared/pages/page-key.ts';
import { countCharacters } from '../../contract/rules/bounds.ts';
import { foldSlug, SLUG_BOUNDS, slugRule } from '../../contract/rules/slugs.ts';
import { isMadeFile } from '../../contract/rules/paths.ts';
import { PURGE_PATH } from '../../shared/purge-signature.ts';

/** Maximum UTF-8 bytes of a path: a PostgreSQL index entry holds at most 2,704. */
const MAX_PATH_BYTES = 2000;
/** Maximum characters of an address: three per byte if percent-encoded, plus a host. */
const MAX_ADDRESS_CHARACTERS = 3 * MAX_PATH_BYTES + 300;
const BASE = 'http://site.invalid';
/** Endings that name the same page: `/a`, `/a/`, `/a.html`, `/a/index.html`. */
const ENDING = /(?:\/index\.html?|\.html?|\/)+$/i;
const POST_NUMBER = /^[1-9]\d{0,17}$/;
/** Paths that the server answers besides pages and files. */
const SERVED = new RegExp(String.raw`^/(?:api|_[a-z-]+|healthz|metrics)(?:/|$)|^${PURGE_PATH}/?$`);

export type BadAddress = 'malformed' | 'query' | 'own';

/**
 * Returns the canonical spelling of a former address: decoded once, NFC, without a redundant ending
 * (`ENDING`). Keeps the case: old servers distinguished `/A` from `/a`. For the root it keeps the WordPress
 * post number, `/?p=12`. Null for an invalid address, and for the root without a post number.
 * @param address a path from the root or a full URL of the old site, percent-encoded or not
 */
export function canonicalPath(address: string): string | null {
  const read = readAddress(address);
  return read && (read.path === '' ? read.post : read.path);
}

/**
 * Returns the stored form of a former address, or why it cannot be one: pages of this site take precedence,
 * and queries other than WordPress's would be lost.
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

/**
 * Returns the first usable slug at the end of one of the addresses; '' without one. Numbers and ids are not
 * used: they say less than the title.
 * @param addresses as `canonicalPath` takes them, or slugs
 */
export function slugIn(addresses: readonly string[]): string {
  const slugs = addresses.map((address) => {
    const path = canonicalPath(address.includes('/') ? address : `/${address}`) ?? '';
    return foldSlug(path.slice(path.lastIndexOf('/') + 1));
  });
  return slugs.find((slug) => isSpoken(slug) && slugRule.accepts(slug)) ?? '';
}

const isSpoken = (slug: string): boolean =>
  /\p{L}/u.test(slug) && !/^[0-9a-f]{24}$/.test(slug) && countCharacters(slug) <= SLUG_BOUNDS[1];

/** Converts a stored path to an address: percent-encodes characters with a special meaning in URLs. */
export const addressOf = (path: string): string =>
  path.startsWith('/?') ? path : path.replace(/[%?#\\\s]/g, encodeURIComponent);

/** Addresses of slugs redirect where no article or page has the slug (src/pages/a, src/pages/p). */
const isOfSlug = (path: string): boolean => /^\/[ap]\//.test(path);
const isOwnPath = (path: string): boolean =>
  (isSitePage(path) && !isOfSlug(path)) || isMadeFile(path) || SERVED.test(path);

/** Splits an address; `path` is empty for the root. Null for an address that no browser could request. */
function readAddress(address: string): { path: string; post: string | null; hasQuery: boolean } | null {
  // `ENDING` takes quadratic time.
  if (address.length > MAX_ADDRESS_CHARACTERS) return null;
  const text = address.trim();
  const url = /^(?:\/|https?:\/\/)/i.test(text) ? URL.parse(text, BASE) : null;
  const decoded = url && decode(url.pathname);
  if (!decoded || /\p{Cc}/u.test(decoded)) return null;
  const path = decoded.normalize('NFC').replace(/\/+/g, '/').replace(ENDING, '');
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) return null;
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
