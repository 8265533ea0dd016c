/** Maximum length of a path to return to; percent-encoded again it still fits a URL. */
const MAX_PATH_CHARACTERS = 2000;
const BASE = 'https://own.invalid';

/**
 * Returns `asked` (`?redirect=`, decoded once) if it is a path of this site other than the sign-in pages,
 * else `fallback`. It is resolved first, because browsers read `//`, `/\`, tabs and dots as other hosts
 * (SECURITY.md 11).
 */
export function sameSitePath(asked: string | null | undefined, fallback = '/home'): string {
  if (!asked?.startsWith('/') || asked.length > MAX_PATH_CHARACTERS || /[\\\p{Cc}]/u.test(asked))
    return fallback;
  if (!URL.canParse(asked, BASE)) return fallback;
  const { origin, pathname, search, hash } = new URL(asked, BASE);
  // If decoded again, a leading slash or backslash would start a host.
  const isOwn = origin === BASE && !/^\/(\/|%2f|%5c)/i.test(pathname);
  return isOwn && !isSignPage(pathname) ? pathname + search + hash : fallback;
}

export const isSignPage = (pathname: string) => /^\/sign(in|up)\/?$/.test(pathname);

/** Returns the sign-in page that later returns to `path` of this site, unless that is too long. */
export function signInUrl(path: string): string {
  return path.length > MAX_PATH_CHARACTERS
    ? '/signin'
    : `/signin?redirect=${encodeURIComponent(path.toWellFormed())}`;
}
