import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openSiteImportStage, type FakeSite, type SiteImportStage } from './site-import-stage.ts';

let stage: SiteImportStage;
beforeEach(async () => {
  stage = await openSiteImportStage();
});
afterEach(() => stage?.close());

const DAY = 86_400_000;
const then = Date.UTC(2019, 4, 1);
const picture = (colour: string) =>
  sharp({ create: { width: 40, height: 30, channels: 3, background: colour } })
    .png()
    .toBuffer();

const SITE: FakeSite = {
  users: [
    { key: 'u1', id: '5c0000000000000000000001', username: '老张', created: then, bio: '写字的人' },
    { key: 'u2', username: 'admin' },
    { key: 'g1', username: '路人', isGuest: true },
  ],
  tags: [{ name: '生活', description: '日子', id: '5c00000000000000000000aa', creator: 'u1', created: then }],
  series: [{ key: 's', author: 'u1', title: '旅行', description: '走过的路' }],
  articles: [
    {
      key: 'a1',
      id: '5c0000000000000000000011',
      author: 'u1',
      title: '第一篇',
      content:
        '见[第二篇](https://old.example/2019/second/)，[关于](/about)，[别处](https://else.example/)。',
      tags: ['生活'],
      created: then,
      updated: then + DAY,
      series: { key: 's', no: 2 },
      formerPaths: ['/2019/first/'],
      isPinned: true,
    },
    {
      key: 'a2',
      author: 'u2',
      title: '第二篇',
      content: '回到[第一篇](/2019/first#h)。',
      created: then + DAY,
      formerPaths: ['/2019/second/'],
    },
    { key: 'a3', author: 'u1', title: '开头', content: '更早', series: { key: 's', no: 1 }, isSecret: true },
  ],
  comments: [
    { key: 'c2', article: 'a1', author: 'u1', content: '谢谢', created: then + 3 * DAY, replyTo: 'c1' },
    { key: 'c1', article: 'a1', author: 'g1', content: '写得好 @老张', created: then + 2 * DAY },
    { key: 'c3', article: 'a1', author: 'g1', content: '等一等', created: then + 4 * DAY, isHeld: true },
    { key: 'c4', article: 'gone', author: 'g1', content: '无处', created: then },
  ],
};

const idOf = async (title: string) =>
  String((await stage.rows(`select id from articles where title = '${title}'`))[0]?.['id']);

test('a site comes in whole: ids, times, links, series, threads, and nobody is told', async () => {
  const report = await stage.run(SITE);
  expect(report.articles).toEqual({ created: 3, updated: 0, unchanged: 0, skipped: 0, failed: 0 });
  expect(report.users).toEqual({ created: 3, mapped: 0, known: 0 });
  expect(report.comments).toEqual({ created: 3, held: 1, known: 0, lost: 1 });
  const { articles, comments, users, formerPaths } = stage.app.services;
  const second = await idOf('第二篇');
  expect(await formerPaths.find('/2019/second/')).toBe(second);
  const first = await articles.read('5c0000000000000000000011', null);
  expect(first.content).toBe(
    `见[第二篇](/detail/${second})，[关于](https://old.example/about)，[别处](https://else.example/)。`,
  );
  expect(first).toMatchObject({
    create_user: '老张',
    create_time: new Date(then).toISOString(),
    update_time: new Date(then + DAY).toISOString(),
    pinned: true,
  });
  expect((await articles.read(second, null)).content).toBe(
    '回到[第一篇](/detail/5c0000000000000000000011#h)。',
  );
  expect((await articles.read(second, null)).create_user).toBe('admin-2');
  const series = await stage.rows(
    "select title, series_no from articles where series != '' order by series_no",
  );
  expect(series.map(({ title }) => title)).toEqual(['开头', '第一篇']);
  const { items } = await comments.pageOfArticle(first._id, { page: 1, order: 'oldest' }, null);
  expect(
    items.map(({ create_user, content, reply_user, reply_content }) => [
      create_user,
      content,
      reply_user,
      reply_content,
    ]),
  ).toEqual([
    ['路人', '写得好 @老张', '', ''],
    ['老张', '谢谢', '路人', '写得好 @老张'],
  ]);
  const author = { id: '5c0000000000000000000001', username: '老张', signinId: '' };
  expect(await comments.countUnread(author)).toBe(0);
  expect(await comments.ofUser('to_user', { page: 1, pageSize: 10 }, author)).toMatchObject({ total: 1 });
  expect((await users.detail('老张')).bio).toBe('写字的人');
  expect(await stage.count('select count(*) from outbox')).toBe(0);
  expect((await stage.app.services.articles.search('更早', { page: 1, pageSize: 10 })).total).toBe(0);
  expect((await stage.app.services.articles.search('回到', { page: 1, pageSize: 10 })).total).toBe(1);
});

test('twice is once', async () => {
  await stage.run(SITE);
  const before = await stage.rows('select id, title, update_time from articles order by id');
  const report = await stage.run(SITE);
  expect(report.articles).toMatchObject({ created: 0, updated: 0, unchanged: 3, failed: 0 });
  expect(report.comments).toMatchObject({ created: 0, known: 3, lost: 1 });
  expect(report.users).toEqual({ created: 0, mapped: 0, known: 3 });
  expect(await stage.rows('select id, title, update_time from articles order by id')).toEqual(before);
  expect(await stage.count('select count(*) from users')).toBe(3);
});

describe('a dry run', () => {
  test('writes nothing and reports the same', async () => {
    const site = { ...SITE, pictures: { 'https://old.example/a.png': await picture('red') } };
    const foreseen = await stage.run(site, { isDryRun: true });
    for (const table of ['users', 'articles', 'comments', 'tags', 'series', 'imports', 'files'])
      expect([table, await stage.count(`select count(*) from ${table}`)]).toEqual([table, 0]);
    expect({ ...(await stage.run(site)), isDryRun: true }).toEqual(foreseen);
  });
});
