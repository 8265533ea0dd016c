import { readClaims } from '../lib/client/token.ts';
import { isSameName } from '../lib/contract/names.ts';
import { sameSitePath } from '../lib/same-site-path.ts';
import type { Asked } from './sign-in-wall.ts';

/**
 * Where the sign-in and sign-up pages lead: `next` is a path of this site, `isSignedIn` says that whoever
 * asks needs no form. Both sides must agree on that (client/cookies.ts): whom the browser takes for a visitor
 * could never sign in if sent on from here.
 */
export function readSignPage({ cookies, url, locals }: Asked): { next: string; isSignedIn: boolean } {
  const value = (name: string) => cookies.get(name)?.value ?? '';
  const { viewer } = locals;
  const isWhole =
    viewer !== null && isSameName(viewer, value('user')) && readClaims(value('refreshToken')) !== null;
  return { next: sameSitePath(url.searchParams.get('redirect')), isSignedIn: isWhole };
}

/** The address of one of the two pages that leads to `next` in the end. */
export const signPageUrl = (page: '/signin' | '/signup', next: string): string =>
  next === sameSitePath(null) ? page : `${page}?redirect=${encodeURIComponent(next)}`;
