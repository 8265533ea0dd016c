import { expect, test, vi } from 'vitest';
import { createUnreadCounts } from '../../../src/lib/server/live/unread-counts.ts';

/** Counts of which the test decides when each query is answered. */
function stage() {
  const queries: { ids: readonly string[]; answer(counts: Record<string, number>): void; fail(): void }[] =
    [];
  const sent: [id: string, sockets: readonly string[] | null, count: number][] = [];
  const failed = vi.fn<(error: unknown) => void>();
  const counts = createUnreadCounts<string>({
    countUnread: (ids) =>
      new Promise((resolve, reject) =>
        queries.push({
          ids,
          answer: (found) => resolve(new Map(Object.entries(found))),
          fail: () => reject(new Error('no storage')),
        }),
      ),
    send: (...message) => sent.push(message),
    failed,
  });
  return { ask: counts.ask, queries, sent, failed };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('ten thousand users are counted by twenty queries', async () => {
  const { ask, queries, sent } = stage();
  for (let index = 0; index < 10_000; index++) ask(`user ${index}`);
  for (let index = 0; index < 20; index++) {
    await settled();
    queries[index]?.answer({ 'user 700': 3 });
  }
  await settled();
  expect(queries.map(({ ids }) => ids.length)).toEqual(Array<number>(20).fill(500));
  expect(sent).toHaveLength(10_000);
  expect(sent[700]).toEqual(['user 700', null, 3]);
  expect(sent[701]).toEqual(['user 701', null, 0]);
});

test('requests during a query are merged and counted again, so the last count is the newest', async () => {
  const { ask, queries, sent } = stage();
  ask('wei', 'phone');
  await settled();
  ask('wei', 'desk');
  ask('wei');
  ask('wei', 'tablet');
  ask('di', 'phone');
  queries[0]?.answer({ wei: 1 });
  await settled();
  queries[1]?.answer({ wei: 2 });
  await settled();
  expect(sent).toEqual([
    ['wei', ['phone'], 1],
    ['wei', null, 2],
    ['di', ['phone'], 0],
  ]);
  expect(queries).toHaveLength(2);
});

test('a failed query is reported and the next users are counted', async () => {
  const { ask, queries, sent, failed } = stage();
  ask('wei');
  await settled();
  ask('di');
  queries[0]?.fail();
  await settled();
  queries[1]?.answer({ di: 4 });
  await settled();
  expect(failed).toHaveBeenCalledOnce();
  expect(sent).toEqual([['di', null, 4]]);
});
