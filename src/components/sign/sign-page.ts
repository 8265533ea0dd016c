import { COMMENT_BOX_ID } from '../../lib/shared/ids.ts';
import { readClaims } from '../../lib/shared/token.ts';
import { isSameName } from '../../lib/contract/rules/names.ts';
import { sameSitePath } from '../../lib/shared/same-site-path.ts';
import type { PageContext } from './sign-in-wall.ts';

/**
 * Reads the state of the sign-in and sign-up pages: `next` is a path of this site; `isSignedIn` means that no
 * form is needed. The browser (client/cookies.ts) must agree on that: redirecting a reader whom it considers
 * a visitor would make signing in impossible.
 */
export function readSignPage({ cookies, url, locals }: PageContext): { next: string; isSignedIn: boolean } {
  const value = (name: string) => cookies.get(name)?.value ?? '';
  const { viewer } = locals;
  const isWhole =
    viewer !== null && isSameName(viewer, value('user')) && readClaims(value('refreshToken')) !== null;
  return { next: sameSitePath(url.searchParams.get('redirect')), isSignedIn: isWhole };
}

/** Returns the address of one of the two pages that finally opens `next`. */
export const signPageUrl = (page: '/signin' | '/signup', next: string): string =>
  next === sameSitePath(null) ? page : `${page}?redirect=${encodeURIComponent(next)}`;

const REASONS: readonly [start: RegExp, reason: string][] = [
  [/^\/write\b/, '登录后就可以写文章。'],
  [/^\/edit\//, '登录后继续编辑这篇文章。'],
  [/^\/user\/settings\b/, '登录后设置自己的账号。'],
  [/^\/user\/(?!info\/)/, '登录后查看自己写的文章。'],
  [/^\/admin\b/, '登录后管理网站。'],
  [/^\/report\b/, '登录后就可以举报。'],
  [/^\/comment\//, '登录后查看自己的留言。'],
  [new RegExp(`^/(?:detail|a)/.*#${COMMENT_BOX_ID}$`), '登录后就可以评论和回复。'],
];

/** Returns why the path `next` requires signing in; empty if it does not. */
export const reasonToSignIn = (next: string): string =>
  REASONS.find(([start]) => start.test(next))?.[1] ?? '';
