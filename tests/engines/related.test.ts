import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { ArticleDraft } from '../../src/lib/server/articles/core/save-article.ts';
import type { BlogEvent } from '../../src/lib/server/db/events.ts';
import { openImportStage, type ImportStage } from './import-stage.ts';

let stage: ImportStage;
let told: BlogEvent[];
beforeAll(async () => {
  stage = await openImportStage();
  stage.app.services.related.start();
  stage.app.events.listen((event) => void told.push(event));
  told = [];
});
afterEach(async () => {
  for (const article of (await stage.articles()).values())
    await stage.app.services.articles.remove(article._id, stage.author);
  await stage.app.services.related.settled();
  told = [];
});
afterAll(() => stage.close());

const blank = { tags: [] as string[], type: '', secret: false, status: 'normal' as 'normal' | 'draft' };
const write = async (fields: Partial<ArticleDraft> & { title: string; content: string }): Promise<string> => {
  const { id } = await stage.app.services.articles.create({ ...blank, ...fields }, stage.author);
  await stage.app.services.related.settled();
  return id;
};
type Changed = Partial<typeof blank> & { title: string; content: string };
const edit = async (id: string, fields: Changed) => {
  await stage.app.services.articles.edit({ ...blank, ...fields, id }, stage.author);
  await stage.app.services.related.settled();
};
const relatedTo = async (id: string) =>
  (await stage.app.services.related.list(id)).map(({ item }) => item.title);
const rowsOf = (table: string, id: string) =>
  stage.count(`select count(*) as count from ${table} where article_id = '${id}'`);
/** Articles whose pages were invalidated because their related articles changed. */
const droppedFor = () => told.flatMap((event) => (event.type === 'related-changed' ? event.articleIds : []));

const TEA = {
  title: '龙井的炒制',
  content: '龙井茶的炒制要看火候：青锅、回潮、辉锅，茶叶在锅里压扁成形。',
  tags: ['茶'],
};
const GREEN = {
  title: '绿茶怎样杀青',
  content: '绿茶的杀青靠炒锅或蒸汽，火候决定茶叶的香气，龙井就是炒青。',
  tags: ['茶'],
};
const POOL = {
  title: '线程池的参数',
  content: '线程池有核心线程数、最大线程数和阻塞队列，任务先进队列。',
  tags: ['Java'],
};
const THREAD = {
  title: '虚拟线程与线程池',
  content: '虚拟线程不必放进线程池，任务多时阻塞的线程很便宜。',
  tags: ['Java'],
};
const STARS = { title: '冬夜看猎户座', content: '猎户座的腰带三星连成一线，往下是天狼星。', tags: ['天文'] };
/** Other articles, because the frequency of a word is relative to the whole site. */
const OTHERS = ['修自行车', '做糖醋排骨', '养多肉植物', '学吹口琴', '读唐诗', '跑马拉松'].map((title) => ({
  title,
  content: `${title}的心得，写给自己。`,
  tags: ['生活'],
}));

test('articles with the same words and tags are related, both ways, and others are not', async () => {
  for (const other of [STARS, ...OTHERS]) await write(other);
  const tea = await write(TEA);
  const pool = await write(POOL);
  const green = await write(GREEN);
  const thread = await write(THREAD);
  expect(await relatedTo(tea)).toEqual([GREEN.title]);
  expect(await relatedTo(green)).toEqual([TEA.title]);
  expect(await relatedTo(pool)).toEqual([THREAD.title]);
  expect(await relatedTo(thread)).toEqual([POOL.title]);
  // The pages of both are invalidated.
  expect(droppedFor()).toEqual(expect.arrayContaining([tea, green, pool, thread]));
});

test('one common tag or word does not make articles related', async () => {
  for (const other of OTHERS) await write(other);
  const stars = await write(STARS);
  const clouds = await write({
    title: '夏天的积雨云',
    content: '积雨云底平顶高，雷雨将至。',
    tags: ['天文'],
  });
  expect(await relatedTo(stars)).toEqual([]);
  expect(await relatedTo(clouds)).toEqual([]);
});

test.each([
  ['made secret', (id: string) => edit(id, { ...GREEN, secret: true })],
  ['made a draft', (id: string) => edit(id, { ...GREEN, status: 'draft' })],
  ['deleted', async (id: string) => stage.app.services.articles.remove(id, stage.author)],
])('one that is %s is unrelated at once, without leftovers', async (_, hide) => {
  for (const other of OTHERS) await write(other);
  const tea = await write(TEA);
  const green = await write(GREEN);
  expect(await relatedTo(tea)).toEqual([GREEN.title]);
  await hide(green);
  // Immediately, without waiting for the background job.
  expect(await relatedTo(tea)).toEqual([]);
  expect(await relatedTo(green)).toEqual([]);
  await stage.app.services.related.settled();
  for (const table of ['related_terms', 'related_topics', 'related_articles'])
    expect(await rowsOf(table, green), table).toBe(0);
});

test('drafts are ignored', async () => {
  for (const other of OTHERS) await write(other);
  const tea = await write(TEA);
  const draft = await write({ ...GREEN, status: 'draft' });
  expect(await relatedTo(tea)).toEqual([]);
  expect(await rowsOf('related_terms', draft)).toBe(0);
});

test('an article with a new subject gets other related articles', async () => {
  for (const other of OTHERS) await write(other);
  const tea = await write(TEA);
  await write(POOL);
  const changed = await write(GREEN);
  await edit(changed, THREAD);
  expect(await relatedTo(tea)).toEqual([]);
  expect(await relatedTo(changed)).toEqual([POOL.title]);
});

test('articles missed earlier are processed later: those of a former release, then hidden ones', async () => {
  for (const other of OTHERS) await write(other);
  const tea = await write(TEA);
  const green = await write(GREEN);
  const { db, services } = stage.app;
  await db.write(async (trx) => {
    for (const table of ['related_terms', 'related_topics', 'related_articles'] as const)
      await trx.deleteFrom(table).execute();
  });
  expect(await relatedTo(tea)).toEqual([]);
  await services.related.catchUp();
  expect(await relatedTo(tea)).toEqual([GREEN.title]);
  await db.write(async (trx) => {
    await trx.updateTable('articles').set({ is_public: 0, secret: 1 }).where('id', '=', green).execute();
  });
  await services.related.catchUp();
  expect(await rowsOf('related_terms', green)).toBe(0);
});
