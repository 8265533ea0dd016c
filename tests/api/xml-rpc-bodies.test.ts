import { afterAll, describe, expect, test } from 'vitest';
import { KIB } from '../../src/lib/contract/rules/units.ts';
import { BLOG, call, createToken, faultIn, openEditor, openEditorStage, param, POST } from './editor.ts';
import { openServer } from './server.ts';

const { server, author, editor, create, source, seenByVisitors } = await openEditorStage();
afterAll(() => server.close());

async function sendXml(body: string): Promise<[number, string]> {
  return faultIn((await server.raw('/xmlrpc.php', body, { type: 'text/xml' })).text);
}

describe('a number', () => {
  const ask = async (fourth: string, before = '') => {
    const token = await createToken(server, author);
    const params = [BLOG, '王维', token, fourth].map((value) => `<param><value>${value}</value></param>`);
    const { text } = await server.raw(
      '/xmlrpc.php',
      `${before}<?xml version="1.0"?><methodCall><methodName>mt.getRecentPostTitles</methodName><params>${params.join('')}</params></methodCall>`,
      { type: 'text/xml' },
    );
    return text;
  };

  test('may have any type of a number, and be absent', async () => {
    await create();
    await create();
    const two = await ask('<int>2</int>');
    expect(two.match(/<name>postid/g)).toHaveLength(2);
    for (const same of [
      '<i8>2</i8>',
      '<ex:i8>2</ex:i8>',
      '<string>2</string>',
      ' 2 ',
      '<double>2.0</double>',
    ])
      expect(await ask(same)).toBe(two);
    expect(await ask('<int>2</int>', '\n')).toBe(two);
    const usual = await ask('<int>10</int>');
    for (const absent of ['<nil/>', '<ex:nil/>', '<string/>', '']) expect(await ask(absent)).toBe(usual);
    const one = await ask('<int>1</int>');
    for (const least of ['<int>-5</int>', '<int>0</int>', '<i8>-9007199254740993</i8>', '-5'])
      expect(await ask(least)).toBe(one);
    const most = await ask('<int>50</int>');
    for (const more of ['<int>2147483647</int>', '<i8>9223372036854775807</i8>', '99999999999999999999'])
      expect(await ask(more)).toBe(most);
  });

  test('may also say whether to publish', async () => {
    const id: string = await editor.act('metaWeblog.newPost', BLOG, POST, '1');
    expect(await seenByVisitors(id)).toBe('空山不见人');
    for (const publish of ['0', '', 0]) {
      const draft: string = await editor.act('metaWeblog.newPost', BLOG, POST, publish);
      expect(await seenByVisitors(draft)).toBeNull();
    }
  });
});

test('a large post is parsed in a thread', async () => {
  const description = '空山新雨后 & ]] <b>😀\n'.repeat(5_000);
  const id = await create({ description }, false);
  expect(await source(id)).toMatchObject({ content: description.trim() });
});

describe('a large body is refused', () => {
  test.each([
    ['a method without a token', 'system.listMethods', '', 413, '提交的内容过大'],
    ['an unknown method', 'wp.newPost', '', -32_601, '不支持方法 wp.newPost'],
    ['no token', 'metaWeblog.newPost', '', -32_602, '第 1 个参数缺少或类型不对'],
    [
      'a wrong token',
      'metaWeblog.newMediaObject',
      [BLOG, '王维', 'moye_pat_wrong'].map(param).join(''),
      401,
      '访问令牌不完整，请重新复制',
    ],
  ])('before more than 64 KB of it were sent, with %s', async (_name, method, params, code, text) => {
    const start = `<methodCall><methodName>${method}</methodName><params>${params}<param><value>`;
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        // The rest never comes.
        if (sent >= 64 * KIB) return new Promise(() => {});
        const chunk = new TextEncoder().encode((sent === 0 ? start : '').padEnd(16 * KIB, 'A'));
        sent += chunk.length;
        controller.enqueue(chunk);
        return undefined;
      },
    });
    const ending = new AbortController();
    const response = await fetch(`${server.url}/xmlrpc.php`, {
      method: 'POST',
      body,
      duplex: 'half',
      signal: ending.signal,
    } as RequestInit);
    expect(faultIn(await response.text())).toEqual([code, text]);
    ending.abort();
  });

  const LARGE = 550_000;
  test.each([
    ['brackets in CDATA', `<![CDATA[${']'.repeat(LARGE)}]]>`],
    ['entities', '&amp;'.repeat(LARGE)],
    ['carriage returns', '\r'.repeat(LARGE)],
    ['comments', '<!---->'.repeat(LARGE)],
    ['instructions', '<?a?>'.repeat(LARGE)],
  ])('of many %s', async (_name, text) => {
    const token = await createToken(server, author);
    const credentials = [BLOG, '王维', token].map(param).join('');
    expect(await sendXml(call(credentials + param(text)))).toEqual([
      413,
      '请求内容过多，最多 500000 个标记符号',
    ]);
  });

  test.each([
    ['elements', '<string></string>'.repeat(20_000)],
    ['attributes', `<string ${Array.from({ length: 20_000 }, (_, at) => `a${at}=""`).join(' ')}/>`],
  ])('of many %s', async (_name, text) => {
    const token = await createToken(server, author);
    const credentials = [BLOG, '王维', token].map(param).join('');
    expect(await sendXml(call(credentials + param(text)))).toEqual([413, '请求内容过多，最多 10000 个元素']);
  });

  test('large, before it is read, once the quota is used up', async () => {
    const bounded = await openServer({ RATE_LIMIT: 'on', QUOTA_ARTICLES: '0' });
    const person = await bounded.join('王维');
    const limited = openEditor(bounded.url, { username: '王维', token: await createToken(bounded, person) });
    // Not even a post.
    expect(await limited.fault('metaWeblog.newPost', BLOG, 'a'.repeat(100_000))).toMatchObject({
      faultCode: 429,
    });
    await bounded.close();
  });
});
