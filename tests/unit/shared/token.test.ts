import { expect, test } from 'vitest';
import { readClaims } from '../../../src/lib/shared/token.ts';
import { makeToken } from '../client/fake-site.ts';

test('a token has its user, in any script, and expiry', () => {
  const claims = readClaims(makeToken('林间-ÿ?>👍', 900));
  expect(claims?.username).toBe('林间-ÿ?>👍');
  expect(Math.abs((claims?.expires ?? 0) - Date.now() - 900_000)).toBeLessThan(60_000);
  expect(readClaims(makeToken(undefined))?.username).toBeUndefined();
});

const encode = (text: string) => `e30.${Buffer.from(text).toString('base64url')}.c2ln`;
test.each([
  '',
  'garbage',
  'a.b',
  'a.b.c',
  'a.b.c.d',
  '..',
  encode('null'),
  encode('"x"'),
  encode('{'),
  '<b>.e30.x',
])('%j is no token', (text) => {
  expect(readClaims(text)).toBeNull();
});

test('claims of the wrong type are ignored', () => {
  expect(readClaims(encode('{"name":1,"sub":2,"exp":"soon"}'))).toEqual({
    username: undefined,
    id: undefined,
    expires: undefined,
  });
});
