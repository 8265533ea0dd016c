import { afterAll, beforeAll, expect, test } from 'vitest';
import { listArticles } from '../../src/lib/server/articles/core/list-queries.ts';
import { DAY_MS } from '../../src/lib/contract/rules/units.ts';
import { openImportStage, type ImportStage } from './import-stage.ts';

let stage: ImportStage;
let ids: string[];
beforeAll(async () => {
  stage = await openImportStage();
  ids = [];
  for (let number = 0; number < 12; number++) {
    const fields = { title: `第 ${number} 篇`, content: '正文', tags: [], type: '', secret: false };
    const times = { create_time: 1000 * number };
    const { id } = await stage.app.services.articles.create(
      { ...fields, ...times, status: 'normal' },
      stage.author,
    );
    ids.unshift(id);
  }
});
afterAll(() => stage?.close());

test.each([
  ['the first page', { offset: 0, limit: 10 }, [0, 10]],
  ['the last page', { offset: 10, limit: 10 }, [10, 12]],
  ['a page beyond the middle', { offset: 8, limit: 2 }, [8, 10]],
])('%s is cut from the nearer end', async (_, part, [from, to]) => {
  const { db } = stage.app;
  const rows = await listArticles(db.read, { of: 'public' }, { ...part, sort: 'create_time', total: 12 });
  expect(rows.map(({ id }) => id)).toEqual(ids.slice(from, to));
});

test('articles published after the list was counted displace none from its page', async () => {
  const { db } = stage.app;
  // The total was counted when there were 9 articles; now there are 12.
  const part = { offset: 0, limit: 20, sort: 'create_time', total: 9 } as const;
  expect((await listArticles(db.read, { of: 'public' }, part)).map(({ id }) => id)).toEqual(ids);
});

test('far pages, located with the daily counts, have the same articles as the others', async () => {
  const far = await openImportStage();
  try {
    const { articles } = far.app.services;
    const write = async (create_time: number, title: string) => {
      const fields = { title, content: '正文', tags: [], type: '', status: 'normal' as const, secret: false };
      return (await articles.create({ ...fields, create_time }, far.author)).id;
    };
    const days = [-2, -2, 0, 0, 0, 3, 3, 4, 9, 9];
    for (const [index, day] of days.entries()) await write(day * DAY_MS + index, `第 ${index} 篇`);
    // Leaves a day without articles.
    await articles.remove(await write(6 * DAY_MS, '删去的'), far.author);
    const total = days.length;
    const idsOf = async (offset: number, maxSkipped: number) => {
      const part = { offset, limit: 2, sort: 'create_time', total } as const;
      const rows = await listArticles(far.app.db.read, { of: 'public' }, part, maxSkipped);
      return rows.map(({ id }) => id);
    };
    for (let offset = 0; offset < total; offset++)
      expect([offset, await idsOf(offset, -1)]).toEqual([offset, await idsOf(offset, total)]);
  } finally {
    await far.close();
  }
});
