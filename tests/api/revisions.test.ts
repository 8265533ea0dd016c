import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { done, openServer, outcome, refused, type Fields, type Person, type TestServer } from './server.ts';
import { ID, INSTANT, NOWHERE, noExtras } from './shapes.ts';

const CHANGED = refused('文章已在别处修改');
const NOT_FOUND = refused('文章不存在或已被删除');
/** A word that occurs only in unpublished changes. */
const WORD = '未刊之句';

let server: TestServer;
let author: Person;
let stranger: Person;
beforeAll(async () => {
  server = await openServer();
  author = await server.join('王维');
  stranger = await server.join('路人');
});
afterAll(() => server?.close());

const typed = { title: WORD, content: WORD, tags: [WORD], secret: 'true' };
const save = (id: string, fields: Fields = {}, person = author) =>
  server.post('/api/page/revision', { id, ...typed, ...fields }, person.token);
const source = async (id: string) => done(await server.post('/api/page/editdetail', { id }, author.token));
const edit = (id: string, fields: Fields = {}) =>
  server.post('/api/page/edit', { id, title: '改', content: '改', tags: ['诗'], ...fields }, author.token);

describe('unpublished changes of an article', () => {
  test('are stored for the author, and the article stays unchanged', async () => {
    const id = await server.write(author);
    const before = await source(id);
    expect(before).not.toHaveProperty('revision');
    const saved = done(await save(id));
    expect(saved).toEqual({ revision_time: INSTANT });
    const revision = { ...typed, ...noExtras, secret: true, base_time: before.update_time, ...saved };
    expect(await source(id)).toEqual({ ...before, revision });
    for (const token of [undefined, stranger.token, author.token]) {
      const { _id, title, content, tags, secret } = done(
        await server.post('/api/page/detail', { id }, token),
      );
      expect({ _id, title, content, tags, secret }).toEqual({
        _id: id,
        title: '山居',
        content: '空山新雨后',
        tags: ['诗'],
        secret: false,
      });
    }
  });

  test('appear in no list, search, count, tag or page', async () => {
    const id = await server.write(author);
    done(await save(id));
    const answers = [
      await server.post('/api/page/pagelist', { pageSize: 100 }, stranger.token),
      await server.post('/api/page/searchpage', { keywords: WORD }, stranger.token),
      await server.post('/api/page/limitpagelist', { content: '王维', pageSize: 100 }, author.token),
      await server.post('/api/page/limitpagelist', { content: '王维', status: 'draft' }, author.token),
      await server.post('/api/tag/alltags', {}, author.token),
      await server.send('/home'),
      await server.send(`/detail/${id}`),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      expect(answer.text).not.toContain(WORD);
    }
  });

  test('may be incomplete, with the limits of a draft', async () => {
    const id = await server.write(author);
    done(await save(id, { title: '', tags: [] }));
    expect((await source(id)).revision).toMatchObject({ title: '', tags: [], content: WORD });
    const wrong: [Fields, string][] = [
      [{ title: '', content: ' ' }, '草稿至少要有标题或正文'],
      [{ title: '长'.repeat(121) }, '标题不能超过 120 个字符'],
      [{ content: '长'.repeat(200_001) }, '正文不能超过 200000 个字符'],
      [{ tags: Array.from({ length: 11 }, (_, index) => `标签${index}`) }, '标签不能超过 10 个'],
      [{ id: '1' }, '编号格式不正确'],
      [{ revision_time: '昨天' }, '更新时间格式不正确'],
    ];
    for (const [fields, sentence] of wrong)
      expect(outcome(await save(id, fields))).toEqual(refused(sentence));
    done(await save(id, { content: '长'.repeat(200_000) }));
  });
});

describe('two devices', () => {
  test('do not overwrite each other’s saves', async () => {
    const id = await server.write(author);
    const { update_time } = await source(id);
    const first = done(await save(id, { update_time, revision_time: update_time }));
    expect(outcome(await save(id, { title: '别处', update_time, revision_time: update_time }))).toEqual(
      CHANGED,
    );
    expect((await source(id)).revision.title).toBe(WORD);
    done(await save(id, { title: '续', update_time, ...first }));
    expect((await source(id)).revision.title).toBe('续');
  });

  test('of 20 concurrent saves of the same version, one succeeds', async () => {
    const id = await server.write(author);
    const { update_time } = await source(id);
    const saves = Array.from({ length: 20 }, (_, index) =>
      save(id, { title: `第${index}`, update_time, revision_time: update_time }),
    );
    const codes = (await Promise.all(saves)).map(({ code }) => code);
    expect(codes.filter((code) => code === 'OK')).toHaveLength(1);
  });

  test('publishing without the other’s latest changes is refused, and changes nothing', async () => {
    const id = await server.write(author);
    const before = await source(id);
    const { update_time } = before;
    const saved = done(await save(id));
    expect(outcome(await edit(id, { update_time, revision_time: update_time }))).toEqual(CHANGED);
    expect(await source(id)).toMatchObject({ ...before, revision: { title: WORD } });
    done(await edit(id, { update_time, ...saved }));
    expect(await source(id)).not.toHaveProperty('revision');
  });

  test('a legacy client without revisions publishes and keeps them', async () => {
    const id = await server.write(author);
    const { update_time } = await source(id);
    done(await save(id));
    done(await edit(id));
    const after = await source(id);
    expect(after).toMatchObject({ title: '改', revision: { title: WORD, base_time: update_time } });
    expect(after.update_time).not.toBe(update_time);
    // The author learns that the article has changed in the meantime.
    expect(outcome(await save(id, { update_time }))).toEqual(CHANGED);
    done(await save(id, { update_time: after.update_time }));
  });
});

describe('a revision is removed', () => {
  test('when its author discards it, repeatedly', async () => {
    const id = await server.write(author);
    done(await save(id));
    for (let round = 0; round < 2; round++)
      expect(done(await server.post('/api/page/revision/delete', { id }, author.token))).toBe(
        '未发布的修改已删除',
      );
    expect(await source(id)).not.toHaveProperty('revision');
  });

  test('when its article is purged', async () => {
    const id = await server.write(author);
    done(await save(id));
    done(await server.post('/api/page/delete', { id }, author.token));
    expect(outcome(await save(id))).toEqual(NOT_FOUND);
    done(await server.post('/api/page/purge', { id }, author.token));
    const rows = await server.app.db.read
      .selectFrom('article_revisions')
      .selectAll()
      .where('article_id', '=', id)
      .execute();
    expect(rows).toEqual([]);
  });
});

describe('others', () => {
  const calls = ['/api/page/revision', '/api/page/revision/delete'];

  test.each(calls)('get from %s the same response as for an unknown id', async (path) => {
    for (const fields of [{ status: 'draft' }, { secret: 'true' }]) {
      const id = await server.write(author, fields);
      done(await save(id));
      const answers = [id, NOWHERE].map((each) => server.post(path, { id: each, ...typed }, stranger.token));
      const [hidden, nowhere] = await Promise.all(answers);
      expect([hidden?.status, hidden?.text]).toEqual([nowhere?.status, nowhere?.text]);
      expect((await source(id)).revision.title).toBe(WORD);
    }
  });

  test.each(calls)('and visitors cannot change public articles with %s', async (path) => {
    const id = await server.write(author);
    done(await save(id));
    expect(outcome(await server.post(path, { id, ...typed }, stranger.token))).toEqual(
      refused('只能操作自己发布的内容'),
    );
    expect(outcome(await server.post(path, { id, ...typed }))).toEqual(refused('请重新登录', 402));
    expect((await source(id)).revision.title).toBe(WORD);
  });
});

describe('page/new with a request_id', () => {
  const create = (fields: Fields = {}, person = author) =>
    server.post('/api/page/new', { title: '题', content: '文', status: 'draft', ...fields }, person.token);

  test('creates one article despite concurrent repeats, unchanged by them', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => create({ request_id: 'a', content: `第${index}` })),
    );
    const made = answers.map((answer) => done(answer));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    const fresh = made.filter(({ repeated }) => repeated === false);
    expect(fresh).toHaveLength(1);
    expect(fresh[0]).toMatchObject({ id: ID, update_time: INSTANT, draft_num: expect.any(Number) });
    const before = await source(made[0].id);
    const again = done(await create({ request_id: 'a', content: '又', status: 'normal', tags: ['诗'] }));
    expect(again).toMatchObject({ id: made[0].id, update_time: before.update_time, repeated: true });
    expect(await source(made[0].id)).toEqual(before);
  });

  test('creates another for another author, another id, or none', async () => {
    const ids = [
      done(await create({ request_id: 'b' })).id,
      done(await create({ request_id: 'b' }, stranger)).id,
      done(await create({ request_id: 'c' })).id,
      ...(await Promise.all([create({ request_id: '' }), create(), create({ request_id: 'undefined' })])).map(
        (answer) => done(answer).id,
      ),
    ];
    expect(new Set(ids).size).toBe(6);
    expect(outcome(await create({ request_id: 'r'.repeat(101) }))).toEqual(
      refused('请求编号不能超过 100 个字符'),
    );
  });

  test('creates no second one after the first was deleted', async () => {
    const { id } = done(await create({ request_id: 'd' }));
    done(await server.post('/api/page/delete', { id }, author.token));
    expect(done(await create({ request_id: 'd' }))).toMatchObject({ id, repeated: true });
    expect(outcome(await server.post('/api/page/editdetail', { id }, author.token))).toEqual(NOT_FOUND);
  });
});
