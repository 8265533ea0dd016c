import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { done, openServer, outcome, PASSWORD, refused, type Person, type TestServer } from './server.ts';
import { INSTANT, NOWHERE } from './shapes.ts';
import { DAY_S } from '../../src/lib/contract/rules/units.ts';

const NOT_FOUND = refused('文章不存在或已被删除');

let server: TestServer;
let author: Person;
let reader: Person;
beforeAll(async () => {
  server = await openServer();
  author = await server.join('王维');
  reader = await server.join('裴迪');
});
afterAll(() => server?.close());

const remove = async (id: string) => done(await server.post('/api/page/delete', { id }, author.token));
const restore = (id: string, person = author) => server.post('/api/page/restore', { id }, person.token);
const purge = (id: string, person = author) => server.post('/api/page/purge', { id }, person.token);
const trash = async (person = author) =>
  done(await server.post('/api/page/trash', { pageSize: 999 }, person.token));
/** Advances the clock by days and signs the author in again. */
const passDays = async (days: number) => {
  server.pass(days * DAY_S);
  const account = { username: author.username, password: PASSWORD };
  author = { ...author, ...done(await server.post('/api/signin', account)) };
};
const inTrash = async (id: string) =>
  (await trash()).result.find((each: { _id: string }) => each._id === id) ?? null;
const detail = (id: string, token?: string) => server.post('/api/page/detail', { id }, token);
const source = async (id: string) => done(await server.post('/api/page/editdetail', { id }, author.token));
const comments = async (id: string) =>
  done(await server.post('/api/comment/getpagecommentlist', { page_id: id }, reader.token));
const unread = async () => done(await server.get('/api/comment/getUnreadCommentNum', author.token));
const counts = async () => {
  const { page_num, draft_num } = done(
    await server.post('/api/signin/getUserInfo', { username: author.username }, author.token),
  );
  return { page_num, draft_num };
};
const tagCount = async (name: string) => done(await server.post('/api/tag/tagdetail', { name })).page_num;
const found = async (keywords: string) =>
  done(await server.post('/api/page/searchpage', { keywords })).result.map(({ _id }: { _id: string }) => _id);
const countRows = async (table: string, where: string) =>
  Number((await server.rows(`select count(*) as n from ${table} where ${where}`))[0]?.['n']);

describe('a deleted article', () => {
  test('is only in its author’s trash, with its status and expiry', async () => {
    const id = await server.write(author, { title: '删去的' });
    await remove(id);
    const item = await inTrash(id);
    expect(item).toMatchObject({
      _id: id,
      title: '删去的',
      status: 'cancel',
      former_status: 'normal',
      removed_time: INSTANT,
      purge_time: INSTANT,
    });
    expect(Date.parse(item.purge_time) - Date.parse(item.removed_time)).toBe(30 * DAY_S * 1000);
    expect((await trash(reader)).total).toBe(0);
    expect(outcome(await server.post('/api/page/trash'))).toEqual(refused('请重新登录', 402));
    expect(outcome(await detail(id, author.token))).toEqual(NOT_FOUND);
  });

  test('is restored with URL, times, comments, read marks, tags, search and counts', async () => {
    const id = await server.write(author, { title: '归来辋川', tags: ['辋川'] });
    await server.comment(reader, id, { content: '留在这里' });
    const before = {
      source: await source(id),
      comments: await comments(id),
      unread: await unread(),
      counts: await counts(),
      tag: await tagCount('辋川'),
    };
    await remove(id);
    expect(await comments(id)).toEqual([]);
    expect(await unread()).toBe(before.unread - 1);
    expect(await found('归来辋川')).not.toContain(id);
    expect((await server.send('/home')).text).not.toContain('归来辋川');
    // This was the tag's only article.
    expect(before.tag).toBe(1);
    const gone = await server.post('/api/tag/tagdetail', { name: '辋川' });
    expect(gone.text).toContain('TAG_NOT_FOUND');
    expect(done(await restore(id))).toEqual({ id, status: 'normal' });
    expect(await inTrash(id)).toBeNull();
    const after = {
      source: await source(id),
      comments: await comments(id),
      unread: await unread(),
      counts: await counts(),
      tag: await tagCount('辋川'),
    };
    expect(after).toEqual(before);
    expect(await found('归来辋川')).toContain(id);
    expect((await server.send('/home')).text).toContain('归来辋川');
    expect((await server.send(`/detail/${id}`)).text).toContain('留在这里');
  });

  test('is restored with its unpublished changes, and an open editor can continue', async () => {
    const id = await server.write(author);
    const changes = { id, title: '未刊', content: '未刊之句', tags: ['诗'] };
    const { revision_time } = done(await server.post('/api/page/revision', changes, author.token));
    await remove(id);
    done(await restore(id));
    expect((await source(id)).revision).toMatchObject({ content: '未刊之句', revision_time });
    done(await server.post('/api/page/revision', { ...changes, revision_time }, author.token));
  });

  test.each([
    ['a draft', { status: 'draft' }, 'draft'],
    ['a private article', { secret: 'true' }, 'normal'],
  ] as const)('that was %s is that again, and nobody else sees it', async (_, fields, status) => {
    const before = await counts();
    const id = await server.write(author, { title: '不给别人看', ...fields });
    await remove(id);
    expect(await counts()).toEqual(before);
    expect(done(await restore(id))).toEqual({ id, status });
    expect(outcome(await detail(id, reader.token))).toEqual(NOT_FOUND);
    expect(done(await detail(id, author.token))).toMatchObject({ title: '不给别人看', status });
    expect(await found('不给别人看')).toEqual([]);
    await remove(id);
  });

  test('is restored once despite repeats', async () => {
    const id = await server.write(author);
    const before = await counts();
    await remove(id);
    const answers = await Promise.all([restore(id), restore(id), restore(id)]);
    for (const answer of answers) expect(done(answer)).toEqual({ id, status: 'normal' });
    expect(await counts()).toEqual(before);
  });

  test('cannot be restored or removed by others, and is not found for them', async () => {
    const id = await server.write(author);
    await remove(id);
    for (const act of [restore, purge]) {
      expect(outcome(await act(id, reader))).toEqual(NOT_FOUND);
      expect(outcome(await act(NOWHERE, reader))).toEqual(NOT_FOUND);
    }
    expect(done(await server.post('/api/page/trash/empty', {}, reader.token))).toEqual({ purged: 0 });
    expect(await inTrash(id)).not.toBeNull();
    const live = await server.write(author);
    expect(outcome(await restore(live, reader))).toEqual(NOT_FOUND);
    expect(outcome(await purge(live))).toEqual(NOT_FOUND);
    done(await detail(live));
  });
});

describe('purging', () => {
  test('leaves nothing of an article, and frees its storage', async () => {
    const owner = await server.join('裴秀才');
    const stored = async () =>
      Number(
        (await server.rows(`select stored_bytes from users where username = '裴秀才'`))[0]?.['stored_bytes'],
      );
    const id = await server.write(owner, { content: '空山新雨后', request_id: 'purged-1' });
    await server.comment(reader, id);
    const changes = { id, title: '改', content: '改过的', tags: ['诗'] };
    done(await server.post('/api/page/revision', changes, owner.token));
    expect(await stored()).toBe(15 + 9);
    done(await server.post('/api/page/delete', { id }, owner.token));
    expect(await stored()).toBe(15 + 9);
    done(await purge(id, owner));
    expect(await stored()).toBe(0);
    expect(outcome(await restore(id, owner))).toEqual(NOT_FOUND);
    expect(outcome(await purge(id, owner))).toEqual(NOT_FOUND);
    for (const table of [
      'article_bodies',
      'article_revisions',
      'article_tags',
      'comments',
      'article_requests',
    ])
      expect([table, await countRows(table, `article_id = '${id}'`)]).toEqual([table, 0]);
    expect(await countRows('articles', `id = '${id}'`)).toBe(0);
    expect(await countRows('comment_recipients', `comment_id not in (select id from comments)`)).toBe(0);
  });

  test('emptying removes what was shown in the trash, and nothing deleted later', async () => {
    const owner = await server.join('孟城');
    const ids: string[] = [];
    for (let number = 0; number < 25; number++)
      ids.push(await server.write(owner, { title: `第 ${number}` }));
    for (const id of ids) done(await server.post('/api/page/delete', { id }, owner.token));
    const [newest] = (await trash(owner)).result;
    server.pass(1);
    const later = await server.write(owner);
    done(await server.post('/api/page/delete', { id: later }, owner.token));
    const until = newest.removed_time;
    const answers = await Promise.all(
      [1, 2].map(() => server.post('/api/page/trash/empty', { until }, owner.token)),
    );
    const purged = answers.map((answer) => done(answer).purged);
    expect(purged[0] + purged[1]).toBe(25);
    expect((await trash(owner)).result.map(({ _id }: { _id: string }) => _id)).toEqual([later]);
    expect(done(await server.post('/api/page/trash/empty', {}, owner.token))).toEqual({ purged: 1 });
  });

  test('a job removes what is older than 30 days', async () => {
    const { trash: service } = server.app.services;
    const old = await server.write(author, { title: '旧' });
    await remove(old);
    await passDays(29);
    const young = await server.write(author, { title: '新' });
    await remove(young);
    await service.purgeExpired(() => false);
    expect(await inTrash(old)).not.toBeNull();
    await passDays(1.1);
    await service.purgeExpired(() => false);
    expect(await inTrash(old)).toBeNull();
    expect(outcome(await restore(old))).toEqual(NOT_FOUND);
    expect(done(await restore(young))).toEqual({ id: young, status: 'normal' });
  });
});
