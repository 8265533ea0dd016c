import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openImportStage, type ImportStage } from './import-stage.ts';

const request = { page: 1, pageSize: 50 };

let stage: ImportStage;
beforeAll(async () => {
  stage = await openImportStage();
  const write = async (title: string, time: string, fields: object = {}) =>
    stage.app.services.articles.create(
      {
        title,
        content: '正文',
        tags: ['甲', '乙'],
        type: '',
        secret: false,
        status: 'normal',
        ...fields,
        create_time: Date.parse(time),
      },
      stage.author,
    );
  await write('年末', '2025-12-31T15:59:59.999Z');
  await write('元旦', '2025-12-31T16:00:00.000Z');
  await write('除夕', '2026-02-16T12:00:00.000Z');
  await write('正月', '2026-02-20T12:00:00.000Z', { tags: ['乙', '丙'] });
  await write('秘密', '2026-03-01T12:00:00.000Z', { secret: true, tags: ['甲', '藏'] });
  await write('草稿', '2026-03-02T12:00:00.000Z', { status: 'draft', tags: ['甲', '藏'] });
});
afterAll(() => stage?.close());

const titlesOf = ({ result }: { result: readonly { title: string }[] }) => result.map(({ title }) => title);

describe('the archive', () => {
  test('counts public articles by month in the site’s time zone, newest first', async () => {
    expect(await stage.app.services.archive.months()).toEqual([
      { year: 2026, month: 2, page_num: 2 },
      { year: 2026, month: 1, page_num: 1 },
      { year: 2025, month: 12, page_num: 1 },
    ]);
  });

  test.each([
    ['a year', { year: 2026 }, ['正月', '除夕', '元旦']],
    ['a month', { year: 2026, month: 2 }, ['正月', '除夕']],
    ['the last month of a year', { year: 2025, month: 12 }, ['年末']],
    ['a month of hidden articles', { year: 2026, month: 3 }, []],
  ] as const)('lists %s, newest first', async (_, of, titles) => {
    const list = await stage.app.services.archive.listOf(of, request);
    expect(titlesOf(list)).toEqual(titles);
    expect(list.total).toBe(titles.length);
  });

  test('lists an author’s public articles in pages', async () => {
    const { archive } = stage.app.services;
    const part = { page: 2, pageSize: 3 };
    expect(titlesOf(await archive.listOfAuthor(stage.author.id, request))).toHaveLength(4);
    expect(await archive.listOfAuthor(stage.author.id, part)).toMatchObject({
      total: 4,
      page: 2,
      pageCount: 2,
      result: [{ title: '年末', create_user: '作者' }],
    });
    expect(titlesOf(await archive.listAll(part))).toEqual(['年末']);
  });
});

test('publishing, hiding, deleting and restoring update the counts of their day, also before 1970', async () => {
  const { articles, trash, archive } = stage.app.services;
  const before = await archive.months();
  const fields = {
    title: '旧文',
    content: '正文',
    tags: ['乙'],
    type: '',
    secret: false,
    status: 'normal' as const,
  };
  const create_time = Date.parse('1969-12-20T12:00:00.000Z');
  const countOf = async () => {
    // The stored counts per day must equal the number of articles.
    const [counted] = await stage.rows(`select count(*) as difference from (
      select day, article_num from article_days where article_num > 0 except
      select (create_time - ((create_time % 86400000) + 86400000) % 86400000) / 86400000, count(*)
      from articles where is_public = 1 group by 1) as days`);
    expect(Number(counted?.['difference'])).toBe(0);
    return (await archive.listOf({ year: 1969, month: 12 }, request)).total;
  };
  const { id } = await articles.create({ ...fields, create_time }, stage.author);
  expect(await countOf()).toBe(1);
  expect(await archive.months()).toEqual([...before, { year: 1969, month: 12, page_num: 1 }]);
  await articles.edit({ ...fields, id, secret: true }, stage.author);
  expect(await countOf()).toBe(0);
  await articles.edit({ ...fields, id }, stage.author);
  expect(await countOf()).toBe(1);
  await articles.remove(id, stage.author);
  expect(await countOf()).toBe(0);
  await trash.restore(id, stage.author);
  expect(await countOf()).toBe(1);
  await articles.remove(id, stage.author);
  expect(await archive.months()).toEqual(before);
});

describe('tags', () => {
  test('come with their two newest public articles', async () => {
    const { result } = await stage.app.services.tags.list(request);
    const latest = result.map(({ name, latest: titles = [] }) => [name, ...titles.map(({ title }) => title)]);
    expect(new Map(latest.map(([name, ...titles]) => [name, titles]))).toEqual(
      new Map([
        ['乙', ['正月', '除夕']],
        ['甲', ['除夕', '元旦']],
        ['丙', ['正月']],
      ]),
    );
  });

  test('list co-occurring tags of public articles, most frequent first', async () => {
    const { tags } = stage.app.services;
    expect((await tags.detail('乙', null)).related).toEqual(['甲', '丙']);
    // 藏 is visible to its creator only.
    expect((await tags.detail('甲', stage.author)).related).toEqual(['乙']);
  });
});
