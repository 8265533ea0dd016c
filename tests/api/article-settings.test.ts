import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { done, openServer, outcome, refused, type Fields, type Person, type TestServer } from './server.ts';
import { NOWHERE } from './shapes.ts';

let server: TestServer;
let author: Person;
let stranger: Person;
beforeAll(async () => {
  server = await openServer();
  author = await server.join('王维');
  stranger = await server.join('路人');
});
afterAll(() => server?.close());

const settle = (ids: string[], fields: Fields, person = author) =>
  server.post('/api/page/settings', { ids, ...fields }, person.token);
const results = async (ids: string[], fields: Fields) => done(await settle(ids, fields)).results;
const source = async (id: string) => done(await server.post('/api/page/editdetail', { id }, author.token));
const revise = async (id: string, fields: Fields = {}) =>
  done(
    await server.post(
      '/api/page/revision',
      { id, title: '改', content: '改过的', tags: ['诗'], ...fields },
      author.token,
    ),
  );
const page = (id: string) => server.send(`/detail/${id}`);
const found = async (keywords: string) =>
  done(await server.post('/api/page/searchpage', { keywords })).result.map(({ _id }: { _id: string }) => _id);
const tagCount = async (name: string) => done(await server.post('/api/tag/tagdetail', { name })).page_num;
const counts = async () => {
  const { page_num, draft_num } = done(
    await server.post('/api/signin/getUserInfo', { username: author.username }, author.token),
  );
  return [page_num, draft_num];
};

describe('settings of several articles', () => {
  test('put articles in an own series and take them out; no article joins a series of another author', async () => {
    const create = async (person: Person, title: string): Promise<string> =>
      done(await server.post('/api/series/create', { title, description: '' }, person.token))._id;
    const [own, other] = [await create(author, '辋川集'), await create(stranger, '别人的')];
    const ids = [await server.write(author), await server.write(author)];
    expect(await results(ids, { series: own })).toEqual(ids.map((id) => ({ id, outcome: 'changed' })));
    for (const id of ids) expect((await source(id)).series).toBe(own);
    await results(ids, { series: other });
    for (const id of ids) expect((await source(id)).series).not.toBe(other);
    await results(ids, { series: '' });
    for (const id of ids) expect((await source(id)).series ?? '').toBe('');
    expect((await settle(ids, { series: 'x' })).field).toBe('series');
  });

  test('withdrawing and publishing update pages, lists, search, tags and counts', async () => {
    const ids = [
      await server.write(author, { title: '归去辋川', tags: ['辋川'] }),
      await server.write(author, { title: '归来辋川', tags: ['辋川'] }),
    ];
    const [first = ''] = ids;
    const { create_time } = await source(first);
    const before = await counts();
    expect((await page(first)).status).toBe(200);
    expect(await results(ids, { status: 'draft' })).toEqual(ids.map((id) => ({ id, outcome: 'changed' })));
    expect((await page(first)).status).toBe(302);
    expect(await found('辋川')).toEqual([]);
    expect(await counts()).toEqual([before[0] - 2, before[1] + 2]);
    expect(await results(ids, { status: 'draft' })).toEqual(ids.map((id) => ({ id, outcome: 'same' })));
    done(await settle(ids, { status: 'normal' }));
    expect((await page(first)).text).toContain('归去辋川');
    expect(new Set(await found('辋川'))).toEqual(new Set(ids));
    expect(await tagCount('辋川')).toBe(2);
    expect(await counts()).toEqual(before);
    expect((await source(first)).create_time).toBe(create_time);
  });

  test('keep an unpublished revision unpublished and editable', async () => {
    const id = await server.write(author, { title: '原题', content: '原来的', tags: ['诗'] });
    await revise(id);
    for (const fields of [
      { tags_add: ['秋'], comments_closed: true },
      { status: 'draft' },
      { status: 'normal' },
    ])
      expect(await results([id], fields)).toEqual([{ id, outcome: 'changed' }]);
    const { revision, update_time, ...article } = await source(id);
    expect(article).toMatchObject({ title: '原题', content: '原来的', tags: ['诗', '秋'], status: 'normal' });
    expect(article.comments_closed).toBe(true);
    expect(revision).toMatchObject({
      title: '改',
      content: '改过的',
      tags: ['诗', '秋'],
      comments_closed: true,
    });
    expect(revision.base_time).toBe(update_time);
    expect((await page(id)).text).not.toContain('改过的');
  });

  test('a revision that was in conflict stays in conflict', async () => {
    const id = await server.write(author);
    await revise(id);
    const text = { title: '另一处', content: '改了', tags: ['诗'] };
    done(await server.post('/api/page/edit', { id, ...text }, author.token));
    done(await settle([id], { comments_closed: true }));
    const { revision, update_time } = await source(id);
    expect(revision.base_time).not.toBe(update_time);
  });

  test('add and remove tags, close and open comments, on cached pages too', async () => {
    const id = await server.write(author, { tags: ['诗', '秋'] });
    expect((await page(id)).text).not.toContain('/tag/detail/%E5%B1%B1');
    done(await settle([id], { tags_add: ['山'], tags_remove: ['秋'] }));
    expect((await source(id)).tags).toEqual(['诗', '山']);
    expect((await page(id)).text).toContain('/tag/detail/%E5%B1%B1');
    expect(await tagCount('山')).toBe(1);
    done(await settle([id], { comments_closed: true }));
    const comment = { page_id: id, content: '好' };
    expect(outcome(await server.post('/api/comment/create', comment, stranger.token))).toEqual(
      refused('作者关闭了这篇文章的评论'),
    );
    done(await settle([id], { comments_closed: false, secret: true }));
    expect((await page(id)).status).toBe(302);
  });

  test('report each failure with its reason and change the others', async () => {
    const [own, empty, full] = [
      await server.write(author, { tags: ['诗'] }),
      await server.write(author, { title: '', content: '只有正文', status: 'draft' }),
      await server.write(author, { tags: Array.from({ length: 10 }, (_, number) => `标签${number}`) }),
    ];
    const theirs = await server.write(stranger);
    const secret = await server.write(stranger, { secret: true });
    const gone = await server.write(author);
    done(await server.post('/api/page/delete', { id: gone }, author.token));
    const missing = '文章不存在或已被删除';
    expect(await results([theirs, secret, gone, NOWHERE, own, full], { tags_add: ['山'] })).toEqual([
      { id: theirs, outcome: 'refused', problem: '只能操作自己发布的内容' },
      { id: secret, outcome: 'refused', problem: missing },
      { id: gone, outcome: 'refused', problem: missing },
      { id: NOWHERE, outcome: 'refused', problem: missing },
      { id: own, outcome: 'changed' },
      { id: full, outcome: 'refused', problem: '标签不能超过 10 个' },
    ]);
    expect(await results([empty], { status: 'normal' })).toEqual([
      { id: empty, outcome: 'refused', problem: '请填写标题' },
    ]);
    expect(await results([own], { tags_remove: ['诗', '山'] })).toEqual([
      { id: own, outcome: 'refused', problem: '请至少填写 1 个标签' },
    ]);
    expect((await source(own)).tags).toEqual(['诗', '山']);
    expect(outcome(await server.post('/api/page/settings', { ids: [own] }))).toEqual(
      refused('请重新登录', 402),
    );
    expect(outcome(await settle([], { status: 'draft' }))).toEqual(refused('一次可以修改 1–100 篇文章'));
  });

  test('a schedule of a draft ends when it is published so, and stays when its settings change', async () => {
    const id = await server.write(author, { status: 'draft' });
    const publish_time = new Date(Date.now() + 3_600_000).toISOString();
    done(await server.post('/api/page/schedule', { id, publish_time }, author.token));
    const schedule = async () =>
      done(await server.post('/api/page/schedule/detail', { id }, author.token)).schedule;
    done(await settle([id], { tags_add: ['定时'] }));
    expect(await schedule()).not.toBeNull();
    done(await settle([id], { status: 'normal' }));
    expect(await schedule()).toBeNull();
  });
});
