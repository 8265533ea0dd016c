import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { done, openServer, outcome, refused, type Fields, type Person, type TestServer } from './server.ts';
import { article, ID, INSTANT, NOWHERE } from './shapes.ts';

const NOT_FOUND = refused('文章不存在或已被删除');
const NOT_YOURS = refused('只能操作自己发布的内容');
const FOLDED = '空山新雨后\n\n<--阅读全文-->\n\n天气晚来秋';

let server: TestServer;
let author: Person;
let stranger: Person;
beforeAll(async () => {
  server = await openServer();
  author = await server.join('王维');
  stranger = await server.join('路人');
});
afterAll(() => server?.close());

const detail = (id: string, token?: string) => server.post('/api/page/detail', { id }, token);
const source = (id: string, token?: string) => server.post('/api/page/editdetail', { id }, token);
const edit = (id: string, fields: Fields = {}, token = author.token) =>
  server.post('/api/page/edit', { id, title: '山居', content: '空山新雨后', tags: ['诗'], ...fields }, token);

describe('writing', () => {
  test('a new article answers with its id and the author’s numbers', async () => {
    const writer = await server.join('储光羲');
    const save = async (fields: Fields) =>
      done(
        await server.post(
          '/api/page/new',
          { title: '题', content: '文', tags: ['诗'], ...fields },
          writer.token,
        ),
      );
    expect(await save({})).toEqual({ id: ID, page_num: 1, draft_num: 0 });
    expect(await save({ secret: 'true' })).toEqual({ id: ID, page_num: 2, draft_num: 0 });
    expect(await save({ status: 'draft' })).toEqual({ id: ID, page_num: 2, draft_num: 1 });
    const { id } = await save({ status: 'normal', secret: 'false', type: '' });
    expect(done(await detail(id))).toEqual(article({ title: '题', content: '文', create_user: '储光羲' }));
  });

  test('the author is the token’s user, whatever the body says', async () => {
    const id = await server.write(author, {
      create_user: '路人',
      username: '路人',
      create_time: '1999-01-01T00:00:00.000Z',
      _id: NOWHERE,
    });
    expect(id).not.toBe(NOWHERE);
    const found = done(await detail(id));
    expect(found.create_user).toBe('王维');
    expect(found.create_time).not.toMatch(/^1999/);
  });

  test('a draft needs a title or content, and no tag', async () => {
    for (const fields of [{ title: '只有题目' }, { content: '只有正文' }]) {
      const saved = await server.post(
        '/api/page/new',
        { ...fields, tags: '', status: 'draft' },
        author.token,
      );
      const [shown] = [done(await source(done(saved).id, author.token))];
      expect(shown).toEqual(
        article({ title: '', content: '', ...fields, tags: [], status: 'draft', create_user: '王维' }),
      );
    }
    const empty = await server.post(
      '/api/page/new',
      { title: ' ', content: '\n', status: 'draft' },
      author.token,
    );
    expect(outcome(empty)).toEqual(refused('草稿至少要有标题或正文'));
  });

  test('a draft is published with the date of its publication', async () => {
    const id = await server.write(author, { status: 'draft' });
    const before = done(await source(id, author.token));
    server.pass(3600);
    const saved = done(await edit(id, { status: 'normal' }));
    expect(saved).toEqual({
      id,
      page_num: expect.any(Number),
      draft_num: expect.any(Number),
      update_time: INSTANT,
    });
    const after = done(await detail(id));
    expect(after.update_time).toBe(saved.update_time);
    expect(Date.parse(after.create_time)).toBeGreaterThan(Date.parse(before.create_time));
    server.pass(3600);
    done(await edit(id, { title: '改题' }));
    expect(done(await detail(id)).create_time).toBe(after.create_time);
  });

  test('an edit replaces the fields', async () => {
    const id = await server.write(author, { type: '笔记', secret: 'true' });
    done(await edit(id, { title: '新题', content: '新文', tags: ['词', '曲'], secret: 'false', type: '' }));
    expect(done(await detail(id))).toEqual(
      article({ _id: id, title: '新题', content: '新文', tags: ['词', '曲'], create_user: '王维' }),
    );
  });

  test('an edit based on an outdated version changes nothing', async () => {
    const id = await server.write(author);
    const first = done(await source(id, author.token)).update_time;
    const second = done(await edit(id, { title: '第二版', update_time: first })).update_time;
    expect(second).not.toBe(first);
    const before = done(await source(id, author.token));
    for (const fields of [{ title: '第三版' }, { status: 'draft' }, { status: 'cancel' }]) {
      expect(outcome(await edit(id, { ...fields, update_time: first }))).toEqual(refused('文章已在别处修改'));
    }
    expect(done(await source(id, author.token))).toEqual(before);
    done(await edit(id, { title: '第三版', update_time: second }));
    done(await edit(id, { title: '第四版', update_time: '' }));
    done(await edit(id, { title: '第五版' }));
    expect(outcome(await edit(id, { update_time: '昨天' }))).toEqual(refused('更新时间格式不正确'));
  });

  test('one of two edits of the same version wins', async () => {
    const id = await server.write(author);
    const update_time = done(await source(id, author.token)).update_time;
    const answers = await Promise.all(['甲', '乙', '丙'].map((title) => edit(id, { title, update_time })));
    expect(answers.filter(({ code }) => code === 'OK')).toHaveLength(1);
    expect(answers.filter(({ data }) => data === '文章已在别处修改')).toHaveLength(2);
  });

  test('an edit with status cancel deletes', async () => {
    const id = await server.write(author);
    const update_time = done(await source(id, author.token)).update_time;
    expect(done(await edit(id, { status: 'cancel', update_time }))).toMatchObject({
      id,
      update_time: INSTANT,
    });
    expect(outcome(await detail(id, author.token))).toEqual(NOT_FOUND);
    const fresh = await server.post(
      '/api/page/new',
      { title: '题', content: '文', tags: '诗', status: 'cancel' },
      author.token,
    );
    expect(outcome(fresh)).toEqual(refused('文章状态只能是 normal 或 draft'));
  });
});

describe('reading', () => {
  test('the 阅读全文 line is left out of the article and kept for its author', async () => {
    const id = await server.write(author, { content: FOLDED });
    expect(done(await detail(id)).content).toBe('空山新雨后\n\n天气晚来秋');
    expect(done(await source(id, author.token)).content).toBe(FOLDED);
  });

  test('line breaks and white space of an article are preserved', async () => {
    const content = '一\r\n\r\n    代码\n二  \n三 & + % = ; <b>';
    const id = await server.write(author, { content });
    expect(done(await source(id, author.token)).content).toBe(content);
    expect(done(await detail(id)).content).toBe(content);
  });

  test.each([
    ['unknown', NOWHERE, '文章不存在或已被删除'],
    ['too short', '123', '编号格式不正确'],
    ['not hexadecimal', 'z'.repeat(24), '编号格式不正确'],
    ['empty', '', '编号格式不正确'],
    ['undefined', 'undefined', '编号格式不正确'],
    ['an injection', `${'0'.repeat(23)}' or 1=1`, '编号格式不正确'],
  ])('an id that is %s', async (_, id, sentence) => {
    for (const path of ['detail', 'editdetail', 'delete']) {
      expect(outcome(await server.post(`/api/page/${path}`, { id }, author.token))).toEqual(
        refused(sentence),
      );
    }
    expect(outcome(await edit(id))).toEqual(refused(sentence));
  });

  test('no id at all', async () => {
    expect(outcome(await server.post('/api/page/detail'))).toEqual(refused('请提供编号'));
  });

  test('an id may be written in capitals', async () => {
    const id = await server.write(author);
    expect(done(await detail(id.toUpperCase()))._id).toBe(id);
  });
});

describe('another author’s public article', () => {
  test('can be neither edited, opened for editing nor deleted', async () => {
    const id = await server.write(author);
    const before = (await source(id, author.token)).text;
    expect(outcome(await source(id, stranger.token))).toEqual(NOT_YOURS);
    expect(outcome(await edit(id, { create_user: '路人' }, stranger.token))).toEqual(NOT_YOURS);
    expect(outcome(await edit(id, { status: 'cancel' }, stranger.token))).toEqual(NOT_YOURS);
    expect(outcome(await server.post('/api/page/delete', { id, username: '王维' }, stranger.token))).toEqual(
      NOT_YOURS,
    );
    expect((await source(id, author.token)).text).toBe(before);
  });
});

test('a deleted article is not found for anyone, and deleting it again fails', async () => {
  const id = await server.write(author);
  expect(done(await server.post('/api/page/delete', { id }, author.token))).toEqual(expect.any(String));
  for (const token of [undefined, stranger.token, author.token]) {
    expect(outcome(await detail(id, token))).toEqual(NOT_FOUND);
  }
  expect(outcome(await source(id, author.token))).toEqual(NOT_FOUND);
  expect(outcome(await edit(id))).toEqual(NOT_FOUND);
  expect(outcome(await server.post('/api/page/delete', { id }, author.token))).toEqual(NOT_FOUND);
});

test('a too complex article is refused when published, but saved as a draft', async () => {
  const content = '>'.repeat(5000);
  const fields = { title: '层层', content, tags: ['诗'] };
  expect(outcome(await server.post('/api/page/new', fields, author.token))).toEqual(
    refused('正文结构过于复杂，无法在限定时间内排版，请简化后再试'),
  );
  const id = await server.write(author, { ...fields, status: 'draft' });
  expect(done(await source(id, author.token)).content).toBe(content);
});
