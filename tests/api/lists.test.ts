import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { done, openServer, outcome, refused, type Fields, type Person, type TestServer } from './server.ts';
import { article } from './shapes.ts';

let server: TestServer;
let author: Person;
let other: Person;
/** Ids of the author's public articles, newest first. */
let ids: string[];
beforeAll(async () => {
  server = await openServer();
  author = await server.join('王维');
  other = await server.join('孟浩然');
  ids = [];
  for (let number = 1; number <= 23; number++) {
    server.pass(1);
    ids.unshift(
      await server.write(author, { title: `辋川集 ${number}`, tags: number % 2 ? ['五绝', '诗'] : ['诗'] }),
    );
  }
  await server.write(author, { title: '未完', status: 'draft' });
  await server.write(author, { title: '独坐', secret: 'true' });
});
afterAll(() => server?.close());

const list = async (fields: Fields = {}, token?: string) =>
  done(await server.post('/api/page/pagelist', fields, token));
const own = async (fields: Fields = {}, token = author.token) =>
  done(
    await server.post('/api/page/limitpagelist', { type: 'create_user', content: '王维', ...fields }, token),
  );
const idsOf = (data: { result: { _id: string }[] }) => data.result.map(({ _id }) => _id);

describe('the public list', () => {
  test('is newest first, ten a page, with exactly the keys of the contract', async () => {
    const data = await list();
    expect(data).toEqual({ result: expect.any(Array), total: 23 });
    expect(idsOf(data)).toEqual(ids.slice(0, 10));
    expect(data.result[0]).toEqual(
      article({ title: '辋川集 23', tags: ['五绝', '诗'], create_user: '王维' }),
    );
  });

  test('page and pageSize select a page', async () => {
    expect(idsOf(await list({ page: 2 }))).toEqual(ids.slice(10, 20));
    expect(idsOf(await list({ page: '3', pageSize: '7' }))).toEqual(ids.slice(14, 21));
    expect((await list({ page: 3 })).result).toHaveLength(3);
  });

  test.each<[string, Fields, number, number]>([
    ['page 0', { page: 0 }, 0, 10],
    ['page -5', { page: -5 }, 0, 10],
    ['no number', { page: '第二页', pageSize: '很多' }, 0, 10],
    ['empty texts', { page: '', pageSize: '' }, 0, 10],
    ['undefined', { page: 'undefined', pageSize: 'NaN' }, 0, 10],
    ['fractions', { page: '2.9', pageSize: '10.5' }, 10, 20],
    ['beyond the end', { page: 99 }, 20, 23],
    ['a huge page', { page: '1e300' }, 20, 23],
    ['infinity', { page: 'Infinity', pageSize: 5 }, 20, 23],
    ['a size of 0', { pageSize: 0 }, 0, 1],
    ['a negative size', { pageSize: -3 }, 0, 1],
    ['an enormous size', { pageSize: '99999999999999999999' }, 0, 23],
    ['lists', { 'page[]': 2, 'pageSize[x]': 3 }, 0, 10],
  ])('%s is clamped', async (_, fields, from, to) => {
    const data = await list(fields);
    expect(data.total).toBe(23);
    expect(idsOf(data)).toEqual(ids.slice(from, to));
  });

  test('can be filtered by tag or author', async () => {
    expect(await list({ type: 'tag', content: '五绝', pageSize: 100 })).toMatchObject({ total: 12 });
    expect(idsOf(await list({ type: 'create_user', content: '王维' }))).toEqual(ids.slice(0, 10));
    expect(await list({ type: 'tag', content: '没有这个' })).toEqual({ result: [], total: 0 });
    expect(await list({ type: 'create_user', content: '没有这人' })).toEqual({ result: [], total: 0 });
    expect(await list({ type: 'create_user', content: '' })).toEqual({ result: [], total: 0 });
    expect(await list({ type: 'unheard of', content: '五绝' })).toMatchObject({ total: 23 });
  });

  test('ignores status and secret in the request, even for the author', async () => {
    const expected = await list();
    for (const fields of [
      { status: 'normal', secret: 'false' },
      { status: 'draft', secret: 'true' },
      { status: 'cancel' },
    ]) {
      expect(await list(fields)).toEqual(expected);
      expect(await list({ ...fields, type: '' }, author.token)).toEqual(expected);
    }
  });

  test('it can be sorted by update', async () => {
    server.pass(10);
    const oldest = ids.at(-1) as string;
    const fields = { id: oldest, title: '辋川集 1', content: '空山新雨后', tags: ['五绝', '诗'] };
    done(await server.post('/api/page/edit', fields, author.token));
    expect(idsOf(await list({ sort: 'update_time' }))[0]).toBe(oldest);
    expect(idsOf(await list({ sort: 'update_time', type: 'tag', content: '五绝' }))[0]).toBe(oldest);
    expect(idsOf(await list({ sort: 'create_time' }))).toEqual(ids.slice(0, 10));
    expect(idsOf(await list({ sort: 'title; drop table articles' }))).toEqual(ids.slice(0, 10));
  });
});

describe('search', () => {
  const search = async (fields: Fields) => done(await server.post('/api/page/searchpage', fields));

  test('responds like a list, with the words to highlight', async () => {
    const data = await search({ keywords: '辋川集', pageSize: 10 });
    expect(data).toEqual({ result: expect.any(Array), total: 23 });
    expect(data.result).toHaveLength(10);
    const { highlight, ...item } = data.result[0];
    expect(item).toEqual(article({ title: item.title, tags: item.tags, create_user: '王维' }));
    expect(highlight).toEqual({
      title: expect.stringContaining('<mark>辋川集</mark>'),
      content: expect.any(String),
    });
  });

  test('has page numbers, which are clamped', async () => {
    const pages = await Promise.all(
      [1, 2, 3].map((page) => search({ keywords: '辋川集', page, pageSize: 10 })),
    );
    expect(new Set(pages.flatMap(idsOf)).size).toBe(23);
    expect(await search({ keywords: '辋川集', page: 99, pageSize: 10 })).toEqual(pages[2]);
    expect(await search({ keywords: '辋川集', page: -1, pageSize: 'x' })).toEqual(pages[0]);
    expect((await search({ keywords: '辋川集', pageSize: 999 })).result).toHaveLength(23);
  });

  test('has up to 100 results without a page size', async () => {
    const fields = { keywords: '辋川集' };
    for (const pageSize of ['', 'undefined', 'null', 100])
      expect(await search({ ...fields, pageSize })).toEqual(await search(fields));
    expect((await search(fields)).result).toHaveLength(23);
  });

  test('returns the whole list without words, and nothing for unknown words', async () => {
    for (const fields of [{}, { keywords: '' }, { keywords: '  ' }])
      expect(await search(fields)).toEqual(await list({ pageSize: 100 }));
    expect(await search({ keywords: '查无此词' })).toEqual({ result: [], total: 0 });
  });
});

describe('content in lists', () => {
  const shown = async (content: string) => {
    const id = await server.write(other, { content });
    const [item] = (await list({ type: 'create_user', content: '孟浩然' })).result;
    expect(item._id).toBe(id);
    return item;
  };

  test('ends at the 阅读全文 line', async () => {
    const item = await shown('空山新雨后\n\n<--阅读全文-->\n\n天气晚来秋');
    expect(item).toEqual(article({ create_user: '孟浩然', showMore: true }));
  });

  test('is complete without one', async () => {
    expect(await shown('空山新雨后')).not.toHaveProperty('showMore');
  });

  test('is cut when it is very long', async () => {
    const item = await shown('空山新雨后，天气晚来秋。\n\n'.repeat(1000));
    expect(item.showMore).toBe(true);
    expect(item.content.length).toBeLessThan(2000);
  });
});

describe('the caller’s own list', () => {
  test('has drafts or articles, secret ones too, up to 999 per page', async () => {
    const numbers = { read_num: 0, comment_num: 0, changed: false };
    const drafts = await own({ status: 'draft', page: 1, pageSize: 999 });
    expect(drafts).toEqual({
      result: [{ ...article({ title: '未完', status: 'draft', create_user: '王维' }), ...numbers }],
      total: 1,
    });
    const all = await own({ status: 'normal', pageSize: 999 });
    expect([all.total, all.result.length]).toEqual([24, 24]);
    expect(await own({ status: 'normal', secret: 'true' })).toMatchObject({
      total: 1,
      result: [{ title: '独坐', secret: true }],
    });
    expect(await own({ status: 'normal', secret: 'false' })).toMatchObject({ total: 23 });
    for (const secret of ['', 'undefined', 'null'])
      expect(await own({ secret })).toMatchObject({ total: 24 });
    expect(await own({ content: '' })).toMatchObject({ total: 24 });
    expect(await own({ status: 'cancel' })).toMatchObject({ total: 24 });
  });

  test('for another name has that user’s public articles', async () => {
    const of = async (fields: Fields) => own(fields, other.token);
    expect(await of({ status: 'normal' })).toMatchObject({ total: 23 });
    expect(await of({ status: 'draft' })).toEqual({ result: [], total: 0 });
    expect(await of({ secret: 'true' })).toEqual({ result: [], total: 0 });
    expect(await of({ content: '没有这人' })).toEqual({ result: [], total: 0 });
  });
});

test('lists hold at most 100 items, 999 where they are the caller’s own', { tags: ['once'] }, async () => {
  const writer = await server.join('白居易');
  for (let number = 0; number < 102; number++) await server.write(writer, { title: `诗 ${number}` });
  const sizes = async (fields: Fields, token: string) =>
    (await own({ content: '白居易', ...fields }, token)).result.length;
  expect((await list({ pageSize: 100 })).result).toHaveLength(100);
  expect((await list({ pageSize: 999 })).result).toHaveLength(100);
  expect((await list({ type: 'create_user', content: '白居易', pageSize: 101 })).result).toHaveLength(100);
  expect(await sizes({ pageSize: 999 }, writer.token)).toBe(102);
  expect(await sizes({ pageSize: 999 }, other.token)).toBe(100);
  expect(outcome(await server.post('/api/page/limitpagelist', {}, undefined))).toEqual(
    refused('请重新登录', 402),
  );
});
