import { afterAll, beforeAll, expect, test } from 'vitest';
import { listArticles } from '../../src/lib/server/articles/core/list-queries.ts';
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
