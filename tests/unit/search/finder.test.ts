import { describe, expect, test } from 'vitest';
import { createFinder } from '../../../src/lib/server/search/finder.ts';
import type { IndexReader } from '../../../src/lib/server/search/reader.ts';

const noCutter = async () => () => [];
const query = { keywords: '线程', page: 1, pageSize: 10 };

/** A snapshot of an index in which documents 1 to `total` contain the words in their titles. */
function snapshotOf(generation: number, total: number, asked: string[] = []): IndexReader {
  const list = (limit = total) =>
    Float64Array.from({ length: Math.min(limit, total) }, (_, index) => total - index);
  return {
    startWordSearch: () => generation,
    changesAfter: (known) =>
      Array.from({ length: generation - known }, (_, index) => total - generation + known + index + 1),
    folded: (documents) =>
      new Map(
        documents.map((document) => [
          document,
          { title: '线程', tags: '', author: '', headings: '', text: '', labels: [] },
        ]),
      ),
    count() {
      asked.push(`count at ${generation}`);
      return total;
    },
    all: () => list(),
    newest: (_place, _wanted, limit) => list(limit),
    newestOfSome: () => new Float64Array(),
    holding: () => new Float64Array(),
    titlesFrom: () => new Float64Array(),
    heads: (documents) =>
      documents.map((document) => ({
        document,
        id: `${document}`,
        title: '线程',
        tags: [],
        author: '',
        author_name: '',
        banned_until: null,
        closed: '',
        headings: '',
      })),
    openings: () => new Map(),
    articles: (documents) =>
      documents.map((document) => ({ document, id: `${document}`, title: '线程', text: '' })),
  };
}

describe('searches that go on at a time', () => {
  test('a slow one on an old snapshot does not affect later ones', async () => {
    const finder = createFinder(noCutter);
    const old = snapshotOf(5, 20);
    const counting = Promise.withResolvers<number>();
    const slow = finder.find({ ...old, count: () => counting.promise }, query);
    expect((await finder.find(snapshotOf(6, 21), query)).total).toBe(21);
    counting.resolve(20);
    expect((await slow).total).toBe(20);
    const { hits, total } = await finder.find(snapshotOf(6, 21), query);
    expect([total, hits[0]?.articleId]).toEqual([21, '21']);
  });

  test('one that began before a change does not see results of later ones', async () => {
    const finder = createFinder(noCutter);
    const generation = Promise.withResolvers<number>();
    const late = finder.find({ ...snapshotOf(5, 20), startWordSearch: () => generation.promise }, query);
    await finder.find(snapshotOf(6, 21), query);
    generation.resolve(5);
    expect((await late).total).toBe(20);
    expect((await finder.find(snapshotOf(6, 21), query)).total).toBe(21);
  });

  test('one for a distant page uses its first snapshot', async () => {
    const finder = createFinder(noCutter);
    const far = { ...query, page: 40 };
    const counting = Promise.withResolvers<number>();
    const slow = finder.find({ ...snapshotOf(5, 400), count: () => counting.promise }, far);
    await finder.find(snapshotOf(6, 401), far);
    counting.resolve(400);
    expect((await slow).hits.at(-1)?.articleId).toBe('1');
  });

  test('each applies the changes once, despite concurrent ones', async () => {
    const finder = createFinder(noCutter);
    for (const generation of [1, 2]) await finder.find(snapshotOf(generation, 20 + generation), query);
    const totals = await Promise.all(
      [3, 4, 4, 3].map((generation) => finder.find(snapshotOf(generation, 20 + generation), query)),
    );
    expect(totals.map(({ total }) => total)).toEqual([23, 24, 24, 23]);
    expect((await finder.find(snapshotOf(4, 24), query)).total).toBe(24);
  });
});

describe('kept results', () => {
  test('answer the same query until a change, and then update', async () => {
    const finder = createFinder(noCutter);
    const asked: string[] = [];
    await finder.find(snapshotOf(1, 20, asked), query);
    await finder.find(snapshotOf(1, 20, asked), query);
    expect(asked).toEqual(['count at 1']);
    for (const generation of [2, 3, 4]) {
      const { total } = await finder.find(snapshotOf(generation, 19 + generation, asked), query);
      expect(total).toBe(19 + generation);
    }
    expect(asked).toEqual(['count at 1']);
  });
});
