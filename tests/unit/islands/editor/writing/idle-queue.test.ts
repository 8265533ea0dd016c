import { afterEach, expect, test, vi } from 'vitest';
import { createIdleQueue } from '../../../../../src/islands/editor/writing/idle-queue.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** A page whose idle periods are controlled by the test; each has time for a number of work items. */
function stubIdle() {
  const calls = new Map<number, IdleRequestCallback>();
  let last = 0;
  vi.stubGlobal('requestIdleCallback', (run: IdleRequestCallback) => {
    calls.set(++last, run);
    return last;
  });
  vi.stubGlobal('cancelIdleCallback', (id: number) => calls.delete(id));
  return (count: number) => {
    let left = count;
    const now = [...calls.values()];
    calls.clear();
    for (const run of now) run({ didTimeout: false, timeRemaining: () => --left });
  };
}

test('runs its work in order, as much as fits into an idle period', () => {
  const idle = stubIdle();
  const done: number[] = [];
  const queue = createIdleQueue();
  for (const each of [1, 2, 3, 4]) queue.add(() => done.push(each));
  expect(done).toEqual([]);
  idle(2);
  expect(done).toEqual([1, 2]);
  idle(0);
  expect(done).toEqual([1, 2, 3]);
  queue.add(() => done.push(5));
  idle(9);
  expect(done).toEqual([1, 2, 3, 4, 5]);
});

test('discards cleared work, and continues afterwards', () => {
  const idle = stubIdle();
  const done: number[] = [];
  const queue = createIdleQueue();
  queue.add(() => done.push(1));
  queue.clear();
  idle(9);
  queue.add(() => done.push(2));
  idle(9);
  expect(done).toEqual([2]);
});

test('failing work does not stop the rest', () => {
  const idle = stubIdle();
  const done: number[] = [];
  const queue = createIdleQueue();
  queue.add(() => {
    throw new Error('broken');
  });
  queue.add(() => done.push(2));
  queue.add(() => done.push(3));
  expect(() => idle(9)).toThrow('broken');
  idle(9);
  expect(done).toEqual([2, 3]);
});

test('without idle callbacks every piece runs in its own task', () => {
  vi.useFakeTimers();
  vi.stubGlobal('requestIdleCallback', undefined);
  const done: number[] = [];
  const queue = createIdleQueue();
  for (const each of [1, 2]) queue.add(() => done.push(each));
  vi.advanceTimersToNextTimer();
  expect(done).toEqual([1]);
  vi.runAllTimers();
  expect(done).toEqual([1, 2]);
});
