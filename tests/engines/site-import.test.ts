import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openSiteImportStage, type FakeSite, type SiteImportStage } from './site-import-stage.ts';
import { DAY_MS } from '../../src/lib/contract/rules/units.ts';

let stage: SiteImportStage;
beforeEach(async () => {
  stage = await openSiteImportStage();
});
afterEach(() => stage?.close());

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
      updated: then + DAY_MS,
      series: { key: 's', no: 2 },
      formerPaths: ['/2019/first/'],
      isPinned: true,
    },
    {
      key: 'a2',
      author: 'u2',
      title: '第二篇',
      content: '回到[第一篇](/2019/first#h)。',
      created: then + DAY_MS,
      formerPaths: ['/2019/second/'],
    },
    { key: 'a3', author: 'u1', title: '开头', content: '更早', series: { key: 's', no: 1 }, isSecret: true },
  ],
  comments: [
    { key: 'c2', article: 'a1', author: 'u1', content: '谢谢', created: then + 3 * DAY_MS, replyTo: 'c1' },
    { key: 'c1', article: 'a1', author: 'g1', content: '写得好 @老张', created: then + 2 * DAY_MS },
    { key: 'c3', article: 'a1', author: 'g1', content: '等一等', created: then + 4 * DAY_MS, isHeld: true },
    { key: 'c4', article: 'gone', author: 'g1', content: '无处', created: then },
  ],
};

const idOf = async (title: string) =>
  String((await stage.rows(`select id from articles where title = '${title}'`))[0]?.['id']);

test('a site is imported completely: ids, times, links, series, threads, and notifies no one', async () => {
  const report = await stage.run(SITE);
  expect(report.articles).toEqual({ created: 3, updated: 0, unchanged: 0, skipped: 0, failed: 0 });
  expect(report.users).toEqual({ created: 3, mapped: 0, known: 0 });
  expect(report.comments).toEqual({ created: 3, held: 1, known: 0, lost: 1 });
  const { articles, comments, users, formerPaths } = stage.app.services;
  const second = await idOf('第二篇');
  expect((await formerPaths.find('/2019/second/'))?.id).toBe(second);
  const first = await articles.read('5c0000000000000000000011', null);
  expect(first.content).toBe(
    `见[第二篇](/detail/${second})，[关于](https://old.example/about)，[别处](https://else.example/)。`,
  );
  expect(first).toMatchObject({
    create_user: '老张',
    create_time: new Date(then).toISOString(),
    update_time: new Date(then + DAY_MS).toISOString(),
    pinned: true,
  });
  expect((await articles.read(second, null)).content).toBe(
    '回到[第一篇](/detail/5c0000000000000000000011#h)。',
  );
  expect((await articles.read(second, null)).create_user).toBe('admin2');
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
  const author = { id: '5c0000000000000000000001', username: '老张', signinId: '', origin: '' };
  expect(await comments.countUnread(author)).toBe(0);
  expect(await comments.ofUser('to_user', { page: 1, pageSize: 10 }, author)).toMatchObject({ total: 1 });
  expect((await users.detail('老张')).bio).toBe('写字的人');
  expect(await stage.count('select count(*) from outbox')).toBe(0);
  expect((await stage.app.services.articles.search('更早', { page: 1, pageSize: 10 })).total).toBe(0);
  expect((await stage.app.services.articles.search('回到', { page: 1, pageSize: 10 })).total).toBe(1);
});

test('a second import changes nothing', async () => {
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

describe('names', () => {
  const nameOf = async (key: string) =>
    (
      await stage.rows(`select username from imports join users on users.id = article_id
      where source like 'site:%:user:${key}'`)
    )[0]?.['username'];

  test('that are taken, confusable, reserved or invalid are adapted and reported', async () => {
    const { accounts } = stage.app.services;
    await accounts.add({ username: 'alice', password: '松风吹解带山月照弹琴', bio: '' });
    const users = [
      ['same', 'Alice', 'Alice-2'],
      ['similar', 'аlice', 'аlice-3'],
      ['reserved', '管理员', '用户'],
      ['short', '王', '王_'],
      ['long', '一二三四五六七八九十一二三四五六七八九十廿', '一二三四五六七八九十一二三四五六七八九十'],
      ['mail', 'bob@mail.example', 'bob'],
      ['signs', ' a/b  c! ', 'a_b_c'],
      ['none', '！？', '用户-2'],
      ['fine', '李四', '李四'],
    ] as const;
    const report = await stage.run({ users: users.map(([key, username]) => ({ key, username })) });
    for (const [key, , becomes] of users) expect([key, await nameOf(key)]).toEqual([key, becomes]);
    const told = report.notes.filter(({ why }) => why.includes('改名为')).map(({ what }) => what);
    expect(told).toEqual(users.slice(0, -1).map(([, username]) => `用户 ${username}`));
  });

  test('of guests are never merged, and become unique', async () => {
    const { accounts } = stage.app.services;
    await accounts.add({ username: '路人', password: '松风吹解带山月照弹琴', bio: '' });
    const article = { key: 'a', author: 'u', title: '题', content: '文' };
    const guests = ['g1', 'g2', 'g3'].map((key) => ({ key, username: '路人', isGuest: true }));
    const comments = ['g1', 'g2'].map((author) => ({
      key: author,
      article: 'a',
      author,
      content: '来过',
      created: then,
    }));
    const site = { users: [{ key: 'u', username: '作者' }, ...guests], articles: [article], comments };
    const report = await stage.run(site, { mergesUsers: true });
    expect(report.users).toEqual({ created: 3, mapped: 0, known: 0 });
    expect([await nameOf('g1'), await nameOf('g2'), await nameOf('g3')]).toEqual([
      '路人-2',
      '路人-3',
      undefined,
    ]);
  });
});

describe('content beyond the limits', () => {
  const users = [{ key: 'u', username: '作者' }];

  test('of articles is refused, or saved as a draft, and reported', async () => {
    const article = (key: string, more: object) => ({ key, author: 'u', title: key, content: '文', ...more });
    const report = await stage.run({
      users,
      articles: [
        article('long', { content: '长'.repeat(200_001) }),
        article('empty', { content: ' ' }),
        article('future', { created: Date.now() + DAY_MS }),
        article('tags', { tags: Array.from({ length: 12 }, (_, index) => `标签${index}`) }),
        article('untagged', { tags: [] }),
        article('untitled', { title: '', content: '# 第一句\n\n第二句' }),
        article('unowned', { author: 'nobody' }),
        article('deep', { content: `${'#'.repeat(2)} 节\n\n`.repeat(2_001) }),
      ],
    });
    expect(report.articles).toEqual({ created: 6, updated: 0, unchanged: 0, skipped: 0, failed: 2 });
    const rows = await stage.rows('select title, status, tags from articles order by title');
    expect(Object.fromEntries(rows.map(({ title, status }) => [title, status]))).toEqual({
      deep: 'draft',
      empty: 'draft',
      future: 'draft',
      tags: 'normal',
      untagged: 'normal',
      第一句: 'normal',
    });
    expect(rows.find(({ title }) => title === 'untagged')?.['tags']).toBe('["未分类"]');
    const told = report.notes.map(({ what, why }) => `${what}：${why}`).join('\n');
    for (const line of [
      '《long》：没有导入：正文超过',
      '《unowned》：没有导入',
      '《deep》：已作为草稿',
      '标签超过 10 个',
    ])
      expect(told).toContain(line);
  });

  test('of comments is split, in order, without losing a word', async () => {
    const content = `${'甲'.repeat(1_500)}\n\n${'乙'.repeat(1_500)}`;
    const comments = [{ key: 'c', article: 'a', author: 'u', content, created: then }];
    await stage.run({ users, articles: [{ key: 'a', author: 'u', title: '题', content: '文' }], comments });
    const rows = await stage.rows('select content from comments order by create_time');
    expect(rows.map((row) => row['content'])).toEqual(['甲'.repeat(1_500), '乙'.repeat(1_500)]);
  });

  test('circular replies are imported without parents, each once', async () => {
    const comment = (key: string, replyTo: string) => ({
      key,
      replyTo,
      article: 'a',
      author: 'u',
      content: key,
      created: then,
    });
    const articles = [{ key: 'a', author: 'u', title: '题', content: '文' }];
    const comments = [comment('1', '2'), comment('2', '1'), comment('3', '1'), comment('4', 'gone')];
    const report = await stage.run({ users, articles, comments });
    expect(report.comments).toEqual({ created: 4, held: 0, known: 0, lost: 0 });
  });
});

test('a picture is stored once per author by content; an invalid one stays external', async () => {
  const red = await picture('red');
  const article = (key: string, author: string, content: string) => ({ key, author, title: key, content });
  const report = await stage.run({
    users: [
      { key: 'u', username: '作者', avatar: '/face.png' },
      { key: 'v', username: '别人' },
    ],
    articles: [
      { ...article('a', 'u', '![](/1.png) ![](https://old.example/2.png) ![](/bad.png)'), cover: '/1.png' },
      article('b', 'v', '[![](/1.png)](/2.png) ![](/none.png) ![](https://else.example/x.png)'),
    ],
    pictures: {
      '/face.png': red,
      '/1.png': red,
      '/2.png': red,
      'https://old.example/2.png': red,
      '/bad.png': Buffer.from('nothing to see'),
    },
  });
  const files = await stage.rows('select name, owner_id, kind from files order by kind, name');
  expect(files.map(({ kind }) => kind)).toEqual(['avatar', 'image', 'image']);
  const contents = await stage.rows(
    'select content, cover from article_bodies join articles on articles.id = article_id order by title',
  );
  const [own, others] = contents.map(({ content }) => String(content));
  expect(own).toMatch(/^!\[\]\((\/api\/file\/\S+)\) !\[\]\(\1\) !\[\]\(https:\/\/old\.example\/bad\.png\)$/);
  expect(others).toMatch(
    /^\[!\[\]\((\/api\/file\/\S+)\)\]\(\1\) !\[\]\(https:\/\/old\.example\/none\.png\) !\[\]\(https:\/\/else\.example\/x\.png\)$/,
  );
  expect(contents[0]?.['cover']).toMatch(/^\/api\/file\//);
  expect(report.pictures).toBe(3);
});

test('pictures inside of texts become files, however long their addresses are', async () => {
  const bytes = await sharp({ create: { width: 40, height: 20, channels: 3, background: '#135' } })
    .png()
    .toBuffer();
  const address = `data:image/png;base64,${bytes.toString('base64')}`;
  const long = `data:image/png;base64,${'A'.repeat(300_000)}`;
  const content = `![图](${address})\n\n![坏](${long})`;
  const article = { key: 'p', author: 'u', title: '内嵌', content };
  const report = await stage.run({ users: [{ key: 'u', username: '作者甲' }], articles: [article] });
  const [row] = await stage.rows('select content from article_bodies');
  expect(row?.['content']).toMatch(
    /^!\[图\]\(\/api\/file\/[0-9a-f]{32}-40x20\.png\)\n\n（图片缺失“坏”：内嵌的图片）$/,
  );
  expect(report.pictures).toBe(1);
  expect(report.notes.map(({ what, why }) => `${what}：${why}`)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^文章《内嵌》：内嵌的图片没有导入，文中留下说明（无法识别的图片/),
    ]),
  );
});

test('an interrupted import resumes', async () => {
  const stop = new AbortController();
  const report = await stage.run(SITE, {
    signal: stop.signal,
    onProgress: (step) => step === 'articles' && stop.abort(),
  });
  expect(report.wasStopped).toBe(true);
  expect(report.comments.created).toBe(0);
  await stage.run(SITE);
  expect([
    await stage.count('select count(*) from articles'),
    await stage.count('select count(*) from comments'),
    await stage.count('select count(*) from withheld_comments'),
  ]).toEqual([3, 2, 1]);
});
