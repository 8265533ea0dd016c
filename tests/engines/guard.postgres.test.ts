import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGuard, type Guard } from '../../src/lib/server/auth/guard/guard.ts';
import { openDatabase, type OpenedDatabase } from './open.ts';

/** Guards of several processes that share their counters in one database. */
let opened: OpenedDatabase;
let guards: [Guard, Guard];
let instant = Date.UTC(2026, 0, 2);
const pass = (seconds: number) => void (instant += seconds * 1000);
beforeAll(async () => {
  opened = await openDatabase();
  const guard = () => createGuard({ enabled: true, counts: opened.db.sharedCounts, now: () => instant });
  guards = [guard(), guard()];
});
afterAll(() => opened.close());

const OPEN = 'account';
/** Result of an attempt at one of the guards: the account, null for a wrong guess, or the refusal. */
const attempt = (
  guard: Guard,
  address: string,
  username: string,
  isRight = false,
  knownPlace: string | null = null,
) =>
  guard
    .attempt({ address, username, knownPlace }, async () => (isRight ? OPEN : null))
    .catch((error: { code: string }) => error.code);

test('concurrent attempts do not bypass the limit', async () => {
  const outcomes = await Promise.all(
    Array.from({ length: 60 }, (_, index) => attempt(guards[index % 2 ? 1 : 0], '192.0.2.1', 'alice')),
  );
  expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(10);
  expect(new Set(outcomes)).toEqual(new Set([null, 'TOO_MANY_REQUESTS']));
});

test('attacks on an account, and pauses, are shared by all processes', async () => {
  for (let index = 0; index < 20; index++)
    expect(await attempt(guards[index % 2 ? 1 : 0], `10.0.${index}.1`, 'bob')).toBeNull();
  for (const guard of guards) expect(await attempt(guard, '10.1.0.1', 'bob', true)).toBe('TOO_MANY_REQUESTS');
  expect(await attempt(guards[1], '10.1.0.1', 'bob', true, 'a known place')).toBe(OPEN);
  pass(5 * 60);
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, (_, index) => attempt(guards[index % 2 ? 1 : 0], '10.1.0.1', 'bob')),
  );
  expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(1);
  pass(5 * 60);
  expect(await attempt(guards[0], '10.1.0.1', 'bob', true)).toBe('TOO_MANY_REQUESTS');
  pass(5 * 60);
  expect(await attempt(guards[0], '10.1.0.1', 'bob', true)).toBe(OPEN);
});

test('ten minutes of guesses from 200 addresses do not affect the owner', async () => {
  const from = (minute: number) =>
    Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        attempt(guards[index % 2 ? 1 : 0], `10.2.${index}.1`, 'carol').then((outcome) => ({
          minute,
          outcome,
        })),
      ),
    );
  const outcomes: { minute: number; outcome: string | null }[] = [];
  for (let minute = 0; minute < 10; minute += 5) {
    outcomes.push(...(await from(minute)));
    expect(await attempt(guards[0], '203.0.113.9', 'carol', true, 'a known place')).toBe(OPEN);
    if (minute === 0)
      expect(await attempt(guards[1], '203.0.113.9', 'carol', true)).toBe('TOO_MANY_REQUESTS');
    else expect(await attempt(guards[1], '203.0.113.9', 'carol', true)).toBe(OPEN);
    pass(5 * 60);
  }
  const checked = (minute: number) =>
    outcomes.filter((one) => one.minute === minute && one.outcome === null).length;
  expect([checked(0), checked(5)]).toEqual([20, 180]);
});

test('expired counts are deleted', async () => {
  const rows = async () =>
    (await opened.db.sharedCounts?.query({ text: 'select key from attempts', values: [] }))?.rowCount;
  expect(await rows()).toBeGreaterThan(0);
  pass(49 * 3600);
  await guards[0].purgeExpired();
  expect(await rows()).toBe(0);
});

test('any text typed as a name is counted', async () => {
  for (const name of ['\0', '\ud800', '名'.repeat(500), "'; drop table attempts; --"]) {
    for (let index = 0; index < 10; index++)
      expect(await attempt(guards[index % 2 ? 1 : 0], '192.0.2.5', name)).toBeNull();
    expect(await attempt(guards[1], '192.0.2.5', name)).toBe('TOO_MANY_REQUESTS');
  }
});
