import { expect, test, vi } from 'vitest';
import { eventually } from '../../../eventually.ts';
import { createJob } from '../../../../src/lib/server/jobs/jobs.ts';
import {
  asRequest,
  asShared,
  requireNoRequest,
  sharedResult,
  waiting,
} from '../../../../src/lib/server/storage/storage.ts';

const REQUEST_TIMEOUT_MS = 4_000;
const unexpected = (error: unknown): never => {
  throw error;
};
/** Milliseconds that a call to storage may take here. */
const timeLeft = () => waiting(async (leftMs) => leftMs);
/** Uses up this request's time limit for storage. */
async function spendAll(): Promise<void> {
  vi.useFakeTimers();
  await waiting(async () => vi.advanceTimersByTime(REQUEST_TIMEOUT_MS));
  vi.useRealTimers();
}

test('a job woken by a request does not inherit its limits, nor does its later work', async () => {
  const seen: number[] = [];
  const work = async (): Promise<number> => {
    requireNoRequest();
    seen.push(await timeLeft());
    return seen.length < 3 ? 0 : Infinity;
  };
  const job = createJob(work, { everyMs: Infinity, failed: unexpected });
  await asRequest(async () => {
    await spendAll();
    expect(await timeLeft()).toBe(1);
    job.start();
    job.wake();
  });
  await eventually(() => expect(seen.length).toBeGreaterThanOrEqual(3));
  await job.stop();
  expect(Math.min(...seen)).toBeGreaterThan(REQUEST_TIMEOUT_MS);
});

test('a job cannot run in the context of a request', async () => {
  asRequest(() => expect(requireNoRequest).toThrow('a job runs in the context of a request'));
  requireNoRequest();
});

test('a job woken while running runs once more, however often it was woken, and never concurrently', async () => {
  let [running, runs] = [0, 0];
  const first = Promise.withResolvers<void>();
  const work = async () => {
    expect(++running).toBe(1);
    if (++runs === 1) await first.promise;
    running--;
  };
  const job = createJob(work, { everyMs: Infinity, failed: unexpected });
  job.start();
  for (let index = 0; index < 5; index++) job.wake();
  first.resolve();
  await job.run();
  expect(runs).toBe(2);
});

test('a failed run is reported and followed by the next; none starts before start or after stop', async () => {
  const failures: unknown[] = [];
  let runs = 0;
  const work = async () => {
    if (++runs === 1) throw new Error('once');
  };
  const job = createJob(work, {
    everyMs: Infinity,
    retryMs: 0,
    failed: (error) => void failures.push(error),
  });
  job.wake();
  expect(runs).toBe(0);
  job.start();
  await eventually(() => expect(runs).toBe(2));
  expect(failures).toEqual([new Error('once')]);
  await job.stop();
  job.wake();
  expect(runs).toBe(2);
});

test('work shared by requests has a separate budget; a request without budget does not wait', async () => {
  await asRequest(async () => {
    await spendAll();
    expect(await asShared(timeLeft)).toBe(REQUEST_TIMEOUT_MS);
    await expect(sharedResult(Promise.resolve('kept'))).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });
  expect(await asRequest(() => sharedResult(Promise.resolve('kept')))).toBe('kept');
});
