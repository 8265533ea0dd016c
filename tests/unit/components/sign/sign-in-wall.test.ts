import { describe, expect, test } from 'vitest';
import {
  maySignInAgain,
  signInWall,
  type PageContext,
} from '../../../../src/components/sign/sign-in-wall.ts';

/** A request for /write?title=新; `viewer` is the account of the access token. */
function asking({ viewer, refreshToken }: { viewer?: string; refreshToken?: string }): PageContext {
  const values = new Map(refreshToken === undefined ? [] : [['refreshToken', { value: refreshToken }]]);
  return {
    cookies: { get: (name: string) => values.get(name) } as unknown as PageContext['cookies'],
    url: new URL('https://blog.example/write?title=新'),
    locals: { viewer: viewer ?? null } as PageContext['locals'],
  };
}

describe('a page for signed-in readers alone', () => {
  test('sends a visitor to the sign-in page, which returns with the query', () => {
    const leadsTo = new URL(signInWall(asking({})) ?? '', 'https://blog.example');
    expect(leadsTo.pathname).toBe('/signin');
    expect(leadsTo.searchParams.get('redirect')).toBe('/write?title=%E6%96%B0');
    expect(signInWall(asking({ refreshToken: '' }))).not.toBeNull();
  });

  test('is shown to signed-in users, and to those whose browser must refresh first', () => {
    expect(signInWall(asking({ viewer: '林间', refreshToken: 'a.b.c' }))).toBeNull();
    expect(signInWall(asking({ viewer: '林间' }))).toBeNull();
    expect(signInWall(asking({ refreshToken: 'a.b.c' }))).toBeNull();
  });
});

test('only a visitor with a refresh token is signed in again silently', () => {
  expect(maySignInAgain(asking({ refreshToken: 'a.b.c' }))).toBe(true);
  expect(maySignInAgain(asking({}))).toBe(false);
  expect(maySignInAgain(asking({ viewer: '林间', refreshToken: 'a.b.c' }))).toBe(false);
});
