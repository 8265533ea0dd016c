import { expect, vi } from 'vitest';
import { isRefusal } from '../../../src/lib/contract/rules/errors.ts';
import type { Guard } from '../../../src/lib/server/auth/guard/guard.ts';

/** Stops the clock; tests advance it. */
export const stopClock = () => vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });

/** Result of an attempt: 'in', 'wrong', or the seconds to wait. */
export async function attempt(
  guard: Guard,
  address: string,
  username: string,
  isRight = false,
  knownPlace: string | null = null,
): Promise<string | number> {
  try {
    const found = await guard.attempt({ address, username, knownPlace }, () =>
      Promise.resolve(isRight ? 'account' : null),
    );
    return found === null ? 'wrong' : 'in';
  } catch (error) {
    if (!isRefusal(error, 'TOO_MANY_REQUESTS')) throw error;
    return error.retryAfter ?? Number.NaN;
  }
}
export async function repeat(
  times: number,
  work: (index: number) => Promise<string | number>,
): Promise<(string | number)[]> {
  const outcomes = [];
  for (let index = 0; index < times; index++) outcomes.push(await work(index));
  return outcomes;
}
export const wrong = (times: number) => Array.from({ length: times }, () => 'wrong');

/** Starts an attack on an account: enough wrong guesses that new places must wait. */
export const beginAttack = async (guard: Guard, username = 'alice') =>
  expect(await repeat(20, (index) => attempt(guard, `10.9.${index}.1`, username))).toEqual(wrong(20));
