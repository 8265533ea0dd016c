import { expect, test } from 'vitest';
import {
  holdsAccessToken,
  isAccessToken,
  newAccessToken,
} from '../../../../src/lib/server/shared/access-token.ts';
import { redactUrl } from '../../../../src/lib/server/shared/log.ts';

/** Thirty characters, and their CRC-32 (0x806d9a54) in base 62. */
const RANDOM = 'abcdefghijklmnopqrstuvwxyz0123';
const TOKEN = 'moye_pat_abcdefghijklmnopqrstuvwxyz01232LolCm';

test('a token is the prefix, thirty characters of letters and digits, and their checksum', () => {
  const tokens = Array.from({ length: 200 }, newAccessToken);
  for (const token of tokens) {
    expect(token).toMatch(/^moye_pat_[0-9A-Za-z]{36}$/);
    expect(isAccessToken(token)).toBe(true);
  }
  expect(new Set(tokens).size).toBe(200);
});

test('the checksum is a CRC-32 in base 62, as scanners compute it', () => {
  expect(TOKEN.slice('moye_pat_'.length, -6)).toBe(RANDOM);
  expect(isAccessToken(TOKEN)).toBe(true);
});

test.each([
  ['another checksum', `${TOKEN.slice(0, -1)}x`],
  ['another character', TOKEN.replace('abc', 'abd')],
  ['two characters swapped', TOKEN.replace('ab', 'ba')],
  ['another prefix', TOKEN.replace('moye_pat_', 'ghp_')],
  ['upper case', TOKEN.toUpperCase()],
  ['a missing character', TOKEN.slice(0, -1)],
  ['one more character', `${TOKEN}0`],
  ['a line break', `${TOKEN}\n`],
  ['a space before', ` ${TOKEN}`],
  ['only the prefix', 'moye_pat_'],
  ['16 KB', `moye_pat_${'a'.repeat(16_384)}`],
  ['nothing', ''],
])('%s is not a token', (_, text) => {
  expect(isAccessToken(text)).toBe(false);
});

test.each([
  [`/api/page/detail?access_token=${TOKEN}`, '/api/page/detail?access_token=[redacted]'],
  [`/api/page/detail?x=${TOKEN}&page=2`, '/api/page/detail?x=[redacted]&page=2'],
  [`/api/${TOKEN}`, '/api/[redacted]'],
  [`/api/site?x=${TOKEN.replace('moye_', '%6doye%5F')}`, '/api/site?[redacted]'],
])('a token in %s is found, and not logged', (url, logged) => {
  expect(holdsAccessToken(url)).toBe(true);
  expect(redactUrl(url)).toBe(logged);
});

test('a username that begins like a token is not one', () => {
  expect(holdsAccessToken('/api/file/avatar/user?username=moye_pat_abcdefghijk')).toBe(false);
});
