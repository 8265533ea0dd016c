import { describe, expect, test } from 'vitest';
import { readSignPage, reasonToSignIn, signPageUrl } from '../../../../src/components/sign/sign-page.ts';
import type { PageContext } from '../../../../src/components/sign/sign-in-wall.ts';

const TOKEN = `e30.${Buffer.from('{}').toString('base64url')}.x`;

/** A request for the sign-in page with these cookies; `viewer` is the account of the access token. */
function asking(viewer: string | null, cookies: Record<string, string>, search = ''): PageContext {
  return {
    cookies: {
      get: (name: string) => (name in cookies ? { value: cookies[name] } : undefined),
    } as unknown as PageContext['cookies'],
    url: new URL(`https://blog.example/signin${search}`),
    locals: { viewer } as PageContext['locals'],
  };
}

describe('the sign-in page', () => {
  test('skips the form when browser and server agree on the user, whatever the case of the name', () => {
    const isSignedIn = (viewer: string | null, cookies: Record<string, string>) =>
      readSignPage(asking(viewer, cookies)).isSignedIn;
    expect(isSignedIn('Ink', { user: 'ink', refreshToken: TOKEN })).toBe(true);
    expect(isSignedIn(null, { user: 'Ink', refreshToken: TOKEN })).toBe(false);
    expect(isSignedIn('Ink', { refreshToken: TOKEN })).toBe(false);
    expect(isSignedIn('Ink', { user: '林间', refreshToken: TOKEN })).toBe(false);
    expect(isSignedIn('Ink', { user: 'Ink' })).toBe(false);
    expect(isSignedIn('Ink', { user: 'Ink', refreshToken: 'tampered' })).toBe(false);
  });

  test('redirects to a path of this site, or else to the list', () => {
    const nextOf = (search: string) => readSignPage(asking(null, {}, search)).next;
    expect(nextOf('?redirect=%2Fwrite%3Fa%3D1%23b')).toBe('/write?a=1#b');
    for (const search of ['', '?redirect=', '?redirect=//evil.example', '?redirect=/signup']) {
      expect(nextOf(search)).toBe('/home');
    }
  });

  test('passes the return path on to the other page', () => {
    expect(signPageUrl('/signup', '/home')).toBe('/signup');
    expect(signPageUrl('/signup', '/write?a=1&b=墨')).toBe(
      '/signup?redirect=%2Fwrite%3Fa%3D1%26b%3D%E5%A2%A8',
    );
  });
});

test.each([
  ['/write', '登录后就可以写文章。'],
  ['/edit/65a000000000000000000001', '登录后继续编辑这篇文章。'],
  ['/user/list?page=2', '登录后查看自己写的文章。'],
  ['/comment/list', '登录后查看自己的留言。'],
  ['/detail/65a000000000000000000001#UI-comment-box', '登录后就可以评论和回复。'],
  ['/detail/65a000000000000000000001', ''],
  ['/user/info/林间', ''],
  ['/home', ''],
])('who is on the way to %s is told: %s', (next, reason) => {
  expect(reasonToSignIn(next)).toBe(reason);
});
