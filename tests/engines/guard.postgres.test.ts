import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGuard, type Guard } from '../../src/lib/server/auth/guard.ts';
import { openDatabase, type OpenedDatabase } from './open.ts';

/** Guards of several processes that count in one database. */
let opened: OpenedDatabase;
let guards: [Guard, Guard];
beforeAll(async () => {
  opened = await openDatabase();
  const guard = () => createGuard({ enabled: true, counts: opened.db.sharedCounts });
  guards = [guard(), guard()];
});
afterAll(() => opened.close());

const OPEN = 'account';
/** What comes of an attempt at one of the guards: the account, null for a wrong guess, or the refusal. */
const attempt = (guard: Guard, address: string, username: string, isRight = false) =>
  guard
    .attempt({ address, username }, async () => (isRight ? OPEN : null))
    .catch((error: { code: string }) => error.code);

test('many at the same moment do not slip through', async () => {
  const outcomes = await Promise.all(
    Array.from({ length: 60 }, (_, index) => attempt(guards[index % 2 ? 1 : 0], '192.0.2.1', 'alice')),
  );
  expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(10);
  expect(new Set(outcomes)).toEqual(new Set([null, 'TOO_MANY_REQUESTS']));
});

test('an account under attack stays open to an address that another process has let in', async () => {
  expect(await attempt(guards[0], '203.0.113.9', 'bob', true)).toBe(OPEN);
  for (let index = 0; index < 100; index++)
    expect(await attempt(guards[index % 2 ? 1 : 0], `10.0.${index}.1`, 'bob')).toBeNull();
  expect(await attempt(guards[0], '10.1.0.1', 'bob', true)).toBe('TOO_MANY_REQUESTS');
  expect(await attempt(guards[1], '10.1.0.1', 'bob', true)).toBe('TOO_MANY_REQUESTS');
  expect(await attempt(guards[1], '203.0.113.9', 'bob', true)).toBe(OPEN);
});

test('whatever is typed as a name is counted', async () => {
  for (const name of ['\0', '\ud800', '名'.repeat(500), "'; drop table attempts; --"]) {
    for (let index = 0; index < 10; index++)
      expect(await attempt(guards[index % 2 ? 1 : 0], '192.0.2.5', name)).toBeNull();
    expect(await attempt(guards[1], '192.0.2.5', name)).toBe('TOO_MANY_REQUESTS');
  }
});
