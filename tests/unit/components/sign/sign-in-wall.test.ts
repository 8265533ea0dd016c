import { describe, expect, test } from 'vitest';
import { maySignInAgain, signInWall } from '../../../../src/components/sign/sign-in-wall.ts';

type GuardedPage = Parameters<typeof signInWall>[0];

/** A request for /write?title=新; `viewer` is the account of the access token. */
function asking({ viewer, refreshToken }: { viewer?: string; refreshToken?: string }): GuardedPage {
  const values = new Map(refreshToken === undefined ? [] : [['refreshToken', { value: refreshToken }]]);
  return {
    cookies: { get: (name: string) => values.get(name) } as unknown as GuardedPage['cookies'],
    url: new URL('https://blog.example/write?title=新'),
    locals: { viewer: viewer ?? null } as GuardedPage['locals'],
    redirect: (path, status) => new Response(null, { status: status ?? 302, headers: { Location: path } }),
    response: { headers: new Headers() },
  };
}

describe('a page for signed-in readers alone', () => {
  test('sends a visitor to the sign-in page, which returns with the query', () => {
    const wall = signInWall(asking({}));
    expect(wall?.status).toBe(302);
    const leadsTo = new URL(wall?.headers.get('Location') ?? '', 'https://blog.example');
    expect(leadsTo.pathname).toBe('/signin');
    expect(leadsTo.searchParams.get('redirect')).toBe('/write?title=%E6%96%B0');
    expect(signInWall(asking({ refreshToken: '' }))).not.toBeNull();
  });

  test('is shown to signed-in users, and to those whose browser must refresh first', () => {
    expect(signInWall(asking({ viewer: '林间', refreshToken: 'a.b.c' }))).toBeNull();
    expect(signInWall(asking({ viewer: '林间' }))).toBeNull();
    expect(signInWall(asking({ refreshToken: 'a.b.c' }))).toBeNull();
  });

  test('is never cached', () => {
    const page = asking({ viewer: '林间' });
    signInWall(page);
    expect(page.response.headers.get('Cache-Control')).toBe('private, no-store');
  });
});

test('only a visitor with a refresh token is signed in again silently', () => {
  expect(maySignInAgain(asking({ refreshToken: 'a.b.c' }))).toBe(true);
  expect(maySignInAgain(asking({}))).toBe(false);
  expect(maySignInAgain(asking({ viewer: '林间', refreshToken: 'a.b.c' }))).toBe(false);
});
