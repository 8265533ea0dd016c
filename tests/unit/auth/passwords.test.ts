import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { createPasswords } from '../../../src/lib/server/auth/passwords.ts';

const passwords = createPasswords();

test('a password is checked against its own salted hash', async () => {
  const [one, two] = await Promise.all([
    passwords.hash('床前明月光，疑是'),
    passwords.hash('床前明月光，疑是'),
  ]);
  expect(one).not.toBe(two);
  expect(await passwords.verify(one, '床前明月光，疑是')).toEqual({ matches: true, isOutdated: false });
  expect(await passwords.verify(one, '床前明月光，疑是 ')).toEqual({ matches: false, isOutdated: false });
});

test('no password matches a missing account or an unknown kind of hash', async () => {
  const sha1 = createHash('sha1').update('secret').digest('hex');
  for (const stored of [null, '', 'secret', sha1, `md5$${sha1}`, `sha1$${sha1.slice(1)}`]) {
    expect((await passwords.verify(stored, 'secret')).matches).toBe(false);
  }
});

test('an imported hash in either case of hex matches and asks to be replaced', async () => {
  const sha1 = createHash('sha1').update('旧密码').digest('hex');
  for (const hex of [sha1, sha1.toUpperCase()]) {
    expect(await passwords.verify(`sha1$${hex}`, '旧密码')).toEqual({ matches: true, isOutdated: true });
    expect(await passwords.verify(`sha1$${hex}`, '新密码')).toEqual({ matches: false, isOutdated: false });
  }
});

test('a flood is refused instead of filling memory, and admitted checks are answered', async () => {
  const outcomes = await Promise.allSettled(
    Array.from({ length: 90 }, () => passwords.verify(null, 'flood')),
  );
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
  expect(refused).toHaveLength(90 - 66);
  for (const outcome of refused) expect(outcome.reason).toMatchObject({ code: 'UNAVAILABLE' });
});

test('a known place does not wait for a flood from elsewhere, whose clients take turns', async () => {
  const done: string[] = [];
  const check = (owner: string, isKnown: boolean) =>
    passwords.verify(null, 'a guess', { owner, isKnown }).then(() => done.push(owner));
  const flood = Array.from({ length: 60 }, () => check('203.0.113.9', false));
  const others = [check('192.0.2.1', false), check('a known place', true)];
  await Promise.all([...flood, ...others]);
  // The exact position varies, because the system decides how long each of libuv's threads runs.
  expect(done.indexOf('a known place')).toBeLessThan(40);
  expect(done.indexOf('192.0.2.1')).toBeLessThan(40);
});
