import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { done, openServer, type Answer, type Fields, type Person, type TestServer } from './server.ts';
import { NOWHERE } from './shapes.ts';

const HIDDEN = ['draft', 'secret', 'deleted', 'withdrawn'] as const;
type Hidden = (typeof HIDDEN)[number];
/** A word, a tag and a title that no public article has. */
const WORD = '密云不雨';
const TAG = '未公开的标签';

let server: TestServer;
let author: Person;
let stranger: Person;
let ids: Record<Hidden, string>;
let publicId: string;
let commentId: string;
/** Responses to a visitor and a stranger before the author wrote hidden articles. */
let before: string[];

beforeAll(async () => {
  server = await openServer();
  author = await server.join('王维');
  stranger = await server.join('路人');
  publicId = await server.write(author);
  // Was public first, then withdrawn: everything that showed it must be updated.
  const withdrawn = await server.write(author, { title: '曾经', content: `${WORD}，曾经`, tags: ['诗'] });
  const deleted = await server.write(author, { title: '已删', content: `${WORD}，已删`, tags: ['诗'] });
  ids = { withdrawn, deleted, draft: '', secret: '' };
  done(
    await server.post(
      '/api/page/edit',
      { id: withdrawn, title: '曾经', content: WORD, tags: ['诗'], secret: 'true' },
      author.token,
    ),
  );
  done(await server.post('/api/page/delete', { id: deleted }, author.token));
  before = await everything();
  server.pass(5);
  ids.draft = await server.write(author, { title: WORD, content: WORD, tags: [TAG, '诗'], status: 'draft' });
  ids.secret = await server.write(author, { title: WORD, content: WORD, tags: [TAG, '诗'], secret: 'true' });
  const comment = await server.comment(author, ids.secret, {
    content: WORD,
    reply_user: '路人',
    reply_content: WORD,
  });
  commentId = comment._id;
});
afterAll(() => server?.close());

const callers = () => [undefined, stranger.token];

/** Responses to a visitor and a stranger from every call that takes no id. */
async function everything(): Promise<string[]> {
  const asked: [string, Fields][] = [
    ['/api/page/pagelist', { pageSize: 100 }],
    ['/api/page/pagelist', { type: 'tag', content: '诗', pageSize: 100 }],
    ['/api/page/pagelist', { type: 'tag', content: TAG }],
    ['/api/page/pagelist', { type: 'create_user', content: '王维', status: 'draft', secret: 'true' }],
    ['/api/page/searchpage', { keywords: WORD }],
    ['/api/page/searchpage', { keywords: '密' }],
    ['/api/page/searchpage', { keywords: TAG }],
    ['/api/page/searchpage', { keywords: '' }],
    ['/api/tag/taglist', { pageSize: 100 }],
    ['/api/tag/tagdetail', { name: TAG }],
    ['/api/tag/tagdetail', { name: '诗' }],
    ['/api/tag/alltags', {}],
    ['/api/page/ways', { id: publicId }],
    ['/api/page/worth', {}],
    ['/api/page/archive', {}],
    ['/api/page/archive', { username: '王维' }],
    ['/api/user/detail', { username: '王维' }],
    ['/api/signin/getUserInfo', { username: '王维' }],
    ['/api/signin/getUserInfo', { username: '路人' }],
  ];
  const signedIn: [string, Fields][] = [
    ...(['normal', 'draft'] as const).flatMap((status) =>
      ['', 'true', 'false'].map((secret): [string, Fields] => [
        '/api/page/limitpagelist',
        { type: 'create_user', content: '王维', status, secret },
      ]),
    ),
    ['/api/comment/getusercommentlist', { type: 'to_user' }],
    ['/api/comment/getusercommentlist', { type: 'create_user' }],
    ['/api/statistics', {}],
  ];
  const answers: string[] = [];
  for (const token of callers()) {
    for (const [path, fields] of [...asked, ...(token ? signedIn : [])]) {
      const { status, text } = await server.post(path, fields, token);
      answers.push(`${path} ${JSON.stringify(fields)} ${status} ${text}`);
    }
  }
  answers.push((await server.get('/api/comment/getUnreadCommentNum', stranger.token)).text);
  return answers;
}

test('no list, total, count, search or tag reveals hidden articles', async () => {
  const after = await everything();
  expect(after).toEqual(before);
  const searches = after.filter((answer) => answer.includes(`{"keywords":"${WORD}"}`));
  expect(searches).toHaveLength(2);
  for (const answer of searches) expect(answer).toMatch(/"data":\{"result":\[\],"total":0\}\}$/);
});

describe.each(HIDDEN)('an article that is %s', (kind) => {
  const withId = (path: string, fields: (id: string) => Fields): [string, (id: string) => Fields] => [
    path,
    fields,
  ];
  const calls = [
    withId('/api/page/detail', (id) => ({ id })),
    withId('/api/page/editdetail', (id) => ({ id })),
    withId('/api/page/edit', (id) => ({ id, title: '夺', content: '夺', tags: '诗' })),
    withId('/api/page/edit', (id) => ({
      id,
      title: '夺',
      content: '夺',
      tags: '诗',
      update_time: '2026-01-01T00:00:00.000Z',
    })),
    withId('/api/page/edit', (id) => ({ id, status: 'cancel' })),
    withId('/api/page/delete', (id) => ({ id })),
    withId('/api/comment/getpagecommentlist', (page_id) => ({ page_id })),
    withId('/api/comment/create', (page_id) => ({ content: '在吗', page_id, reply_user: '王维' })),
    withId('/api/comment/create', (page_id) => ({
      content: '在吗',
      page_id,
      to_user: '路人',
      create_user: '王维',
    })),
  ];

  test.each(calls)('answers %s to others as if it did not exist', async (path, fields) => {
    for (const token of callers()) {
      const found = await server.post(path, fields(ids[kind]), token);
      const nowhere = await server.post(path, fields(NOWHERE), token);
      expect([found.status, found.text]).toEqual([nowhere.status, nowhere.text]);
      expect(namesOfHeaders(found)).toEqual(namesOfHeaders(nowhere));
    }
  });

  test('has no page for other users', async () => {
    for (const token of ['', stranger.token, author.refresh_token]) {
      const open = async (id: string) => {
        const { status, headers, text } = await server.send(`/detail/${id}`, {
          headers: { Cookie: `token=${token}` },
        });
        return { status, location: headers.get('location'), caching: headers.get('cache-control'), text };
      };
      expect(await open(ids[kind])).toEqual(await open(NOWHERE));
    }
  });

  test('is unchanged for its author', async () => {
    const answer = await server.post('/api/page/detail', { id: ids[kind] }, author.token);
    if (kind === 'deleted') expect(answer.data).toBe('文章不存在或已被删除');
    else expect(done(answer)).toMatchObject({ _id: ids[kind], create_user: '王维', content: WORD });
  });
});

test('comments under a hidden article exist only for its author', async () => {
  const nowhere = await server.post('/api/comment/delete', { id: NOWHERE }, stranger.token);
  const hidden = await server.post('/api/comment/delete', { id: commentId }, stranger.token);
  expect([hidden.status, hidden.text]).toEqual([nowhere.status, nowhere.text]);
  expect(
    done(await server.post('/api/comment/getpagecommentlist', { page_id: ids.secret }, author.token)),
  ).toHaveLength(1);
  expect(done(await server.get('/api/comment/getUnreadCommentNum', stranger.token))).toBe(0);
  done(await server.post('/api/comment/updatecommentstatus', { ids: [commentId] }, stranger.token));
  expect(
    done(await server.post('/api/comment/getusercommentlist', { type: 'to_user' }, stranger.token)),
  ).toEqual({ result: [], total: 0 });
});

test('comments are hidden and restored with their article', async () => {
  const edit = (secret: string) =>
    server.post(
      '/api/page/edit',
      { id: publicId, title: '山居', content: '空山', tags: '诗', secret },
      author.token,
    );
  await server.comment(stranger, publicId);
  await server.comment(author, publicId, { reply_user: '路人' });
  const unread = async () => done(await server.get('/api/comment/getUnreadCommentNum', stranger.token));
  const written = async () =>
    done(await server.post('/api/signin/getUserInfo', { username: '路人' }, stranger.token)).comment_num;
  expect([await unread(), await written()]).toEqual([1, 1]);
  done(await edit('true'));
  expect([await unread(), await written()]).toEqual([0, 0]);
  expect(
    done(await server.post('/api/comment/getusercommentlist', { type: 'create_user' }, stranger.token)),
  ).toEqual({ result: [], total: 0 });
  expect(
    done(await server.post('/api/comment/getpagecommentlist', { page_id: publicId }, stranger.token)),
  ).toEqual([]);
  done(await edit('false'));
  expect([await unread(), await written()]).toEqual([1, 1]);
});

describe('a tag that only hidden articles name', () => {
  test('exists for its creator', async () => {
    expect(done(await server.post('/api/tag/tagdetail', { name: TAG }, author.token))).toMatchObject({
      name: TAG,
      page_num: 0,
    });
    expect(done(await server.post('/api/tag/alltags', {}, author.token))).toContain(TAG);
  });

  test('can be created by others as if it did not exist', async () => {
    const made = async (name: string) => {
      const { status, data } = await server.post(
        '/api/tag/create',
        { name, description: '说明' },
        stranger.token,
      );
      return { status, data: { ...data, _id: '', name: '', create_time: '', update_time: '' } };
    };
    await server.write(author, { tags: ['草稿甲'], status: 'draft' });
    expect(await made('草稿甲')).toEqual(await made('从未有过'));
  });

  test.each([
    ['creates it', (name: string) => server.post('/api/tag/create', { name }, stranger.token)],
    ['publishes under it', (name: string) => server.write(stranger, { tags: [name] })],
  ])('becomes a new record once another user %s, with the creator’s articles under it', async (how, use) => {
    const name = `藏${how.length}`;
    const id = await server.write(author, { tags: [name], status: 'draft' });
    const own = done(await server.post('/api/tag/tagdetail', { name }, author.token));
    server.pass(60);
    await use(name);
    const made = done(await server.post('/api/tag/tagdetail', { name }, stranger.token));
    expect(made.create_user).toBe('路人');
    expect(made._id).not.toBe(own._id);
    expect(Date.parse(made.create_time)).toBeGreaterThan(Date.parse(own.create_time));
    expect(done(await server.post('/api/tag/tagdetail', { name }, author.token))).toEqual(made);
    expect(await server.rows(`select tag_id from article_tags where article_id = '${id}'`)).toEqual([
      { tag_id: made._id },
    ]);
    const publish = { id, title: '题', content: '文', tags: [name] };
    done(await server.post('/api/page/edit', publish, author.token));
    const listed = await server.post('/api/page/pagelist', { type: 'tag', content: name });
    expect(done(listed).result).toContainEqual(expect.objectContaining({ _id: id }));
    const { page_num } = done(await server.post('/api/tag/tagdetail', { name }));
    expect(page_num).toBe(done(listed).total);
  });

  test('does not conflict with hidden tags of others of the same name', async () => {
    const [name, fresh] = ['同藏', '独藏'];
    await server.write(author, { tags: [name], status: 'draft' });
    const draft = { tags: [name, fresh], status: 'draft' };
    const id = await server.write(stranger, draft);
    const about = (tag: string) => server.post('/api/tag/tagdetail', { name: tag }, stranger.token);
    for (const tag of [name, fresh]) {
      expect(done(await about(tag))).toMatchObject({ name: tag, create_user: '路人', page_num: 0 });
    }
    const names = done(await server.post('/api/tag/alltags', {}, stranger.token));
    expect(names).toEqual(expect.arrayContaining([name, fresh]));
    done(
      await server.post('/api/page/edit', { id, title: '题', content: '文', tags: [name] }, stranger.token),
    );
    // Both articles use the one tag that is now public.
    const rows = `select distinct tag_id from article_tags join tags on id = tag_id where name = '${name}'`;
    expect(await server.rows(rows)).toHaveLength(1);
    expect(await server.rows(`select id from tags where name = '${name}'`)).toHaveLength(1);
  });

  test('does not reveal its first user when others publish with it', async () => {
    await server.write(author, { tags: ['草稿乙'], status: 'draft' });
    server.pass(60);
    await server.write(stranger, { tags: ['草稿乙', '从未有过乙'] });
    const about = async (name: string) => done(await server.post('/api/tag/tagdetail', { name }));
    const [known, fresh] = [await about('草稿乙'), await about('从未有过乙')];
    expect(known.create_time.slice(0, 16)).toBe(fresh.create_time.slice(0, 16));
    expect(known).toMatchObject({ create_user: '路人', description: '', page_num: 1 });
    expect(fresh).toMatchObject({ create_user: '路人', description: '', page_num: 1 });
  });
});

test('an image URL or avatar reveals nothing about its owner’s articles', async () => {
  for (const name of ['王维', '路人', '无此人']) {
    const answer = await server.get(`/api/file/avatar/user?username=${encodeURIComponent(name)}`);
    expect([answer.status, answer.text]).toEqual([
      404,
      '{"code":"ERROR","data":"文件不存在","error":"FILE_NOT_FOUND"}',
    ]);
  }
});

const namesOfHeaders = ({ headers }: Answer) => [...headers.keys()].filter((name) => name !== 'date').sort();
