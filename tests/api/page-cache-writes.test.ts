import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp } from '../../src/lib/server/app.ts';
import { openCacheStage, type CacheStage } from './cache-stage.ts';
import { done } from './server.ts';

/** Pages that each write invalidates: all that change, and no others. */
let stage: CacheStage;
beforeAll(async () => {
  stage = await openCacheStage();
});
afterAll(() => stage.server.close());

describe('a write invalidates only the pages it changes', () => {
  const pages: Record<string, () => string> = {
    home: () => '/home',
    search: () => '/home/山',
    tags: () => '/tag/list',
    'tag 诗': () => '/tag/detail/诗',
    'tag 画': () => '/tag/detail/画',
    author: () => '/user/info/林间',
    reader: () => '/user/info/读者',
    'author’s activity': () => '/user/activity/林间',
    'reader’s activity': () => '/user/activity/读者',
    article: () => `/detail/${id}`,
    older: () => `/detail/${older}`,
    oldest: () => `/detail/${oldest}`,
    changelog: () => '/changelog',
  };
  /** Any change of an article’s text may change these. */
  const activities = ['author’s activity', 'reader’s activity'];
  let id: string;
  let oldest: string;
  let older: string;
  let fields: Record<string, string | string[]>;
  beforeAll(async () => {
    oldest = await stage.server.write(stage.author, { title: '最早', tags: ['画'] });
    older = await stage.server.write(stage.author, { title: '较早', tags: ['画'] });
    fields = { title: '最新', content: '山中', tags: ['诗'], status: 'normal', secret: 'false' };
    id = await stage.server.write(stage.author, fields);
    done(await stage.server.post('/api/comment/create', { content: '好', page_id: id }, stage.reader.token));
  });

  /** Fills the cache, writes, and returns the invalidated pages. */
  async function forgottenBy(write: () => Promise<unknown>): Promise<string[]> {
    for (const path of Object.values(pages)) await stage.ask(encodeURI(path()));
    for (const [name, path] of Object.entries(pages))
      expect([name, stage.isCached(path())]).toEqual([name, true]);
    const before = Object.values(pages).map((path) => stage.pageAt(path()));
    await write();
    // Pages that were read may already be cached again.
    return Object.keys(pages).filter((name, at) => stage.pageAt(pages[name]?.() ?? '') !== before[at]);
  }
  const post = async (path: string, body: Record<string, string | string[]>, person = stage.author) =>
    done(await stage.server.post(path, body, person.token));
  const edit = (changes: Record<string, string | string[]>) => {
    fields = { ...fields, ...changes };
    return post('/api/page/edit', { id, ...fields });
  };

  test('a comment: the article’s page, and its author’s activity', async () => {
    const shown = ['reader’s activity', 'article'];
    expect(await forgottenBy(() => stage.server.comment(stage.reader, id))).toEqual(shown);
  });
  test('a comment deleted by the author of the article: the same', async () => {
    const { _id } = await stage.server.comment(stage.reader, id);
    expect(await forgottenBy(() => post('/api/comment/delete', { id: _id }))).toEqual([
      'reader’s activity',
      'article',
    ]);
  });
  test('comments read: nothing', async () => {
    const { _id } = await stage.server.comment(stage.reader, id);
    expect(await forgottenBy(() => post('/api/comment/updatecommentstatus', { ids: [_id] }))).toEqual([]);
  });
  test('text after the fold: the article’s page, and searches', async () => {
    await edit({ content: `山中\n\n<--阅读全文-->\n\n何所有` });
    expect(await forgottenBy(() => edit({ content: '山中\n\n<--阅读全文-->\n\n岭上多白云' }))).toEqual([
      'search',
      ...activities,
      'article',
    ]);
  });
  test('a title: every list with its card, the tags’ newest, and its neighbours’ pages', async () => {
    const shown = ['home', 'search', 'tags', 'tag 诗', 'author', ...activities, 'article', 'older'];
    expect(await forgottenBy(() => edit({ title: '改了题目' }))).toEqual(shown);
  });
  test('its tags: the tag pages too', async () => {
    const shown = ['home', 'search', 'tags', 'tag 诗', 'tag 画', 'author', ...activities, 'article'];
    expect(await forgottenBy(() => edit({ tags: ['画'] }))).toEqual(shown);
    await edit({ tags: ['诗'] });
  });
  const lists = ['home', 'search', 'tags', 'tag 诗', 'author', ...activities, 'article', 'older'];
  test('hiding and showing it: all of these', async () => {
    expect(await forgottenBy(() => edit({ secret: 'true' }))).toEqual(lists);
    await edit({ secret: 'false' });
  });
  test('a new article: lists, and the previously newest article', async () => {
    const write = () => stage.server.write(stage.reader, { title: '更新', tags: ['画'] });
    const shown = ['home', 'search', 'tags', 'tag 画', 'reader', ...activities, 'article'];
    expect(await forgottenBy(write)).toEqual(shown);
  });
  test('a draft, and a change to it: nothing', async () => {
    let draft = '';
    const write = async () =>
      void (draft = await stage.server.write(stage.author, { title: '草稿', status: 'draft' }));
    expect(await forgottenBy(write)).toEqual([]);
    const change = { id: draft, title: '草稿', content: '再想想', tags: ['诗'], status: 'draft' };
    expect(await forgottenBy(() => post('/api/page/edit', change))).toEqual([]);
    expect(await forgottenBy(() => post('/api/page/delete', { id: draft }))).toEqual([]);
  });
  test('a tag: the list of tags, its page, and the front page with its tags', async () => {
    const create = () => post('/api/tag/create', { name: '新标签', description: '' });
    expect(await forgottenBy(create)).toEqual(['home', 'tags']);
  });
  test('a bio: the profile, and the articles that end with it', async () => {
    const shown = ['author', 'author’s activity', 'article', 'older', 'oldest'];
    expect(await forgottenBy(() => post('/api/user/updatebio', { bio: '新的' }))).toEqual(shown);
  });
  test('an avatar: the profile, and articles that show it', async () => {
    const onePixel =
      'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const shown = await forgottenBy(() =>
      post('/api/file/uploadAvatar', { imgData: onePixel }, stage.reader),
    );
    // The reader has commented on one article and has written none of these.
    expect(shown).toEqual(['reader', 'reader’s activity', 'article']);
  });
  test('deleting it: all of these', async () => {
    expect(await forgottenBy(() => post('/api/page/delete', { id }))).toContain('article');
  });
});

test('a write by another process is seen', async () => {
  const other = await createApp({ ...stage.server.app.config, port: 0 });
  try {
    await stage.ask('/home');
    const { viewer } = await other.services.auth.viewerOf(`Beare ${stage.author.token}`);
    if (!viewer) throw new Error('not signed in');
    const article = { title: '从命令行来', content: '正文', tags: ['诗'], type: '' };
    await other.services.articles.create({ ...article, status: 'normal', secret: false }, viewer);
    await expect.poll(async () => (await stage.ask('/home')).body.toString()).toContain('从命令行来');
  } finally {
    await other.close();
  }
});
