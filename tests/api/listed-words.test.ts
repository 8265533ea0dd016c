import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  done,
  openServer,
  outcome,
  refused,
  type Fields,
  type Person,
  type TestServer,
  type Untyped,
} from './server.ts';

let server: TestServer;
let writer: Person;
let editor: Person;
let article: string;

beforeAll(async () => {
  server = await openServer();
  writer = await server.join('路人');
  editor = await server.join('老李');
  await server.app.services.roles.set(editor.username, 'editor', null);
  const options = { holdComments: 'none', holdArticles: 'none', approvedFirst: 3 } as const;
  await server.app.services.options.change(options, null);
  article = await server.write(await server.join('作者'));
});
afterAll(() => server?.close());

const say = (fields: Record<string, string>) => server.comment(writer, article, fields);

describe('listed words', () => {
  const add = (words: string, action: string) =>
    server.post('/api/staff/words/add', { words, category: '测试', action }, editor.token);

  test('are refused, made pending or masked', async () => {
    expect(done(await add('赌博\n博彩\n', 'reject'))).toEqual({ added: 2, changed: 0 });
    done(await add('代购', 'hold'));
    done(await add('笨蛋', 'mask'));
    const fields = { page_id: article, content: '一起去賭*博吧' };
    expect(outcome(await server.post('/api/comment/create', fields, writer.token))).toEqual(
      refused('「賭*博」不能出现在这里，请修改后再发'),
    );
    expect(await say({ content: '可以代 购' })).toMatchObject({ state: 'held' });
    expect(await say({ content: '你真是个笨蛋' })).toMatchObject({ content: '你真是个＊＊' });
    const refusedArticle = {
      title: '网上赌博',
      content: '字',
      tags: ['诗'],
      status: 'normal',
      secret: 'false',
    };
    expect(outcome(await server.post('/api/page/new', refusedArticle, writer.token)).code).toBe('ERROR');
    // Word rules do not apply to a draft, which only its author sees.
    const draft = await server.post('/api/page/new', { ...refusedArticle, status: 'draft' }, writer.token);
    expect(draft.code).toBe('OK');
  });

  test('are matched in the rendered text, not the source', async () => {
    done(await add('赌博', 'hold'));
    expect(await say({ content: '赌&#21338;' })).toMatchObject({ state: 'held' });
    expect(await say({ content: '[赌](https://a.example)博' })).toMatchObject({ state: 'held' });
  });

  test('are tried against a text by staff only, and go in and out as a file', async () => {
    const ask = (path: string, fields: Fields, token = editor.token) =>
      server.post(`/api/staff/words/${path}`, fields, token);
    const file = { text: '开锁\t拒绝发布\n。。。\n', action: 'hold', category: '' };
    expect(done(await ask('import', file))).toMatchObject({
      added: 1,
      problems: [{ line: 2 }],
      problem_num: 1,
    });
    expect((await ask('import', { ...file, text: ' \n ' })).error).toBe('FIELD_INVALID');
    expect(done(await ask('trial', { text: '上门开 锁' }))).toMatchObject({
      text: '上门开 锁',
      found: [{ word: '开锁', action: 'reject', start: 2, end: 5 }],
    });
    expect(done(await ask('export', { q: '开锁' }))).toEqual({ text: '开锁\t拒绝发布\n' });
    for (const path of ['import', 'trial', 'export'])
      expect((await ask(path, file, writer.token)).error).toBe('NOT_ALLOWED');
  });

  test('are searched, changed and removed by staff only', async () => {
    done(await add('加微信', 'hold'));
    const list = done(await server.post('/api/staff/words', { q: '加 微' }, editor.token));
    expect(list.result).toMatchObject([{ word: '加微信', action: 'hold', category: '测试' }]);
    expect(done(await add('加微信', 'mask'))).toEqual({ added: 0, changed: 1 });
    const ids = list.result.map(({ _id }: Untyped) => _id);
    expect((await server.post('/api/staff/words/remove', { ids }, writer.token)).error).toBe('NOT_ALLOWED');
    expect(done(await server.post('/api/staff/words/remove', { ids }, editor.token))).toEqual({ removed: 1 });
    expect(await say({ content: '加微信聊' })).not.toHaveProperty('state');
    expect((await add('。。。', 'hold')).error).toBe('WORD_INVALID');
    expect((await add('长'.repeat(51), 'hold')).error).toBe('FIELD_INVALID');
    expect(done(await add('[a-z]+', 'hold')).added).toBe(1);
    expect(await say({ content: '什么都可以说' })).not.toHaveProperty('state');
  });
});
