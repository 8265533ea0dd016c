import { COMMENT_BOX_ID } from './ids.ts';
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

/** Why somebody who wants to see a page is asked to sign in, by how its path begins. */
const REASONS: readonly [start: RegExp, reason: string][] = [
  [/^\/write\b/, '登录后就可以写文章。'],
  [/^\/edit\//, '登录后继续编辑这篇文章。'],
  [/^\/user\/settings\b/, '登录后设置自己的账号。'],
  [/^\/user\/(?!info\/)/, '登录后查看自己写的文章。'],
  [/^\/admin\b/, '登录后管理网站。'],
  [/^\/report\b/, '登录后就可以举报。'],
  [/^\/comment\//, '登录后查看自己的留言。'],
  [new RegExp(`^/detail/.*#${COMMENT_BOX_ID}$`), '登录后就可以评论和回复。'],
];

/** Why one is asked to sign in on the way to `next`, a path; empty where everybody may see the page. */
export const reasonToSignIn = (next: string): string =>
  REASONS.find(([start]) => start.test(next))?.[1] ?? '';
