import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createGuard, createRequestLimiter, type Guard } from '../../../src/lib/server/auth/guard.ts';
import { isRefusal } from '../../../src/lib/contract/errors.ts';

const MINUTE = 60_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** What came of an attempt: 'in', 'wrong', or the seconds to wait. */
async function attempt(
  guard: Guard,
  address: string,
  username: string,
  isRight = false,
): Promise<string | number> {
  try {
    const found = await guard.attempt({ address, username }, () =>
      Promise.resolve(isRight ? 'account' : null),
    );
    return found === null ? 'wrong' : 'in';
  } catch (error) {
    if (!isRefusal(error, 'TOO_MANY_REQUESTS')) throw error;
    return error.retryAfter ?? Number.NaN;
  }
}
async function repeat(
  times: number,
  work: (index: number) => Promise<string | number>,
): Promise<(string | number)[]> {
  const outcomes = [];
  for (let index = 0; index < times; index++) outcomes.push(await work(index));
  return outcomes;
}
const wrong = (times: number) => Array.from({ length: times }, () => 'wrong');

describe('guessing a password', () => {
  test('ends after ten wrong ones for a quarter of an hour, in whatever case the name is typed', async () => {
    const guard = createGuard({ enabled: true });
    const names = ['Alice', 'alice', 'ＡＬＩＣＥ', ' alice '];
    expect(await repeat(10, (index) => attempt(guard, '192.0.2.1', names[index % 4] ?? ''))).toEqual(
      wrong(10),
    );
    vi.advanceTimersByTime(5 * MINUTE);
    expect(await attempt(guard, '192.0.2.1', 'alice', true)).toBe(600);
    expect(await attempt(guard, '192.0.2.2', 'alice', true)).toBe('in');
    vi.advanceTimersByTime(10 * MINUTE);
    expect(await attempt(guard, '192.0.2.1', 'alice', true)).toBe('in');
  });

  test('starts afresh after a success', async () => {
    const guard = createGuard({ enabled: true });
    await repeat(9, () => attempt(guard, '192.0.2.1', 'alice'));
    expect(await attempt(guard, '192.0.2.1', 'alice', true)).toBe('in');
    expect(await repeat(10, () => attempt(guard, '192.0.2.1', 'alice'))).toEqual(wrong(10));
  });

  test('many at the same moment do not slip through', async () => {
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

  test('being made to wait does not count against the address', async () => {
    const guard = createGuard({ enabled: true });
    await repeat(200, () => attempt(guard, '192.0.2.1', 'alice'));
    expect(await attempt(guard, '192.0.2.1', 'bob', true)).toBe('in');
  });

  test('from ever new addresses ends after a hundred, while the owner still gets in from a known one', async () => {
    const guard = createGuard({ enabled: true });
    expect(await attempt(guard, '203.0.113.9', 'alice', true)).toBe('in');
    expect(await repeat(100, (index) => attempt(guard, `10.0.${index}.1`, 'alice'))).toEqual(wrong(100));
    expect(await attempt(guard, '10.1.0.1', 'alice', true)).toBe(6 * 3600);
    expect(await attempt(guard, '203.0.113.9', 'alice', true)).toBe('in');
    expect(await attempt(guard, '10.1.0.1', 'bob', true)).toBe('in');
  });

  test('an attempt that could not be checked is not held against anybody', async () => {
    const guard = createGuard({ enabled: true });
    const broken = () =>
      guard.attempt({ address: '192.0.2.1', username: 'alice' }, () => Promise.reject(new Error('down')));
    for (let index = 0; index < 120; index++) await expect(broken()).rejects.toThrow('down');
    expect(await repeat(10, () => attempt(guard, '192.0.2.1', 'alice'))).toEqual(wrong(10));
  });
});

test('while shared counts cannot be reached, this process counts for itself', async () => {
  const down = () => Promise.reject(new Error('storage is away'));
  const guard = createGuard({
    enabled: true,
    counts: { table: 'attempts', query: down, forgetExpired: down },
  });
  expect(await repeat(10, () => attempt(guard, '192.0.2.1', 'alice'))).toEqual(wrong(10));
  expect(await attempt(guard, '192.0.2.1', 'alice', true)).toBe(900);
  expect(await attempt(guard, '192.0.2.2', 'alice', true)).toBe('in');
  for (let index = 0; index < 20; index++) await guard.signup('192.0.2.1');
  await expect(guard.signup('192.0.2.1')).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' });
});

test('an address signs up twenty times an hour', async () => {
  const guard = createGuard({ enabled: true });
  for (let index = 0; index < 20; index++) await guard.signup('192.0.2.1');
  await expect(guard.signup('192.0.2.1')).rejects.toMatchObject({
    code: 'TOO_MANY_REQUESTS',
    retryAfter: 3600,
  });
  await guard.signup('192.0.2.2');
  vi.advanceTimersByTime(60 * MINUTE);
  await guard.signup('192.0.2.1');
});

test('requests are counted by address and minute, writing apart from reading', async () => {
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
  vi.advanceTimersByTime(MINUTE);
  await limiter.consume('192.0.2.1', 'write');
});

test('switched off, nothing is limited', async () => {
  const guard = createGuard({ enabled: false });
  const limiter = createRequestLimiter({ enabled: false });
  expect(await repeat(150, () => attempt(guard, '192.0.2.1', 'alice'))).toEqual(wrong(150));
  for (let index = 0; index < 150; index++) {
    await guard.signup('192.0.2.1');
    await limiter.consume('192.0.2.1', 'write');
  }
});
