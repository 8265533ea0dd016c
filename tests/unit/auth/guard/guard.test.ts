import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createGuard, createRequestLimiter } from '../../../../src/lib/server/auth/guard/guard.ts';
import { attempt, beginAttack, repeat, stopClock, wrong } from '../guesses.ts';
import { MINUTE_MS } from '../../../../src/lib/contract/rules/units.ts';

beforeEach(() => void stopClock());
afterEach(() => void vi.useRealTimers());

describe('guessing a password', () => {
  test('ends after ten wrong ones for a quarter of an hour, in whatever case the name is typed', async () => {
    const guard = createGuard({ enabled: true });
    const names = ['Alice', 'alice', 'ＡＬＩＣＥ', ' alice '];
    expect(await repeat(10, (index) => attempt(guard, '192.0.2.1', names[index % 4] ?? ''))).toEqual(
      wrong(10),
    );
    vi.advanceTimersByTime(5 * MINUTE_MS);
    expect(await attempt(guard, '192.0.2.1', 'alice', true)).toBe(600);
    expect(await attempt(guard, '192.0.2.2', 'alice', true)).toBe('in');
    vi.advanceTimersByTime(10 * MINUTE_MS);
    expect(await attempt(guard, '192.0.2.1', 'alice', true)).toBe('in');
  });

  test('starts afresh after a success', async () => {
    const guard = createGuard({ enabled: true });
    await repeat(9, () => attempt(guard, '192.0.2.1', 'alice'));
    expect(await attempt(guard, '192.0.2.1', 'alice', true)).toBe('in');
    expect(await repeat(10, () => attempt(guard, '192.0.2.1', 'alice'))).toEqual(wrong(10));
  });

  test('concurrent attempts do not bypass the limit', async () => {
    const guard = createGuard({ enabled: true });
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, () => attempt(guard, '192.0.2.1', 'alice')),
    );
    expect(outcomes.filter((outcome) => outcome === 'wrong')).toHaveLength(10);
  });

  test('ends for an address after a hundred wrong ones over any names', async () => {
    const guard = createGuard({ enabled: true });
    expect(await repeat(100, (index) => attempt(guard, '192.0.2.1', `user${index}`))).toEqual(wrong(100));
    expect(await attempt(guard, '192.0.2.1', 'alice', true)).toBe(900);
    expect(await attempt(guard, '192.0.2.2', 'alice', true)).toBe('in');
  });

  test('a pause does not count against the address', async () => {
    const guard = createGuard({ enabled: true });
    await repeat(200, () => attempt(guard, '192.0.2.1', 'alice'));
    expect(await attempt(guard, '192.0.2.1', 'bob', true)).toBe('in');
  });

  test('an attempt that could not be checked does not count', async () => {
    const guard = createGuard({ enabled: true });
    const broken = () =>
      guard.attempt({ address: '192.0.2.1', username: 'alice', knownPlace: null }, () =>
        Promise.reject(new Error('down')),
      );
    for (let index = 0; index < 120; index++) await expect(broken()).rejects.toThrow('down');
    expect(await repeat(10, () => attempt(guard, '192.0.2.1', 'alice'))).toEqual(wrong(10));
  });
});

describe('a place that the account knows', () => {
  test('has ten separate guesses, which others cannot use up', async () => {
    const guard = createGuard({ enabled: true });
    const here = '192.0.2.1';
    // Other people behind the same address, who guess at this account and at others.
    await repeat(10, () => attempt(guard, here, 'alice'));
    await repeat(150, (index) => attempt(guard, here, `user${index}`));
    expect(await attempt(guard, here, 'alice', true)).toBe(900);
    const known = (isRight: boolean) => attempt(guard, here, 'alice', isRight, 'a known place');
    expect(await repeat(10, () => known(false))).toEqual(wrong(10));
    expect(await known(true)).toBe(900);
    expect(await attempt(guard, here, 'alice', true, 'another known place')).toBe('in');
    vi.advanceTimersByTime(15 * MINUTE_MS);
    expect(await known(true)).toBe('in');
    expect(await repeat(10, () => known(false))).toEqual(wrong(10));
  });

  test('does not put its account under attack by its own mistakes', async () => {
    const guard = createGuard({ enabled: true });
    for (let place = 0; place < 5; place++)
      await repeat(10, () => attempt(guard, '192.0.2.1', 'alice', false, `known place ${place}`));
    expect(await attempt(guard, '203.0.113.9', 'alice', true)).toBe('in');
  });
});

describe('an IPv6 network', () => {
  test('of 256 subnets has four times the guesses of one', async () => {
    const guard = createGuard({ enabled: true });
    const from = (index: number) => `2001:db8:0:${(index % 256).toString(16)}::1`;
    expect(await repeat(400, (index) => attempt(guard, from(index), `user${index}`))).toEqual(wrong(400));
    expect(await attempt(guard, from(401), 'bob', true)).toBe(900);
    expect(await attempt(guard, '2001:db8:0:100::1', 'bob', true)).toBe('in');
  });

  test('waits as one place at an account under attack', async () => {
    const guard = createGuard({ enabled: true });
    await beginAttack(guard);
    expect(await attempt(guard, '2001:db8:0:1::1', 'alice')).toBe(300);
    vi.advanceTimersByTime(5 * MINUTE_MS);
    const outcomes = await repeat(200, (index) =>
      attempt(guard, `2001:db8:0:${index.toString(16)}::1`, 'alice'),
    );
    expect(outcomes.filter((outcome) => outcome === 'wrong')).toHaveLength(1);
  });

  test('signs up eighty times an hour', async () => {
    const guard = createGuard({ enabled: true });
    for (let index = 0; index < 80; index++)
      await guard.count('signup', `2001:db8:0:${(index % 8).toString(16)}::1`);
    await expect(guard.count('signup', '2001:db8:0:ff::1')).rejects.toMatchObject({
      code: 'TOO_MANY_REQUESTS',
    });
  });
});

test('while shared counts are unreachable, the process counts alone', async () => {
  const down = () => Promise.reject(new Error('storage is away'));
  const guard = createGuard({
    enabled: true,
    counts: { table: 'attempts', query: down, forgetExpired: down },
  });
  expect(await repeat(10, () => attempt(guard, '192.0.2.1', 'alice'))).toEqual(wrong(10));
  expect(await attempt(guard, '192.0.2.1', 'alice', true)).toBe(900);
  expect(await attempt(guard, '192.0.2.2', 'alice', true)).toBe('in');
  for (let index = 0; index < 20; index++) await guard.count('signup', '192.0.2.1');
  await expect(guard.count('signup', '192.0.2.1')).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' });
});

test('an address signs up twenty times an hour', async () => {
  const guard = createGuard({ enabled: true });
  for (let index = 0; index < 20; index++) await guard.count('signup', '192.0.2.1');
  await expect(guard.count('signup', '192.0.2.1')).rejects.toMatchObject({
    code: 'TOO_MANY_REQUESTS',
    retryAfter: 3600,
  });
  await guard.count('signup', '192.0.2.2');
  vi.advanceTimersByTime(60 * MINUTE_MS);
  await guard.count('signup', '192.0.2.1');
});

test('requests are counted per address and minute, writes separately from reads', async () => {
  const limiter = createRequestLimiter({ enabled: true });
  for (let index = 0; index < 120; index++) await limiter.consume('192.0.2.1', 'write');
  await expect(limiter.consume('192.0.2.1', 'write')).rejects.toMatchObject({
    code: 'TOO_MANY_REQUESTS',
    retryAfter: 60,
  });
  for (let index = 0; index < 1200; index++) await limiter.consume('192.0.2.1', 'read');
  await expect(limiter.consume('::ffff:192.0.2.1', 'read')).rejects.toMatchObject({
    code: 'TOO_MANY_REQUESTS',
  });
  await limiter.consume('192.0.2.2', 'write');
  vi.advanceTimersByTime(MINUTE_MS);
  await limiter.consume('192.0.2.1', 'write');
});

test('requests from the subnets of an IPv6 /56 are counted together too, four times as many', async () => {
  const limiter = createRequestLimiter({ enabled: true });
  const write = (index: number) => limiter.consume(`2001:db8:0:${(index % 8).toString(16)}::1`, 'write');
  for (let index = 0; index < 480; index++) await write(index);
  await expect(limiter.consume('2001:db8:0:ff::1', 'write')).rejects.toMatchObject({ retryAfter: 60 });
  await limiter.consume('2001:db8:0:100::1', 'write');
});

test('switched off, nothing is limited', async () => {
  const guard = createGuard({ enabled: false });
  const limiter = createRequestLimiter({ enabled: false });
  expect(await repeat(150, () => attempt(guard, '192.0.2.1', 'alice'))).toEqual(wrong(150));
  for (let index = 0; index < 150; index++) {
    await guard.count('signup', '192.0.2.1');
    await limiter.consume('192.0.2.1', 'write');
  }
});
