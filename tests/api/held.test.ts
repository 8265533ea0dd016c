import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { articleUrl } from '../../src/lib/shared/urls.ts';
import { decide } from './decide.ts';
import { done, openServer, outcome, refused, type Person, type TestServer, type Untyped } from './server.ts';

let server: TestServer;
let author: Person;
let writer: Person;
let mentioned: Person;
let editor: Person;
let article: string;

beforeAll(async () => {
  server = await openServer();
  author = await server.join('摩诘');
  writer = await server.join('路人');
  mentioned = await server.join('裴迪');
  editor = await server.join('老李');
  await server.app.services.roles.set(editor.username, 'editor', null);
});
afterAll(() => server?.close());
beforeEach(async () => {
  await options({ holdComments: 'none', holdArticles: 'none', approvedFirst: 3 });
  article = await server.write(author);
  // Participants of a thread can be mentioned in it.
  await server.comment(mentioned, article, { content: '先坐下' });
});

const options = (changes: Parameters<TestServer['app']['services']['options']['change']>[0]) =>
  server.app.services.options.change(changes, null);
const WORDS = '这一句谁也不该看到，除了写它的人';
const say = (fields: Record<string, string> = {}, by = writer) =>
  server.comment(by, article, { content: `${WORDS} @裴迪`, ...fields });
const moderate = async (ids: string[], action: string, note = '') =>
  done(await decide(server, 'comment', { ids, action, note }, editor.token)).done;
const listed = async (by?: Person, fields = {}): Promise<Untyped[]> =>
  done(await server.post('/api/comment/getpagecommentlist', { page_id: article, ...fields }, by?.token));
const unread = async (by: Person) => done(await server.get('/api/comment/getUnreadCommentNum', by.token));
const received = async (by: Person) =>
  done(await server.post('/api/comment/getusercommentlist', { type: 'to_user' }, by.token));

/**
 * Every place that could show a comment to others than its writer; each function returns the response as
 * text.
 */
const places: Record<string, (id: string) => Promise<string>> = {
  'the page of the article': async () => (await server.send(articleUrl(article))).text,
  'the page in the other order': async () => (await server.send(`${articleUrl(article)}?sort=oldest`)).text,
  'a fresh copy of the page': async () => (await server.send(`${articleUrl(article)}/refresh`)).text,
  'the lasting address of the comment': async (id) =>
    (await server.send(`${articleUrl(article)}/comment/${id}`)).headers.get('location') ?? '',
  'the list for visitors': async () => JSON.stringify(await listed()),
  'the list for its addressee': async () => JSON.stringify(await listed(author)),
  'the list for whoever is mentioned': async () => JSON.stringify(await listed(mentioned)),
  'a part of the list': async () => JSON.stringify(await listed(author, { page: 1, pageSize: 10 })),
  'the oldest first': async () => JSON.stringify(await listed(author, { sort: 'oldest' })),
  'the inbox of its addressee': async () => JSON.stringify(await received(author)),
  'the inbox of whoever is mentioned': async () => JSON.stringify(await received(mentioned)),
  'the number of unread ones': async () => `${(await unread(author)) + (await unread(mentioned))}`,
  'the number under the article in its author’s list': async () => {
    const own = await server.post('/api/page/limitpagelist', { pageSize: 100 }, author.token);
    return String(done(own).result.find(({ _id }: Untyped) => _id === article).comment_num);
  },
  'the profile of its writer': async () =>
    (await server.send(`/user/info/${encodeURIComponent('路人')}`)).text,
  'a quote of it': async () => {
    const quote = { content: '回复', reply_user: '路人', reply_content: `${WORDS} @裴迪` };
    const reply = await server.comment(author, article, quote);
    done(await server.post('/api/comment/delete', { id: reply._id }, author.token));
    return reply.reply_content;
  },
  'the feed': async () => (await server.send('/feed.xml')).text,
  'the search': async () =>
    JSON.stringify(done(await server.post('/api/page/searchpage', { keywords: WORDS }))),
};
async function everywhere(id: string): Promise<Record<string, string>> {
  const shown: Record<string, string> = {};
  for (const [name, look] of Object.entries(places)) shown[name] = await look(id);
  return shown;
}

describe('a pending comment', () => {
  test('is shown only to its writer, marked as pending', async () => {
    const before = await everywhere('0'.repeat(24));
    await options({ holdComments: 'all' });
    const { _id, state } = await say();
    expect(state).toBe('held');
    const after = await everywhere(_id);
    for (const [name, text] of Object.entries(after)) {
      expect(text, name).not.toContain(WORDS);
      // The redirect's target contains the requested comment id.
      if (name !== 'the lasting address of the comment') expect(text, name).not.toContain(_id);
    }
    expect(after['the number of unread ones']).toBe(before['the number of unread ones']);
    const counted = 'the number under the article in its author’s list';
    expect(after[counted]).toBe(before[counted]);
    expect((await listed(writer))[0]).toMatchObject({ _id, state: 'held' });
    const own = await server.post('/api/comment/getusercommentlist', { type: 'create_user' }, writer.token);
    expect(done(own).result[0]).toMatchObject({ _id, state: 'held' });
  });

  test('is public once approved, and notifies once', async () => {
    await options({ holdComments: 'all' });
    const [forAuthor, forMentioned] = [await unread(author), await unread(mentioned)];
    const { _id } = await say();
    expect(await moderate([_id], 'restore')).toEqual([_id]);
    expect(await moderate([_id], 'restore')).toEqual([]);
    expect([await unread(author), await unread(mentioned)]).toEqual([forAuthor + 1, forMentioned + 1]);
    expect((await server.send(articleUrl(article))).text).toContain(WORDS);
    const [shown] = await listed(author);
    expect(shown).toMatchObject({ _id, is_read: false });
    expect(shown).not.toHaveProperty('state');
    // A comment that was read stays read when it is held and restored again.
    done(await server.post('/api/comment/updatecommentstatus', { ids: [_id] }, author.token));
    await moderate([_id], 'hold');
    expect((await server.send(articleUrl(article))).text).not.toContain(WORDS);
    await moderate([_id], 'restore');
    expect(await unread(author)).toBe(forAuthor);
  });

  test('is created once per request id, and can be changed and deleted by its writer', async () => {
    await options({ holdComments: 'all' });
    const one = await say({ request_id: 'a-request-0001' });
    const again = await say({ request_id: 'a-request-0001' });
    expect(again._id).toBe(one._id);
    const edited = await server.post('/api/comment/edit', { id: one._id, content: '改过的话' }, writer.token);
    expect(done(edited)).toMatchObject({ content: '改过的话', state: 'held' });
    const others = await server.post('/api/comment/edit', { id: one._id, content: '别人' }, author.token);
    expect(outcome(others)).toEqual(refused('评论不存在或已被删除'));
    done(await server.post('/api/comment/delete', { id: one._id }, writer.token));
    expect(await listed(writer)).toEqual(await listed());
    expect(await moderate([one._id], 'restore')).toEqual([]);
  });

  test('is one of an account’s first, until enough are approved; staff is exempt', async () => {
    await options({ holdComments: 'first', approvedFirst: 2 });
    const newcomer = await server.join('新来的人');
    for (const content of ['第一条', '第二条']) {
      const { _id, state } = await say({ content }, newcomer);
      expect(state).toBe('held');
      await moderate([_id], 'restore');
    }
    expect(await say({ content: '第三条' }, newcomer)).not.toHaveProperty('state');
    expect(await say({ content: '站务的话' }, editor)).not.toHaveProperty('state');
  });
});

describe('a hidden comment', () => {
  test('disappears for readers, shows its writer the reason, and can be restored in place', async () => {
    const [{ _id: sitting }] = await listed();
    const first = await say({ content: '先来的' });
    const { _id } = await say({ content: '说人坏话' });
    const last = await say({ content: '后来的' });
    expect(await moderate([_id], 'hide', '人身攻击')).toEqual([_id]);
    expect((await listed()).map((each) => each._id)).toEqual([last._id, first._id, sitting]);
    expect((await listed(writer))[0]).toMatchObject({ _id, state: 'hidden', note: '已被隐藏：人身攻击' });
    await moderate([_id], 'delete', '再次发布');
    expect((await listed(writer))[0]).toMatchObject({ _id, state: 'deleted', note: '已被删除：再次发布' });
    await moderate([_id], 'restore');
    expect((await listed()).map((each) => each._id)).toEqual([last._id, _id, first._id, sitting]);
    const log = await server.rows('SELECT action, subject_id FROM audit_log ORDER BY create_time, id');
    const of = log.filter((row: Untyped) => row.subject_id === _id).map((row: Untyped) => row.action);
    expect(of).toEqual(['comment.hide', 'comment.delete', 'comment.restore']);
  });

  test('a deleted one is purged after 30 days', async () => {
    const { _id } = await say({ content: '删掉的' });
    await moderate([_id], 'delete');
    server.pass(31 * 86_400);
    await server.app.services.takedowns.purgeExpired();
    server.pass(-31 * 86_400);
    expect(await moderate([_id], 'restore')).toEqual([]);
    expect(await listed(writer)).toEqual(await listed());
  });
});

describe('an article', () => {
  const moderateArticle = async (id: string, action: string, note = '') =>
    done(await decide(server, 'article', { ids: [id], action, note }, editor.token)).done;
  const source = async (id: string) => done(await server.post('/api/page/detail', { id }, author.token));

  test('that is pending is published on approval, with that time', async () => {
    await options({ holdArticles: 'all' });
    const id = await server.write(author, { title: '等着' });
    expect(await source(id)).toMatchObject({ secret: false, moderation: 'held' });
    const held = done(await server.post('/api/staff/held', { kind: 'article' }, editor.token));
    expect(held.result).toMatchObject([{ kind: 'article', _id: id, title: '等着', reasons: ['all'] }]);
    server.pass(3_600);
    expect(await moderateArticle(id, 'restore')).toEqual([id]);
    const { create_time, ...shown } = done(await server.post('/api/page/detail', { id }));
    expect(shown).toMatchObject({ title: '等着', secret: false });
    expect(Date.parse(create_time)).toBeGreaterThan(Date.now() + 3_000_000);
    server.pass(-3_600);
  });

  test('waits for staff once its author saves it, and shows the latest text when approved', async () => {
    const id = await server.write(author, { title: '写过的' });
    await moderateArticle(id, 'hide', '抄袭');
    const fields = { id, title: '改过的', content: '新', tags: ['诗'], status: 'normal' };
    done(await server.post('/api/page/edit', { ...fields, secret: 'false' }, author.token));
    expect(outcome(await server.post('/api/page/detail', { id }))).toEqual(refused('文章不存在或已被删除'));
    const own = done(await server.post('/api/page/limitpagelist', { pageSize: 100 }, author.token));
    expect(own.result.find(({ _id }: Untyped) => _id === id)).toMatchObject({
      moderation: 'held',
    });
    await moderateArticle(id, 'restore');
    expect(done(await server.post('/api/page/detail', { id }))).toMatchObject({ title: '改过的' });
    done(await server.post('/api/page/edit', { ...fields, secret: 'true' }, author.token));
    await moderateArticle(id, 'hide');
    await moderateArticle(id, 'restore');
    expect(outcome(await server.post('/api/page/detail', { id }))).toEqual(refused('文章不存在或已被删除'));
  });

  test('deleted by staff is in its author’s trash, and stays hidden from others when restored', async () => {
    const id = await server.write(author);
    await moderateArticle(id, 'delete', '违法');
    done(await server.post('/api/page/restore', { id }, author.token));
    expect(outcome(await server.post('/api/page/detail', { id }))).toEqual(refused('文章不存在或已被删除'));
    expect(await source(id)).toMatchObject({ moderation: 'hidden' });
    await moderateArticle(id, 'delete');
    expect(await moderateArticle(id, 'restore')).toEqual([id]);
    expect(done(await server.post('/api/page/detail', { id }))).toMatchObject({ _id: id });
  });
});

describe('content of new accounts', () => {
  test('becomes pending when it is mostly links, repeated, or too frequent', async () => {
    const one = await server.join('新人甲');
    const links = 'https://a.example https://b.example https://c.example';
    expect(await say({ content: links }, one)).toMatchObject({ state: 'held' });
    const advertisement = '本店新到一批好茶，欢迎各位朋友光临选购';
    expect(await say({ content: advertisement }, one)).not.toHaveProperty('state');
    expect(await say({ content: `${advertisement}！！` }, one)).toMatchObject({ state: 'held' });
    const many = await server.join('新人乙');
    await options({ approvedFirst: 100 });
    const states: unknown[] = [];
    for (const content of '一二三四五六') states.push((await say({ content }, many)).state);
    expect(states).toEqual([undefined, undefined, undefined, undefined, undefined, 'held']);
  });
});
