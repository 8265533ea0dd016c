/**
 * Longest path that is followed or led back to: encoded once more it still fits a URL that the server takes.
 */
const LONGEST = 2000;
const BASE = 'https://own.invalid';

/**
 * `asked` where it is a path of this site, otherwise `fallback`. Browsers read `//`, `/\`, tabs and dots in
 * ways that lead to other hosts (SECURITY.md 11), so the path is resolved first and judged as what it became.
 * Query and fragment are kept.
 * @param asked what stands in `?redirect=`, decoded once. The sign-in pages themselves are no place to lead
 * back to
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

/**
 * The sign-in page that leads back to `path` (of this site, with query and fragment); one too long is not led
 * back to.
 */
export function signInUrl(path: string): string {
  return path.length > LONGEST ? '/signin' : `/signin?redirect=${encodeURIComponent(path.toWellFormed())}`;
}
