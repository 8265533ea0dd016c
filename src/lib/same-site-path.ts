/** Longest path followed or led back to: encoded once more it still fits a URL. */
const LONGEST = 2000;
const BASE = 'https://own.invalid';

/**
 * `asked` (`?redirect=`, decoded once) where it is a path of this site and no sign-in page, else `fallback`.
 * It is resolved first: browsers read `//`, `/\`, tabs and dots as other hosts (SECURITY.md 11).
 */
export function sameSitePath(asked: string | null | undefined, fallback = '/home'): string {
  if (!asked?.startsWith('/') || asked.length > LONGEST || /[\\\p{Cc}]/u.test(asked)) return fallback;
  if (!URL.canParse(asked, BASE)) return fallback;
  const { origin, pathname, search, hash } = new URL(asked, BASE);
  // A slash or backslash that somebody decodes once more would begin a host.
  const isOwn = origin === BASE && !/^\/(\/|%2f|%5c)/i.test(pathname);
  return isOwn && !isSignPage(pathname) ? pathname + search + hash : fallback;
}

/** Whether `pathname` is that of the sign-in or the sign-up page. */
export const isSignPage = (pathname: string) => /^\/sign(in|up)\/?$/.test(pathname);

/** The sign-in page that leads back to `path` of this site, unless that is too long. */
export function signInUrl(path: string): string {
  return path.length > LONGEST ? '/signin' : `/signin?redirect=${encodeURIComponent(path.toWellFormed())}`;
}
