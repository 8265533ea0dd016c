import { expect, test } from 'vitest';
import { createQueue } from '../../src/lib/server/queue.ts';

/** A work that ends when told. */
function work() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  return { run: () => promise, resolve, reject };
}
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('so many works run at once, the next ones in their order, and beyond the line they are refused', async () => {
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

test('a work that fails, or throws at once, leaves its place to the next', async () => {
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
