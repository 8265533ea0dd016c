import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { calls } from '../../src/lib/contract/calls/calls.ts';
import { treeProblem } from '../../src/lib/contract/rules/page-tree.ts';
import { listArticles } from '../../src/lib/server/closing/closing-queries.ts';
import { countWrongInvisible } from '../../src/lib/server/comments/invisible-queries.ts';
import { countWrongCounters } from '../../src/lib/server/db/stored-counters.ts';
import { countIndexFaults } from '../../src/lib/server/search/index-check.ts';
import { forgetIndex, rebuildIfNeeded } from '../../src/lib/server/search/rebuild.ts';
import { createLocalBlog } from '../../src/lib/server/local-blog.ts';
import { NUMBERS } from '../../src/lib/server/operations/doctor.ts';
import type { Viewer } from '../../src/lib/server/auth/auth-service.ts';
import { openStaffStage, type Person, type StaffStage } from './staff-stage.ts';

let stage: StaffStage;
let writer: Viewer;
let colleague: Viewer;
let author: Person;

beforeEach(async () => {
  stage = await openStaffStage();
  author = await stage.signUp('王维');
  writer = { ...(await stage.signUp('裴迪')).viewer, role: 'operator' };
  colleague = { ...(await stage.signUp('孟浩然')).viewer, role: 'operator' };
});
afterEach(() => stage.close());

const services = () => stage.app.services;
const create = async (title: string, slug: string, viewer = writer) =>
  (await services().pages.create({ title, slug }, viewer)).id;

/** Writes the text of a page; publishes it unless `more` says otherwise. */
async function write(id: string, viewer = writer, more: object = {}) {
  const editor = await services().pages.editorOf(id, viewer);
  const { update_time, title } = await services().articles.readSource(id, editor);
  const fields = {
    title,
    content: '辋川的风光',
    tags: ['诗'],
    type: '',
    secret: false,
    comments_closed: false,
  };
  await services().articles.edit({ ...fields, status: 'normal', ...more, id, update_time }, editor);
}

async function publish(title: string, slug: string, viewer = writer): Promise<string> {
  const id = await create(title, slug, viewer);
  await write(id, viewer);
  return id;
}

const slugsOf = (pages: readonly { slug: string }[]) => pages.map(({ slug }) => slug);
const published = async () => slugsOf(await services().pages.published());
const refusedWith = (code: string) => expect.objectContaining({ code });
const first = { page: 1, pageSize: 10 };

async function expectExactNumbers(): Promise<void> {
  const { read } = stage.app.db;
  expect(await countWrongInvisible(read)).toBe(0);
  for (const counter of NUMBERS) expect(await countWrongCounters(read, counter)).toBe(0);
}

describe('a published page', () => {
  test('is in no list, count, feed or archive, and its tags list nothing', async () => {
    const id = await publish('关于', 'about');
    const { articles, archive, activities, tags, users, feeds, sitemaps } = services();
    expect((await articles.list({ of: 'public' }, first)).total).toBe(0);
    expect((await articles.list({ of: 'author', authorId: writer.id }, first)).total).toBe(0);
    const own = { keywords: '', sort: 'create_time', ...first } as const;
    for (const status of ['normal', 'draft'] as const)
      for (const keywords of ['', '关于'])
        expect(await articles.listOwn({ ...own, keywords, status }, writer)).toMatchObject({
          total: 0,
          result: [],
        });
    expect(await archive.months()).toEqual([]);
    expect((await activities.list({ username: '', kind: null }, first)).total).toBe(0);
    expect((await tags.findVisible('诗', null))?.page_num ?? 0).toBe(0);
    expect((await users.info(writer.username, writer)).page_num).toBe(0);
    expect((await feeds.find('site', ''))?.items).toEqual([]);
    expect(await sitemaps.list()).toEqual([]);
    expect(await articles.read(id, null)).toMatchObject({ title: '关于', is_page: true });
    await expectExactNumbers();
  });

  test('can be opened, commented on and reported, until it is hidden', async () => {
    const id = await publish('关于', 'about');
    const commentId = await stage.comment(author, id, '写得好');
    const { articles, comments, reports, takedowns } = services();
    expect(await comments.find(commentId, null)).toMatchObject({ content: '写得好' });
    await expectExactNumbers();
    const report = { kind: 'article', id, reason: 'spam', note: '' } as const;
    await reports.create(report, author.viewer);
    await takedowns.decide('article', { ids: [id], action: 'hide', note: '广告' }, null);
    await expect(articles.read(id, null)).rejects.toEqual(refusedWith('ARTICLE_NOT_FOUND'));
    expect(await published()).toEqual([]);
    await expectExactNumbers();
    await takedowns.decide('article', { ids: [id], action: 'restore', note: '' }, null);
    expect(await published()).toEqual(['about']);
    await expectExactNumbers();
  });

  test('is found by search until it is hidden, without author and tags', async () => {
    const id = await publish('关于', 'about');
    const article = await stage.write(author, '辋川集');
    const { articles, takedowns, trash } = services();
    const found = async (words: string, narrowing = {}) =>
      (await articles.search(words, first, narrowing)).result.map(({ id: each, item }) => [each, item.page]);
    expect(await found('关于')).toEqual([[id, 'about']]);
    expect(await found('辋川')).toEqual(
      expect.arrayContaining([
        [id, 'about'],
        [article, undefined],
      ]),
    );
    for (const narrowing of [{ author: writer.username }, { tag: '诗' }])
      expect(await found('辋川的风光', narrowing)).toEqual([]);
    expect(await found(writer.username)).toEqual([]);
    expect(await articles.search('关于', first)).toMatchObject({ total: 1, authors: [], tags: [] });
    expect(await articles.suggest('关于')).toMatchObject({ titles: [{ id }], authors: [], tags: [] });
    await services().pages.change({ id, slug: 'us', in_feeds: false }, writer);
    expect(await found('关于')).toEqual([[id, 'us']]);
    await stage.app.db.write(forgetIndex);
    expect(await rebuildIfNeeded(stage.app.db)).toBe(2);
    expect(await found('关于')).toEqual([[id, 'us']]);
    const withoutFaults = { missing: 0, orphaned: 0, isStale: false };
    expect(await countIndexFaults(stage.app.db)).toEqual(withoutFaults);
    await takedowns.decide('article', { ids: [id], action: 'hide', note: '' }, null);
    expect(await found('关于')).toEqual([]);
    await takedowns.decide('article', { ids: [id], action: 'restore', note: '' }, null);
    expect(await found('关于')).toEqual([[id, 'us']]);
    await write(id, writer, { title: '秘密', secret: true });
    expect(await found('秘密')).toEqual([]);
    await write(id, writer, { title: '公开', secret: false });
    expect(await found('公开')).toEqual([[id, 'us']]);
    await articles.remove(id, writer);
    expect(await found('公开')).toEqual([]);
    await trash.restore(id, writer);
    expect(await countIndexFaults(stage.app.db)).toEqual(withoutFaults);
  });

  test('is in the feed of the site if the operator wants so', async () => {
    const id = await publish('关于', 'about');
    await services().pages.change({ id, slug: 'about', in_feeds: true }, writer);
    const items = (await services().feeds.find('site', ''))?.items ?? [];
    expect(items.map(({ title, page, html }) => [title, page, html.includes('辋川')])).toEqual([
      ['关于', 'about', true],
    ]);
  });

  test('is not pinned and in no series, whatever its editor sends', async () => {
    const series = await services().series.create({ title: '专栏', description: '', cover: '' }, writer);
    const id = await create('关于', 'about');
    await write(id, writer, { pinned: true, series: series._id });
    expect(await services().articles.readSource(id, writer)).toMatchObject({ pinned: false, series: '' });
    expect((await services().series.find(series._id, writer))?.articles ?? []).toEqual([]);
    expect(await services().articles.listPinned(writer.id)).toEqual([]);
  });

  test('leaves cached pages when its text, address or place changes', async () => {
    const id = await publish('关于', 'about');
    const told = () => stage.events.filter(({ type }) => type === 'pages-changed').length;
    expect(told()).toBe(1);
    await write(id);
    expect(told()).toBe(2);
    await services().pages.change({ id, slug: 'us', in_feeds: false }, writer);
    expect(told()).toBe(3);
    await services().pages.order({ pages: [{ id, parent: '' }] }, writer);
    expect(told()).toBe(4);
  });
});

describe('the text of a page', () => {
  test('is edited, scheduled and deleted by all who may manage pages, and by nobody else', async () => {
    const id = await create('关于', 'about');
    await write(id, colleague, { title: '关于我们', status: 'draft' });
    const { articles, pages, versions, schedules } = services();
    expect(await pages.tree()).toMatchObject([
      { title: '关于我们', state: 'draft', create_user: writer.username },
    ]);
    const editor = await pages.editorOf(id, colleague);
    await schedules.set({ id, publish_time: new Date(stage.now() + 60_000).toISOString() }, editor);
    expect(await pages.tree()).toMatchObject([{ state: 'scheduled' }]);
    stage.pass(120_000);
    expect(await schedules.publishDue()).toBe(1);
    expect(await published()).toEqual(['about']);
    expect((await versions.list(id, first, editor)).total).toBeGreaterThan(0);
    const { role: _, ...demoted } = writer;
    for (const stranger of [demoted, author.viewer, { ...colleague, role: 'editor' as const }]) {
      const asked = await pages.editorOf(id, stranger);
      await expect(articles.readSource(id, asked)).rejects.toEqual(refusedWith('NOT_YOURS'));
      await expect(articles.remove(id, asked)).rejects.toEqual(refusedWith('NOT_YOURS'));
      await expect(versions.list(id, first, asked)).rejects.toEqual(refusedWith('ARTICLE_NOT_FOUND'));
    }
    await articles.remove(id, editor);
    expect(await pages.tree()).toEqual([]);
    await expectExactNumbers();
  });

  test('cannot be restored or purged by its author after leaving the staff', async () => {
    const id = await publish('关于', 'about');
    const { articles, takedowns, trash } = services();
    await articles.remove(id, writer);
    const demoted = { ...writer, role: 'editor' as const };
    expect(await trash.list(first, demoted)).toMatchObject({ total: 0, result: [] });
    await expect(trash.restore(id, demoted)).rejects.toEqual(refusedWith('ARTICLE_NOT_FOUND'));
    await expect(trash.purge(id, demoted)).rejects.toEqual(refusedWith('ARTICLE_NOT_FOUND'));
    expect(await trash.empty(demoted)).toBe(0);
    expect(await trash.list(first, writer)).toMatchObject({ total: 1 });
    await trash.restore(id, writer);
    expect(await published()).toEqual(['about']);
    await takedowns.decide('article', { ids: [id], action: 'delete', note: '' }, null);
    await takedowns.decide('article', { ids: [id], action: 'restore', note: '' }, null);
    expect(await published()).toEqual(['about']);
  });

  test('is charged to its author, and its origin names the account that wrote it', async () => {
    await services().options.change({ keepOrigins: 30 }, writer.id);
    const id = await create('关于', 'about');
    await write(id, { ...colleague, origin: '192.0.2.9' });
    const origins = await stage.rows(`select user_id from post_origins where item_id = '${id}'`);
    expect(origins).toEqual([{ user_id: colleague.id }]);
    await expectExactNumbers();
  });

  test('shows its draft to other staff who may manage pages, not to visitors', async () => {
    const id = await create('关于', 'about');
    await write(id, writer, { status: 'draft' });
    const seenBy = async (viewer: Viewer | null) =>
      (await createLocalBlog(services(), viewer).readArticle(id))?.isPage ?? null;
    expect(await seenBy(colleague)).toBe(true);
    expect(await seenBy(author.viewer)).toBeNull();
    expect(await seenBy(null)).toBeNull();
  });

  test('stays when the account of its author is closed', async () => {
    const id = await publish('关于', 'about');
    expect(await listArticles(stage.app.db.read, writer.id, { isHiddenOnly: false, limit: 9 })).toEqual([]);
    expect(await services().articles.read(id, null)).toMatchObject({ title: '关于' });
  });
});

describe('the slug of a page', () => {
  const parse = (slug: string) => calls.pageCreate.input.safeParse({ title: '关于', slug });

  test('is folded, and refused if it is no slug', () => {
    for (const [typed, slug] of [
      ['About', 'about'],
      [' 关于 ', '关于'],
      ['ＡＢ', 'ab'],
      ['2026-年.报告_1', '2026-年.报告_1'],
    ])
      expect(parse(typed as string).data?.slug).toBe(slug);
    for (const typed of [
      '',
      '.',
      '..',
      'a..b',
      'a/b',
      '-a',
      'a-',
      'a b',
      '🍵',
      'a?b',
      '%2e',
      'x'.repeat(500),
      'ﷺ',
      'ﬃ'.repeat(90),
      '\u202ea',
    ])
      expect(parse(typed).success, typed).toBe(false);
  });

  test('belongs to one page, also to one in the trash', async () => {
    const id = await publish('关于', 'about');
    await expect(create('又一个', 'about')).rejects.toEqual(refusedWith('SLUG_TAKEN'));
    const second = await create('又一个', 'other');
    await expect(
      services().pages.change({ id: second, slug: 'about', in_feeds: false }, writer),
    ).rejects.toEqual(refusedWith('SLUG_TAKEN'));
    await services().articles.remove(id, writer);
    await expect(create('第三个', 'about')).rejects.toEqual(refusedWith('SLUG_TAKEN'));
    await services().trash.purge(id, writer);
    await create('第三个', 'about');
    expect(slugsOf(await services().pages.tree())).toEqual(['other', 'about']);
  });

  test('redirects once it is a former one, until another page takes it', async () => {
    const id = await publish('关于', 'about');
    const change = (slug: string) => services().pages.change({ id, slug, in_feeds: false }, writer);
    await change('us');
    await change('we');
    expect(await services().pages.published()).toMatchObject([{ slug: 'we', former_slugs: ['about', 'us'] }]);
    await change('about');
    expect(await services().pages.published()).toMatchObject([{ slug: 'about', former_slugs: ['us', 'we'] }]);
    await create('我们', 'us');
    expect(await services().pages.published()).toMatchObject([{ slug: 'about', former_slugs: ['we'] }]);
  });

  test('is given once to pages that are created at the same time', async () => {
    const made = await Promise.allSettled(['甲', '乙', '丙'].map((title) => create(title, 'about')));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await services().pages.tree()).toHaveLength(1);
  });
});

describe('the tree of pages', () => {
  test('has the order and parents that were set, and no tree is refused', async () => {
    const [a, b, c, d] = [
      await publish('甲', 'a'),
      await publish('乙', 'b'),
      await publish('丙', 'c'),
      await publish('丁', 'd'),
    ] as const;
    const order = (...pages: [string, string][]) =>
      services().pages.order({ pages: pages.map(([id, parent]) => ({ id, parent })) }, writer);
    await order([b, ''], [a, ''], [d, b], [c, d]);
    expect(await published()).toEqual(['b', 'd', 'c', 'a']);
    for (const bad of [
      [
        [a, a],
        [b, ''],
        [c, ''],
        [d, ''],
      ],
      [
        [a, b],
        [b, a],
        [c, ''],
        [d, ''],
      ],
      [
        [a, ''],
        [b, a],
        [c, b],
        [d, c],
      ],
      [
        [a, ''],
        [b, ''],
        [c, ''],
      ],
      [
        [a, ''],
        [b, ''],
        [c, ''],
        ['0'.repeat(24), ''],
      ],
      [
        [a, ''],
        [a, ''],
        [c, ''],
        [d, ''],
      ],
      [
        [a, 'f'.repeat(24)],
        [b, ''],
        [c, ''],
        [d, ''],
      ],
    ] as [string, string][][])
      await expect(order(...bad)).rejects.toEqual(refusedWith('FIELD_INVALID'));
    expect(await published()).toEqual(['b', 'd', 'c', 'a']);
    await services().articles.remove(d, writer);
    expect(await services().pages.published()).toMatchObject([
      { slug: 'b', parent: '' },
      { slug: 'c', parent: '' },
      { slug: 'a', parent: '' },
    ]);
  });

  test('of 200 pages in a chain is refused in time', () => {
    const chain = Array.from({ length: 200 }, (_, at) => ({
      id: `${at}`,
      parent: at === 0 ? '' : `${at - 1}`,
    }));
    expect(treeProblem(chain)).toContain('3 层');
    expect(treeProblem([{ id: 'a', parent: 'a' }])).toContain('自己');
  });
});

test('articles with the type of pages are no pages: they need a tag', async () => {
  const fields = { title: '山居', content: '空山', type: 'page', secret: false, status: 'normal' as const };
  const { articles } = services();
  const refused = expect.objectContaining({ code: 'FIELD_INVALID', field: 'tags' });
  await expect(articles.create({ ...fields, tags: [] }, author.viewer)).rejects.toEqual(refused);
  const { id } = await articles.create({ ...fields, tags: ['诗'] }, author.viewer);
  await expect(articles.edit({ ...fields, id, tags: [] }, author.viewer)).rejects.toEqual(refused);
  const page = await create('关于', 'about');
  await write(page, writer, { tags: [], type: '' });
  expect(await articles.readSource(page, writer)).toMatchObject({ tags: [], type: 'page', status: 'normal' });
});
