import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { done, openServer, outcome, refused, type Fields, type Person, type TestServer } from './server.ts';
import { EMPTY_HEAD } from '../../src/lib/server/articles/core/authored-queries.ts';
import { NOWHERE } from './shapes.ts';

const NOT_FOUND = refused('文章不存在或已被删除');
const LONG = '空山新雨后，天气晚来秋。'.repeat(40);

let server: TestServer;
let author: Person;
let stranger: Person;
beforeAll(async () => {
  server = await openServer();
  author = await server.join('王维');
  stranger = await server.join('路人');
});
afterAll(() => server?.close());

const edit = async (id: string, fields: Fields) =>
  done(
    await server.post(
      '/api/page/edit',
      { id, title: '题', content: '文', tags: ['诗'], ...fields },
      author.token,
    ),
  );
const revise = async (id: string, content: string) =>
  done(await server.post('/api/page/revision', { id, title: '题', content, tags: ['诗'] }, author.token));
const versions = async (id: string, fields: Fields = {}) =>
  done(await server.post('/api/page/versions', { id, pageSize: 100, ...fields }, author.token));
const read = (id: string, version: string, person = author) =>
  server.post('/api/page/version', { id, version }, person.token);
/** Kind and content of every version, newest first. */
const history = async (id: string) => {
  const found = [];
  for (const { _id } of (await versions(id)).result) {
    const { kind, content } = done(await read(id, _id));
    found.push([kind, content]);
  }
  return found;
};
const bytes = async () =>
  Number(
    (await server.rows(`select version_bytes from users where username = '王维'`))[0]?.['version_bytes'],
  );

describe('the history of an article', () => {
  test('has each publication once, with all of its fields', async () => {
    const id = await server.write(author, { title: '一', content: '第一版', description: '摘' });
    await edit(id, { content: '第二版' });
    await edit(id, { content: '第二版' });
    expect(await history(id)).toEqual([
      ['publication', '第二版'],
      ['publication', '第一版'],
    ]);
    const { result, total } = await versions(id);
    expect(total).toBe(2);
    expect(done(await read(id, result[1]._id))).toMatchObject({
      title: '一',
      tags: ['诗'],
      secret: false,
      description: '摘',
      content: '第一版',
    });
  });

  test('has versions of a draft five minutes apart, not one per save', async () => {
    const id = await server.write(author, { status: 'draft', content: '一' });
    await edit(id, { status: 'draft', content: '一二' });
    for (const content of ['一二三', '一二三四', '一二三四五']) await edit(id, { status: 'draft', content });
    expect(await history(id)).toEqual([['draft', '一']]);
    server.pass(400);
    await edit(id, { status: 'draft', content: '一二三四五六' });
    await edit(id, { status: 'draft', content: '一二三四五六七' });
    expect(await history(id)).toEqual([
      ['draft', '一二三四五六'],
      ['draft', '一'],
    ]);
  });

  test('has a version at once when a save deletes text or restores an earlier one', async () => {
    const id = await server.write(author, { status: 'draft', content: '开头' });
    await edit(id, { status: 'draft', content: `开头${LONG}` });
    await edit(id, { status: 'draft', content: '开头' });
    expect(await history(id)).toEqual([
      ['draft', `开头${LONG}`],
      ['draft', '开头'],
    ]);
    await edit(id, { status: 'draft', content: '开头新' });
    await edit(id, { status: 'draft', content: `开头${LONG}` });
    expect((await history(id))[0]).toEqual(['draft', '开头新']);
  });

  test('has unpublished changes that are overwritten or discarded', async () => {
    const id = await server.write(author, { content: '刊出的' });
    await revise(id, LONG);
    await revise(id, '短了');
    expect(await history(id)).toEqual([
      ['draft', LONG],
      ['publication', '刊出的'],
    ]);
    await revise(id, LONG.slice(5));
    done(await server.post('/api/page/revision/delete', { id }, author.token));
    expect((await history(id))[0]).toEqual(['draft', LONG.slice(5)]);
  });

  test('of 10,000 versions is paged, and thinned by the next save', async () => {
    const id = await server.write(author, { content: '源头' });
    const text = { ...EMPTY_HEAD, title: '旧', tags: '[]' };
    const many = Array.from({ length: 10_000 }, (_, index) => ({
      ...text,
      id: index.toString(16).padStart(24, '0'),
      article_id: id,
      kind: 'draft' as const,
      content: String(index),
      create_time: Date.now() - index * 60_000 - 86_400_000,
      digest: String(index),
      bytes: 4,
    }));
    await server.app.db.write(async (trx) => {
      for (let start = 0; start < many.length; start += 1000)
        await trx
          .insertInto('article_versions')
          .values(many.slice(start, start + 1000))
          .execute();
    });
    const page = await versions(id, { page: 100, pageSize: 100 });
    expect([page.total, page.result.length]).toEqual([10_001, 100]);
    await edit(id, { content: '又一版' });
    const { total } = await versions(id);
    expect(total).toBeLessThanOrEqual(200);
  });
});

describe('the history of others', () => {
  test('responds as if the article did not exist', async () => {
    const id = await server.write(author);
    const [{ _id }] = (await versions(id)).result;
    for (const person of [stranger, author]) {
      const target = person === stranger ? id : NOWHERE;
      expect(outcome(await server.post('/api/page/versions', { id: target }, person.token))).toEqual(
        NOT_FOUND,
      );
      expect(outcome(await read(target, _id, person))).toEqual(NOT_FOUND);
    }
    const other = await server.write(author);
    expect(outcome(await read(other, _id))).toEqual(refused('这个历史版本已经不在了'));
    expect(outcome(await server.post('/api/page/versions', { id }))).toEqual(refused('请重新登录', 402));
  });
});

describe('the storage of earlier versions', () => {
  test('is counted separately, and freed with the article', async () => {
    const before = await bytes();
    const id = await server.write(author, { content: '十二个字节' });
    await edit(id, { content: '三' });
    expect(await bytes()).toBe(before + 15 + 3);
    done(await server.post('/api/page/delete', { id }, author.token));
    expect(await bytes()).toBe(before + 15 + 3);
    done(await server.post('/api/page/restore', { id }, author.token));
    expect((await versions(id)).total).toBe(2);
    done(await server.post('/api/page/delete', { id }, author.token));
    done(await server.post('/api/page/purge', { id }, author.token));
    expect(await bytes()).toBe(before);
  });

  test('is a quarter of an account’s: beyond it the article’s oldest versions are removed, and saving works', async () => {
    const small = await openServer({ RATE_LIMIT: 'on', QUOTA_STORAGE_MB: '1' });
    try {
      const owner = await small.join('小户');
      const content = '文'.repeat(30_000);
      const id = await small.write(owner, { content });
      for (const start of ['一', '二', '三', '四'])
        done(
          await small.post(
            '/api/page/edit',
            { id, title: '题', tags: ['诗'], content: start + content },
            owner.token,
          ),
        );
      const { result } = done(await small.post('/api/page/versions', { id }, owner.token));
      expect(result).toHaveLength(2);
      const version = await small.post('/api/page/version', { id, version: result[0]._id }, owner.token);
      expect(done(version).content.startsWith('四')).toBe(true);
    } finally {
      await small.close();
    }
  });
});
