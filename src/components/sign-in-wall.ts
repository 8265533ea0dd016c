import type { AstroCookies, AstroGlobal } from 'astro';
import { may, type Permission, type Role } from '../lib/contract/permissions.ts';
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

/**
 * Who may open a page of the console: whoever's role has `permission`. To others it is not there, and a
 * visitor is asked to sign in.
 * @returns the reader's role, or what is answered in the page's place
 */
export async function staffOnly(
  astro: Pick<AstroGlobal, 'cookies' | 'url' | 'locals' | 'redirect' | 'rewrite' | 'response'>,
  permission: Permission,
): Promise<Role | Response> {
  astro.response.headers.set('Cache-Control', 'private, no-store');
  const wall = signInWall(astro);
  if (wall) return astro.redirect(wall, 302);
  if (maySignInAgain(astro)) return astro.rewrite('/session-gate');
  const role = await astro.locals.blog.readRole();
  return role !== null && may(role, permission) ? role : astro.redirect('/404', 302);
}
