import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { done, openServer, outcome, refused, type Fields, type Person, type TestServer } from './server.ts';
import { comment, NOWHERE } from './shapes.ts';

const NOT_FOUND = refused('评论不存在或已被删除');

let server: TestServer;
let author: Person;
let reader: Person;
let third: Person;
let page_id: string;
beforeAll(async () => {
  server = await openServer();
  author = await server.join('王维');
  reader = await server.join('Reader');
  third = await server.join('第三人');
  page_id = await server.write(author);
});
afterAll(() => server?.close());

const create = (person: Person, fields: Fields = {}) =>
  server.post('/api/comment/create', { content: '好诗', page_id, ...fields }, person.token);
const under = async (id: string, token?: string) =>
  done(await server.post('/api/comment/getpagecommentlist', { page_id: id }, token));
const ofUser = async (person: Person, fields: Fields = {}) =>
  done(await server.post('/api/comment/getusercommentlist', { type: 'to_user', ...fields }, person.token));
const unread = async (person: Person) =>
  done(await server.get('/api/comment/getUnreadCommentNum', person.token));
const markRead = (person: Person, ids: readonly string[]) =>
  server.post('/api/comment/updatecommentstatus', { ids }, person.token);
const remove = (person: Person, id: string) => server.post('/api/comment/delete', { id }, person.token);

describe('commenting', () => {
  test('responds with the comment, from the token’s user to the article’s author', async () => {
    const forged = {
      create_user: '王维',
      to_user: '第三人',
      page_title: '别的题目',
      is_read: 'true',
      create_time: '1999-01-01',
    };
    const data = done(await create(reader, forged));
    expect(data).toEqual(comment({ create_user: 'Reader', to_user: '王维', page_id }));
    expect(await under(page_id)).toContainEqual(data);
  });

  test('optional fields may be empty, undefined or null', async () => {
    for (const nothing of ['', 'undefined', 'null']) {
      const fields = { reply_user: nothing, reply_content: nothing, request_id: nothing };
      const [first, second] = [done(await create(reader, fields)), done(await create(reader, fields))];
      expect(first).toEqual(comment({ create_user: 'Reader', to_user: '王维', page_id }));
      expect(second._id).not.toBe(first._id);
    }
  });

  test('a reply names its addressee', async () => {
    const data = done(await create(third, { reply_user: 'reader', reply_content: '好诗' }));
    expect(data).toEqual(
      comment({
        create_user: '第三人',
        to_user: '王维',
        page_id,
        reply_user: 'Reader',
        reply_content: '好诗',
        reply_id: expect.any(String) as string,
      }),
    );
    expect(outcome(await create(third, { reply_user: '无此人' }))).toEqual(refused('被回复的用户不存在'));
  });

  test('a user named null can be replied to', async () => {
    const named = await server.join('null');
    await server.comment(named, page_id, { content: '你好' });
    const data = done(await create(third, { reply_user: 'null', reply_content: '你好' }));
    expect(data).toMatchObject({ reply_user: 'null', reply_content: '你好' });
    expect(await unread(named)).toBe(1);
  });

  test('needs an existing article', async () => {
    expect(outcome(await create(reader, { page_id: NOWHERE }))).toEqual(refused('文章不存在或已被删除'));
    expect(outcome(await create(reader, { page_id: '1' }))).toEqual(refused('编号格式不正确'));
  });

  test('the list under an article is an array, newest first', async () => {
    const id = await server.write(author);
    expect(await under(id)).toEqual([]);
    for (const content of ['一', '二', '三']) {
      server.pass(1);
      await server.comment(reader, id, { content });
    }
    expect((await under(id)).map((item: { content: string }) => item.content)).toEqual(['三', '二', '一']);
    expect(await under(NOWHERE)).toEqual([]);
  });
});

describe('the same request_id', () => {
  test('sent twice creates one comment', async () => {
    const id = await server.write(author);
    const fields = { page_id: id, request_id: 'r-1' };
    const [first, second] = [
      done(await create(reader, fields)),
      done(await create(reader, { ...fields, content: '又' })),
    ];
    expect(second).toEqual(first);
    expect(await under(id)).toHaveLength(1);
  });

  test('twenty times at once makes one comment and one unread mark', async () => {
    const owner = await server.join('储光羲');
    const id = await server.write(owner);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => create(reader, { page_id: id, request_id: 'r-2' })),
    );
    expect(new Set(answers.map((answer) => done(answer)._id)).size).toBe(1);
    expect(await under(id)).toHaveLength(1);
    expect(await unread(owner)).toBe(1);
  });

  test('sent by two users creates two', async () => {
    const id = await server.write(author);
    for (const person of [reader, third]) done(await create(person, { page_id: id, request_id: 'r-3' }));
    expect(await under(id)).toHaveLength(2);
  });

  test('ends at 100 characters', async () => {
    expect(outcome(await create(reader, { request_id: 'r'.repeat(101) }))).toEqual(
      refused('请求编号不能超过 100 个字符'),
    );
    for (const request_id of ['a\0', 'a\ud800'])
      expect(
        outcome(
          await server.json(
            '/api/comment/create',
            { content: '好', page_id: 'a'.repeat(24), request_id },
            reader.token,
          ),
        ),
      ).toEqual(refused('请求编号含有无法保存的字符'));
  });
});

describe('unread comments', () => {
  let owner: Person;
  let replied: Person;
  let id: string;
  beforeAll(async () => {
    owner = await server.join('裴迪');
    replied = await server.join('钱起');
    id = await server.write(owner, { title: '竹里馆' });
  });

  test('are addressed to the article’s author and the replied-to user, never to their writer', async () => {
    await server.comment(owner, id, { content: '自语' });
    expect([await unread(owner), await unread(replied)]).toEqual([0, 0]);
    await server.comment(replied, id, { content: '来访' });
    expect([await unread(owner), await unread(replied)]).toEqual([1, 0]);
    await server.comment(owner, id, { content: '答', reply_user: '钱起', reply_content: '来访' });
    expect([await unread(owner), await unread(replied)]).toEqual([1, 1]);
    await server.comment(reader, id, { content: '插话', reply_user: '钱起', reply_content: '来访' });
    expect([await unread(owner), await unread(replied)]).toEqual([2, 2]);
    await server.comment(reader, id, { content: '对作者', reply_user: '裴迪' });
    expect([await unread(owner), await unread(replied)]).toEqual([3, 2]);
  });

  test('are listed for their addressee, newest first, without the addressee’s own comments', async () => {
    const received = await ofUser(owner);
    expect(received.total).toBe(3);
    expect(received.result.map((item: { content: string }) => item.content)).toEqual([
      '对作者',
      '插话',
      '来访',
    ]);
    const expected = {
      content: '来访',
      create_user: '钱起',
      to_user: '裴迪',
      page_id: id,
      page_title: '竹里馆',
    };
    expect(received.result[2]).toEqual(comment(expected));
    expect(await ofUser(replied)).toMatchObject({ total: 2 });
    expect(await ofUser(owner, { type: 'create_user' })).toMatchObject({
      total: 2,
      result: [{ content: '答' }, { content: '自语' }],
    });
    expect(await ofUser(owner, { username: '钱起', create_user: '钱起' })).toEqual(received);
    expect(await ofUser(owner, { page: 2, pageSize: 2 })).toMatchObject({
      total: 3,
      result: [{ content: '来访' }],
    });
  });

  test('can be marked only by their addressee', async () => {
    const ids = (await ofUser(owner)).result.map((item: { _id: string }) => item._id) as string[];
    for (const person of [third, reader])
      expect(done(await markRead(person, ids))).toEqual(expect.any(String));
    expect([await unread(owner), await unread(replied)]).toEqual([3, 2]);
    done(await markRead(owner, ids.slice(0, 2)));
    expect([await unread(owner), await unread(replied)]).toEqual([1, 2]);
    expect((await ofUser(owner)).result.map((item: { is_read: boolean }) => item.is_read)).toEqual([
      true,
      true,
      false,
    ]);
    expect((await ofUser(replied)).result.map((item: { is_read: boolean }) => item.is_read)).toEqual([
      false,
      false,
    ]);
    done(await markRead(owner, ids));
    done(await markRead(owner, ids));
    expect(await unread(owner)).toBe(0);
  });

  test('take 300 ids at once, unknown ones included', async () => {
    const known = (await ofUser(replied)).result.map((item: { _id: string }) => item._id) as string[];
    const unknown = Array.from({ length: 298 }, (_, index) => index.toString(16).padStart(24, '0'));
    done(await markRead(replied, [...unknown, ...known]));
    expect(await unread(replied)).toBe(0);
  });

  test('take 2,000 ids at once at most, however they are sent', async () => {
    const ids = (count: number) =>
      Array.from({ length: count }, (_, index) => index.toString(16).padStart(24, '0'));
    const mark = (count: number) =>
      server.json('/api/comment/updatecommentstatus', { ids: ids(count) }, owner.token);
    done(await mark(2000));
    expect(outcome(await mark(2001))).toEqual(refused('一次最多标记 2000 条评论'));
  });

  test('need valid ids', async () => {
    expect(outcome(await server.post('/api/comment/updatecommentstatus', {}, owner.token))).toEqual(
      refused('请提供评论编号'),
    );
    expect(outcome(await markRead(owner, [NOWHERE, 'x']))).toEqual(refused('编号格式不正确'));
  });

  test('are gone when the comment is deleted', async () => {
    const { _id } = await server.comment(reader, id, { reply_user: '钱起' });
    expect([await unread(owner), await unread(replied)]).toEqual([1, 1]);
    done(await remove(reader, _id));
    expect([await unread(owner), await unread(replied)]).toEqual([0, 0]);
  });
});

describe('deleting', () => {
  test('is allowed to the writer and the author of the article', async () => {
    for (const person of [reader, author]) {
      const { _id } = await server.comment(reader, page_id);
      expect(outcome(await remove(third, _id))).toEqual(refused('只能操作自己发布的内容'));
      expect(await under(page_id)).toContainEqual(expect.objectContaining({ _id }));
      expect(done(await remove(person, _id))).toEqual(expect.any(String));
      expect(await under(page_id)).not.toContainEqual(expect.objectContaining({ _id }));
      expect(outcome(await remove(person, _id))).toEqual(NOT_FOUND);
    }
  });

  test('is refused to the replied-to user', async () => {
    const { _id } = await server.comment(third, page_id, { reply_user: 'Reader' });
    expect(outcome(await remove(reader, _id))).toEqual(refused('只能操作自己发布的内容'));
  });

  test('an unknown id', async () => {
    expect(outcome(await remove(reader, NOWHERE))).toEqual(NOT_FOUND);
    expect(outcome(await remove(reader, 'nothing'))).toEqual(refused('编号格式不正确'));
  });
});
