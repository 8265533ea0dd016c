import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CallError } from '../../../../src/lib/client/call-error.ts';
import { createPictureLane } from '../../../../src/lib/stores/pictures/picture-lane.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const refusal = (retryAfter?: number) =>
  new CallError('refused', '稍后再试', 429, retryAfter === undefined ? {} : { retryAfter });

test('200 at once are sent a few at a time, within the limit per minute, and none is lost', async () => {
  const lane = createPictureLane({ concurrency: 2, perMinute: 90 });
  const done: number[] = [];
  let [running, most] = [0, 0];
  const all = Array.from({ length: 200 }, (_, index) =>
    lane.run(async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 100));
      running--;
      done.push(index);
    }),
  );
  await vi.advanceTimersByTimeAsync(59_000);
  expect([done.length, most]).toEqual([90, 2]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(done).toHaveLength(180);
  await vi.advanceTimersByTimeAsync(60_000);
  await Promise.all(all);
  expect(done.toSorted((one, other) => one - other)).toEqual(
    Array.from({ length: 200 }, (_, index) => index),
  );
});

test('Retry-After makes all wait, and nothing fails', async () => {
  const lane = createPictureLane({ concurrency: 1, perMinute: 90 });
  const tries: string[] = [];
  const first = lane.run(async () => {
    tries.push('first');
    if (tries.length === 1) throw refusal(10);
    return 'there';
  });
  const second = lane.run(async () => void tries.push('second'));
  await vi.advanceTimersByTimeAsync(9_000);
  expect(tries).toEqual(['first']);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await first).toBe('there');
  await second;
  expect(tries.toSorted()).toEqual(['first', 'first', 'second']);
});

test.each([
  ['no time', undefined],
  ['tomorrow', 40_000],
])('Retry-After of %s fails at once', async (_, retryAfter) => {
  const work = vi.fn<() => Promise<never>>(() => Promise.reject(refusal(retryAfter)));
  const lane = createPictureLane({ concurrency: 1, perMinute: 90 });
  await expect(lane.run(work)).rejects.toMatchObject({ status: 429 });
  expect(work).toHaveBeenCalledOnce();
});

test('repeated refusals fail eventually', async () => {
  const work = vi.fn<() => Promise<never>>(() => Promise.reject(refusal(1)));
  const failing = createPictureLane({ concurrency: 1, perMinute: 90 }).run(work);
  const told = failing.catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await told).toMatchObject({ status: 429 });
  expect(work).toHaveBeenCalledTimes(5);
});
