import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decide } from './decide.ts';
import { done, openServer, type Fields, type Person, type TestServer, type Untyped } from './server.ts';
import { article, comment } from './shapes.ts';

/** Address of the page with a user's activities. */
const pageOf = (username: string) => `/user/activity/${encodeURIComponent(username)}`;

let server: TestServer;
let author: Person;
let reader: Person;
let editor: Person;
/** Articles of the author from the oldest, and the reader's comments under them. */
let first: string;
let second: string;
let early: string;
let late: string;

beforeAll(async () => {
  server = await openServer();
  author = await server.join('王维');
  reader = await server.join('裴迪');
  editor = await server.join('老李');
  await server.app.services.roles.set(editor.username, 'editor', null);
  first = await server.write(author, { title: '鹿柴', content: '空山不见人。' });
  server.pass(1);
  early = (await server.comment(reader, first, { content: '日夕见**寒山**' }))._id;
  server.pass(1);
  second = await server.write(author, { title: '竹里馆' });
  server.pass(1);
  late = (await server.comment(reader, second, { content: '来过竹里馆' }))._id;
  server.pass(1);
});
afterAll(() => server?.close());

const list = async (fields: Fields = {}, token?: string): Promise<Untyped> =>
  done(await server.post('/api/activity/getlist', fields, token));
const count = async (fields: Fields = {}, token?: string): Promise<Untyped> =>
  done(await server.post('/api/activity/getnum', fields, token));
const idsOf = ({ result }: Untyped) => result.map(({ id }: Untyped) => id);

describe('the activities', () => {
  test('have exactly the keys of the contract', async () => {
    const [said] = (await list({ create_user: '裴迪' })).result;
    expect(said).toEqual({
      _id: late,
      id: late,
      type: 'comment',
      create_user: '裴迪',
      create_time: said.content.create_time,
      update_time: said.content.create_time,
      content: comment({ content: '来过竹里馆', page_id: second, page_title: '竹里馆' }),
    });
    const written = (await list({ create_user: '王维', type: 'page' })).result[1];
    expect(written).toEqual({
      _id: first,
      id: first,
      type: 'page',
      create_user: '王维',
      create_time: written.content.create_time,
      update_time: written.content.update_time,
      content: article({ title: '鹿柴', content: '空山不见人。', create_user: '王维' }),
    });
  });

  test.each<[string, Fields, () => string[]]>([
    ['all users', {}, () => [late, second, early, first]],
    ['all users, empty texts', { type: '', create_user: '' }, () => [late, second, early, first]],
    ['an author', { create_user: '王维' }, () => [second, first]],
    ['a writer of comments', { create_user: '裴迪' }, () => [late, early]],
    ['a name with spaces around it', { create_user: ' 裴迪 ' }, () => [late, early]],
    ['articles', { type: 'page' }, () => [second, first]],
    ['comments', { type: 'comment' }, () => [late, early]],
    ['an unknown kind', { type: 'activity' }, () => [late, second, early, first]],
    ['comments of somebody without any', { create_user: '王维', type: 'comment' }, () => []],
    ['an unknown user', { create_user: '李白' }, () => []],
    ['a page', { page: 2, pageSize: 3 }, () => [first]],
    ['a page beyond the end', { page: 99, pageSize: 3 }, () => [first]],
    ['what old clients request', { page: 1, pageSize: 999 }, () => [late, second, early, first]],
    ['unusable paging', { page: '第二页', pageSize: 0 }, () => [late]],
  ])('are listed newest first and counted: %s', async (_, fields, ids) => {
    const { result, total } = await list(fields);
    expect(result.map(({ id }: Untyped) => id)).toEqual(ids());
    const { page: _page, pageSize: _pageSize, ...scope } = fields;
    expect(await count(scope)).toBe(total);
    expect(total).toBeGreaterThanOrEqual(ids().length);
  });

  test('are the same for every viewer', async () => {
    const seen = await list();
    for (const { token } of [author, reader, editor]) expect(await list({}, token)).toEqual(seen);
  });
});

/** Ways to hide the second article, or the late comment, and how to show it again. */
const moderate = async (kind: 'article' | 'comment', id: string, action: string) =>
  done(await decide(server, kind, { ids: [id], action, note: '理由' }, editor.token));
const edit = async (fields: Fields) => {
  const text = { title: '竹里馆', content: '独坐', tags: ['诗'], status: 'normal', ...fields };
  done(await server.post('/api/page/edit', { id: second, ...text }, author.token));
};
const places: Record<string, () => Promise<string>> = {
  list: async () => JSON.stringify(await list()),
  'list of the author': async () => JSON.stringify(await list({ create_user: '王维' }, author.token)),
  'list of the reader': async () => JSON.stringify(await list({ create_user: '裴迪' }, reader.token)),
  'page of the author': async () => (await server.send(pageOf('王维'))).text,
  'page of the reader': async () => (await server.send(pageOf('裴迪'))).text,
};

describe.each<[string, () => Promise<unknown>, () => Promise<unknown>, boolean]>([
  ['made secret', () => edit({ secret: 'true' }), () => edit({ secret: 'false' }), true],
  [
    'hidden by staff',
    () => moderate('article', second, 'hide'),
    () => moderate('article', second, 'restore'),
    true,
  ],
  [
    'deleted by its author',
    async () => done(await server.post('/api/page/delete', { id: second }, author.token)),
    async () => done(await server.post('/api/page/restore', { id: second }, author.token)),
    true,
  ],
  [
    'whose comment is hidden',
    () => moderate('comment', late, 'hide'),
    () => moderate('comment', late, 'restore'),
    false,
  ],
])('an article %s', (_, hide, show, hidesArticle) => {
  test('leaves every list, count and page with its comments, and returns', async () => {
    const before = { all: await count(), own: await count({ create_user: '裴迪' }) };
    for (const [name, read] of Object.entries(places))
      expect([name, (await read()).includes('竹里馆')]).toEqual([name, true]);
    await hide();
    expect(idsOf(await list())).toEqual(hidesArticle ? [early, first] : [second, early, first]);
    expect(await count()).toBe(before.all - (hidesArticle ? 2 : 1));
    expect(await count({ create_user: '裴迪' })).toBe(before.own - 1);
    for (const [name, read] of Object.entries(places))
      expect([name, (await read()).includes('来过竹里馆')]).toEqual([name, false]);
    if (hidesArticle)
      for (const [name, read] of Object.entries(places))
        expect([name, (await read()).includes('竹里馆')]).toEqual([name, false]);
    await show();
    expect(await count()).toBe(before.all);
    for (const [name, read] of Object.entries(places))
      expect([name, (await read()).includes('竹里馆')]).toEqual([name, true]);
  });
});

test('drafts and pending comments are no activities', async () => {
  const before = await count();
  await server.write(author, { title: '未完', status: 'draft' });
  await server.app.services.options.change({ holdComments: 'all' }, null);
  expect((await server.comment(reader, first, { content: '等着' })).state).toBe('held');
  await server.app.services.options.change({ holdComments: 'none' }, null);
  expect(await count()).toBe(before);
  expect(JSON.stringify(await list({}, reader.token))).not.toContain('等着');
});

test('the page shows articles and comments without scripts, and the profile leads there', async () => {
  const profile = (await server.send('/user/info/裴迪')).text;
  expect(profile).toContain(`href="${pageOf('裴迪')}"`);
  const { status, text } = await server.send(pageOf('裴迪'));
  expect(status).toBe(200);
  expect(text).toContain('日夕见<strong>寒山</strong>');
  expect(text).toContain(`href="/detail/${first}/comment/${early}"`);
  expect(text.indexOf('来过竹里馆')).toBeLessThan(text.indexOf('寒山'));
  expect((await server.send(pageOf('李白'))).headers.get('location')).toBe('/404');
});

test('a new comment and a new article are there at once', async () => {
  await server.send(pageOf('裴迪'));
  const { _id } = await server.comment(reader, first, { content: '又来了' });
  expect(idsOf(await list({ create_user: '裴迪' }))[0]).toBe(_id);
  expect((await server.send(pageOf('裴迪'))).text).toContain('又来了');
  done(await server.post('/api/comment/delete', { id: _id }, reader.token));
  expect((await server.send(pageOf('裴迪'))).text).not.toContain('又来了');
});
