import type { AstroCookies, AstroGlobal } from 'astro';
import { may, type Role } from '../../lib/contract/rules/permissions.ts';
import { CONSOLE_PAGES, type ConsolePath } from '../../lib/contract/rules/page-list.ts';
import { signInUrl } from '../../lib/shared/same-site-path.ts';

export interface PageContext {
  cookies: AstroCookies;
  url: URL;
  locals: App.Locals;
}

type GuardedPage = PageContext & Pick<AstroGlobal, 'redirect' | 'response'>;

/**
 * Keeps a page for signed-in readers out of caches, and redirects to the sign-in page, which later returns
 * here, if the request is certainly from a visitor.
 * @returns null if the page may be shown. The reader may still not be signed in: the access token may have
 * expired while the refresh token is valid, which only the browser can check. The page must contain nothing
 * secret, and its island opens the sign-in page when `$session` is null.
 */
export function signInWall({ cookies, url, locals, redirect, response }: GuardedPage): Response | null {
  response.headers.set('Cache-Control', 'private, no-store');
  return isVisitor({ cookies, locals }) ? redirect(signInUrl(url.pathname + url.search), 302) : null;
}

/** Whether a request is certainly from a visitor. */
export const isVisitor = ({ cookies, locals }: Pick<PageContext, 'cookies' | 'locals'>): boolean =>
  locals.viewer === null && !hasRefreshToken(cookies);

/** Whether an apparent visitor may be signed in after the browser exchanges its refresh token. */
export function maySignInAgain({ cookies, locals }: Pick<PageContext, 'cookies' | 'locals'>): boolean {
  return locals.viewer === null && hasRefreshToken(cookies);
}

const hasRefreshToken = (cookies: AstroCookies) => (cookies.get('refreshToken')?.value ?? '') !== '';

/**
 * Guards a console page. Visitors must sign in; readers without its permission are redirected to /404.
 * @returns the page's path and the reader's role, or the response to return from the page
 */
export async function openConsolePage(
  astro: GuardedPage & Pick<AstroGlobal, 'rewrite'>,
  path: ConsolePath,
): Promise<{ path: ConsolePath; role: Role } | Response> {
  const wall = signInWall(astro);
  if (wall) return wall;
  if (maySignInAgain(astro)) return astro.rewrite('/session-gate');
  const role = await astro.locals.blog.readRole();
  const { permission } = CONSOLE_PAGES[path];
  return role !== null && may(role, permission) ? { path, role } : astro.redirect('/404', 302);
}
