import { expect, test } from 'vitest';
import { createQueue } from '../../../src/lib/server/jobs/queue.ts';

/** Work that ends when the test says so. */
function work() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  return { run: () => promise, resolve, reject };
}
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('a limited number of tasks runs at once, the next in order, and beyond the queue they are refused', async () => {
  const queue = createQueue({ running: 2, waiting: 2 });
  const works = [work(), work(), work(), work(), work()];
  const started: number[] = [];
  const results = works.map((each, index) =>
    queue.run(() => {
      started.push(index);
      return each.run();
    }),
  );
  await expect(results[4]).rejects.toMatchObject({ code: 'UNAVAILABLE', status: 503, retryAfter: 2 });
  expect(started).toEqual([0, 1]);
  works[1]?.resolve('one');
  expect(await results[1]).toBe('one');
  await settle();
  expect(started).toEqual([0, 1, 2]);
  works[0]?.resolve('zero');
  works[2]?.resolve('two');
  works[3]?.resolve('three');
  expect(await Promise.all([results[0], results[2], results[3]])).toEqual(['zero', 'two', 'three']);
});

test('a failing task, even if synchronous, frees its slot', async () => {
  const queue = createQueue({ running: 1, waiting: 5 });
  const failed = queue.run(() => Promise.reject(new Error('broken')));
  const thrown = queue.run(() => {
    throw new Error('at once');
  });
  const fine = queue.run(() => Promise.resolve('fine'));
  await expect(failed).rejects.toThrow('broken');
  await expect(thrown).rejects.toThrow('at once');
  expect(await fine).toBe('fine');
  expect(await queue.run(() => Promise.resolve('later'))).toBe('later');
});

/**
 * Queues work for each owner in order, on a queue that runs one at a time; `finish` ends each in the order in
 * which they start.
 */
function inLine(queue: ReturnType<typeof createQueue>, owners: readonly string[]) {
  const started: number[] = [];
  const works = owners.map(() => work());
  const results = owners.map((owner, index) =>
    queue
      .run(() => {
        started.push(index);
        return works[index]?.run() ?? Promise.reject(new Error('no such work'));
      }, owner)
      .then(
        () => 'done',
        (error: { code: string }) => error.code,
      ),
  );
  const finish = async () => {
    await settle();
    for (let at = 0; at < started.length; at++) {
      works[started[at] ?? -1]?.resolve('');
      await settle();
    }
    return Promise.all(results);
  };
  return { started, finish };
}

test('owners take turns: a newcomer waits for one task of each other owner', async () => {
  const line = inLine(createQueue({ running: 1, waiting: 20 }), ['a', 'a', 'a', 'a', 'b', 'c', 'b']);
  await line.finish();
  expect(line.started).toEqual([0, 1, 4, 5, 2, 6, 3]);
});

test('each owner has a limit, and a full queue drops from the owner with most waiting', async () => {
  const bounded = inLine(createQueue({ running: 1, waiting: 20, waitingEach: 2 }), ['a', 'a', 'a', 'a', 'b']);
  expect(await bounded.finish()).toEqual(['done', 'done', 'done', 'UNAVAILABLE', 'done']);

  const full = inLine(createQueue({ running: 1, waiting: 3 }), ['a', 'a', 'a', 'a', 'b', 'a', 'b']);
  expect(await full.finish()).toEqual([
    'done',
    'done',
    'done',
    'UNAVAILABLE',
    'done',
    'UNAVAILABLE',
    'UNAVAILABLE',
  ]);
});

test('an owner that is never refused enters a full queue, and loses no task to a newcomer', async () => {
  const refusal = { text: '请稍后', retryAfter: 9 };
  const queue = createQueue({ running: 1, waiting: 2, neverRefused: 'site', refusal });
  const { started, finish } = inLine(queue, ['a', 'b', 'site', 'site', 'site', 'c', 'd']);
  await settle();
  expect(await finish()).toEqual(['done', 'done', 'done', 'done', 'done', 'UNAVAILABLE', 'UNAVAILABLE']);
  expect(started).toEqual([0, 1, 2, 3, 4]);
  const full = createQueue({ running: 1, waiting: 0, refusal });
  const { run, resolve } = work();
  const running = full.run(run);
  await expect(full.run(run)).rejects.toMatchObject({ message: '请稍后', status: 503, retryAfter: 9 });
  resolve('');
  await running;
});

test('an owner at its limit of running tasks leaves the other slots to others', async () => {
  const queue = createQueue({ running: 3, runningEach: 2, waiting: 10 });
  const owners = ['a', 'a', 'a', 'a', 'b', 'b', 'c'];
  const works = owners.map(() => work());
  const started: number[] = [];
  const results = owners.map((owner, index) =>
    queue.run(() => {
      started.push(index);
      return works[index]?.run() ?? Promise.reject(new Error('no such work'));
    }, owner),
  );
  await settle();
  expect(started).toEqual([0, 1, 4]);
  // This owner is next but already has two running, so the slot goes to the next owner.
  works[4]?.resolve('');
  await settle();
  expect(started).toEqual([0, 1, 4, 5]);
  works[0]?.resolve('');
  await settle();
  expect(started).toEqual([0, 1, 4, 5, 2]);
  works[5]?.resolve('');
  await settle();
  expect(started).toEqual([0, 1, 4, 5, 2, 6]);
  for (const each of works) each.resolve('');
  await Promise.all(results);
  expect(started).toEqual([0, 1, 4, 5, 2, 6, 3]);
});
