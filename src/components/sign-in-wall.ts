import type { AstroCookies } from 'astro';
import { signInUrl } from '../lib/same-site-path.ts';

/** What a page knows of whoever asks for it; `Astro` itself fits. */
export interface Asked {
  cookies: AstroCookies;
  url: URL;
  locals: App.Locals;
}

/**
 * Where a page for signed-in readers alone sends whoever is certainly a visitor: the sign-in page, which
 * leads back here.
 * @returns null when the page may be shown. Not only to a signed-in reader: an access token may have ended
 * while the refresh token lives, which the browser finds out. The page must hold nothing secret, and its
 * island goes to the sign-in page when `$session` is null.
 */
export function signInWall({ cookies, url, locals }: Asked): string | null {
  const mayBeSignedIn = locals.viewer !== null || hasRefreshToken(cookies);
  return mayBeSignedIn ? null : signInUrl(url.pathname + url.search);
}

/** Whether whoever seems a visitor may become a reader, by the browser exchanging its refresh token. */
export function maySignInAgain({ cookies, locals }: Pick<Asked, 'cookies' | 'locals'>): boolean {
  return locals.viewer === null && hasRefreshToken(cookies);
}

const hasRefreshToken = (cookies: AstroCookies) => (cookies.get('refreshToken')?.value ?? '') !== '';
