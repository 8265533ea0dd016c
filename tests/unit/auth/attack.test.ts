import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createGuard } from '../../../src/lib/server/auth/guard/guard.ts';
import { attempt, beginAttack, repeat, stopClock } from './guesses.ts';
import { MINUTE_MS } from '../../../src/lib/contract/rules/units.ts';

beforeEach(() => void stopClock());
afterEach(() => void vi.useRealTimers());

describe('an account under attack', () => {
  test('admits a known place at once, and makes every other wait five minutes', async () => {
    const guard = createGuard({ enabled: true });
    await beginAttack(guard);
    expect(await attempt(guard, '203.0.113.9', 'alice', true)).toBe(300);
    expect(await attempt(guard, '203.0.113.9', 'alice', true, 'a known place')).toBe('in');
    expect(await attempt(guard, '203.0.113.9', 'bob', true)).toBe('in');
    vi.advanceTimersByTime(5 * MINUTE_MS);
    expect(await attempt(guard, '203.0.113.9', 'alice', true)).toBe('in');
  });

  test('reports how long, and that known places are exempt', async () => {
    const guard = createGuard({ enabled: true });
    await beginAttack(guard);
    const guess = () =>
      guard.attempt({ address: '203.0.113.9', username: 'alice', knownPlace: null }, async () => null);
    const sentence = (time: string) =>
      `该账号近来有多次密码错误，从新的设备登录请等待 ${time}后再试；登录过该账号的设备不受影响`;
    await expect(guess()).rejects.toMatchObject({ status: 429, message: sentence('5 分钟') });
    vi.advanceTimersByTime(61_000);
    await expect(guess()).rejects.toMatchObject({ message: sentence('4 分钟'), retryAfter: 239 });
    for (const minutes of [5, 10, 20, 40, 80]) {
      vi.advanceTimersByTime(minutes * MINUTE_MS);
      expect(await guess()).toBeNull();
    }
    await expect(guess()).rejects.toMatchObject({ message: sentence('3 小时') });
  });

  test('allows a place one guess after 5 minutes, then after doubling pauses, however often it tries', async () => {
    const guard = createGuard({ enabled: true });
    await beginAttack(guard);
    const guesses: number[] = [];
    for (let minute = 0; minute < 3 * 24 * 60; minute++) {
      if ((await attempt(guard, '203.0.113.9', 'alice')) === 'wrong') guesses.push(minute);
      // Guesses from other addresses keep the attack going.
      if (minute % 300 === 0) await attempt(guard, `10.1.${minute / 300}.1`, 'alice');
      if (minute % 300 === 5) await attempt(guard, `10.1.${(minute - 5) / 300}.1`, 'alice');
      vi.advanceTimersByTime(MINUTE_MS);
    }
    expect(guesses).toEqual([5, 15, 35, 75, 155, 315, 635, 1275, 2555, 3995]);
  });

  test('checks one of many requests at the end of a pause', async () => {
    const guard = createGuard({ enabled: true });
    await beginAttack(guard);
    await attempt(guard, '203.0.113.9', 'alice');
    vi.advanceTimersByTime(5 * MINUTE_MS);
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, () => attempt(guard, '203.0.113.9', 'alice')),
    );
    expect(outcomes.filter((outcome) => outcome === 'wrong')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 600)).toHaveLength(29);
  });

  test('checks twenty of many concurrent guesses from different addresses', async () => {
    const guard = createGuard({ enabled: true });
    const outcomes = await Promise.all(
      Array.from({ length: 200 }, (_, index) => attempt(guard, `10.9.${index}.1`, 'alice')),
    );
    expect(outcomes.filter((outcome) => outcome === 'wrong')).toHaveLength(20);
    expect(outcomes.filter((outcome) => outcome === 300)).toHaveLength(180);
  });

  test('admits its owner all day while 200 addresses guess', async () => {
    const guard = createGuard({ enabled: true });
    const attackers = Array.from({ length: 200 }, (_, index) => ({ address: `10.0.${index}.1`, next: 0 }));
    let guesses = 0;
    let newDevice = { address: '', asks: 0, since: 0 };
    for (let minute = 0; minute < 24 * 60; minute++) {
      for (const attacker of attackers) {
        if (attacker.next > minute) continue;
        const outcome = await attempt(guard, attacker.address, 'alice');
        if (outcome === 'wrong') guesses++;
        attacker.next = minute + (typeof outcome === 'number' ? Math.ceil(outcome / 60) : 1);
      }
      expect(await attempt(guard, '203.0.113.9', 'alice', true, 'a known place')).toBe('in');
      if (minute % 60 === 20)
        newDevice = { address: `198.51.100.${minute / 60}`, asks: minute, since: minute };
      if (newDevice.asks === minute && newDevice.address !== '') {
        const outcome = await attempt(guard, newDevice.address, 'alice', true);
        if (typeof outcome === 'number') newDevice.asks = minute + Math.ceil(outcome / 60);
        else {
          expect(outcome).toBe('in');
          expect(minute - newDevice.since).toBeLessThanOrEqual(15);
          newDevice = { address: '', asks: 0, since: 0 };
        }
      }
      vi.advanceTimersByTime(MINUTE_MS);
    }
    expect(newDevice.address).toBe('');
    // docs/decisions/0021: 20 guesses before the attack is recognized, then 8 per address.
    expect(guesses).toBe(20 + 200 * 8);
  });

  test('is no longer under attack after six hours without wrong guesses', async () => {
    const guard = createGuard({ enabled: true });
    await beginAttack(guard);
    vi.advanceTimersByTime(6 * 60 * MINUTE_MS - 1);
    expect(await attempt(guard, '203.0.113.9', 'alice', true)).toBe(300);
    vi.advanceTimersByTime(1);
    expect(await attempt(guard, '203.0.113.9', 'alice', true)).toBe('in');
  });
});

test('an address paused at many accounts is blocked after a hundred, so that storage stays bounded', async () => {
  const guard = createGuard({ enabled: true });
  for (let name = 0; name < 101; name++)
    for (let index = 0; index < 20; index++) await attempt(guard, `10.8.${name}.${index}`, `user${name}`);
  const outcomes = await repeat(101, (name) => attempt(guard, '192.0.2.1', `user${name}`));
  expect(outcomes).toEqual([...Array.from({ length: 100 }, () => 300), 900]);
});
