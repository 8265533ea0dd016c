import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { calls } from '../../src/lib/contract/calls/calls.ts';
import { openServer, outcome, refused, type Person, type TestServer } from './server.ts';
import { sendExactly } from './wire.ts';

const FORM = 'application/x-www-form-urlencoded';
const CALLS = Object.values(calls).map(({ method, path, auth }) => ({ method, path, auth }));
const POSTS = CALLS.filter(({ method, path }) => method === 'POST' && path !== '/api/file/uploadImage');

let server: TestServer;
let author: Person;
/** Snapshot of all stored rows; a refused call must not change it. */
let before: string;
beforeAll(async () => {
  server = await openServer({ LOG_LEVEL: 'error' });
  author = await server.join('王维');
  // The operator may make every call.
  await server.app.services.roles.set('王维', 'operator', null);
  await server.write(author);
  before = await stored();
});
afterAll(async () => {
  await server?.close();
});

async function stored(): Promise<string> {
  const { db } = server.app;
  const tables = [
    'users',
    'articles',
    'article_bodies',
    'article_tags',
    'tags',
    'comments',
    'files',
    'counters',
  ] as const;
  return JSON.stringify(
    await Promise.all(tables.map((table) => db.read.selectFrom(table).selectAll().execute())),
  );
}

/**
 * Sends the body to every call that takes one; returns the distinct outcomes. Throws when a call wrote
 * anything.
 */
async function everyCall(body: BodyInit, type: string | null): Promise<unknown[]> {
  const outcomes = new Map<string, unknown>();
  for (const { path } of POSTS) {
    const seen = outcome(await server.raw(path, body, { type, token: author.token }));
    outcomes.set(JSON.stringify(seen), seen);
  }
  if ((await stored()) !== before) throw new Error('something was written');
  return [...outcomes.values()];
}

test('a call without body or length is empty, and the connection stays usable', async () => {
  const head = (more: string) => `POST /api/signin HTTP/1.1\r\nHost: a\r\n${more}\r\n`;
  const text = await sendExactly(
    server.url,
    head('') + head('Content-Length: 0\r\n') + head('Connection: close\r\n'),
  );
  const answers = `${text.head}\r\n\r\n${text.body}`;
  expect(answers.match(/HTTP\/1\.1 200 /g)).toHaveLength(3);
  expect(answers.match(/"请填写用户名"/g)).toHaveLength(3);
});

describe('unknown calls', () => {
  test.each([
    ['GET', '/api'],
    ['GET', '/api/'],
    ['POST', '/api/nothing'],
    ['GET', '/api/page'],
    ['POST', '/api/page/detail/1'],
    ['GET', '/api/%E9%A1%B5'],
    ['GET', '/api/page/Detail'],
  ])('%s %s', async (method, path) => {
    expect(outcome(await server.send(path, { method }))).toEqual(refused('接口不存在', 404));
  });

  test.each(CALLS)('another method than $method for $path', async ({ method, path }) => {
    for (const other of ['PUT', 'DELETE', 'PATCH', method === 'GET' ? 'POST' : 'GET']) {
      const answer = await server.send(path, {
        method: other,
        headers: { Authorization: `Beare ${author.token}` },
      });
      // A GET directly below /api/file requests the file with that name.
      const isFile = other === 'GET' && /^\/api\/file\/[^/]+$/.test(path);
      expect(outcome(answer)).toEqual(refused(isFile ? '文件不存在' : '接口不支持这种请求方法', 404));
    }
  });
});

test('every response has a content type, and must not be cached or executed', async () => {
  const answers = [
    await server.post('/api/page/pagelist'),
    await server.post('/api/statistics'),
    await server.get('/api/nothing'),
    await server.raw('/api/signin', '{', { type: 'application/json' }),
    await server.raw('/api/signin', 'a'.repeat(300_000)),
    await server.get('/api/file/x.png'),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 402, 404, 200, 413, 404]);
  for (const { headers } of answers) {
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': expect.stringMatching(/^application\/json/),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-request-id': expect.stringMatching(/^[\w-]+$/),
    });
  }
});

describe('malformed bodies', () => {
  test('broken JSON', { tags: ['once'] }, async () => {
    for (const body of [
      '{',
      '[]',
      '"text"',
      '5',
      'null',
      'true',
      '{"a":1}}',
      '\ufeff{',
      '['.repeat(100_000),
      `{"a":${'['.repeat(50_000)}`,
    ]) {
      expect(await everyCall(body, 'application/json')).toEqual([refused('请求内容的格式不正确')]);
    }
  });

  test('bytes that are not UTF-8', { tags: ['once'] }, async () => {
    const bytes = new Uint8Array([0x61, 0x3d, 0xff, 0xfe, 0xc0, 0x80]);
    for (const type of [FORM, 'application/json', null]) {
      expect(await everyCall(bytes, type)).toEqual([refused('请求内容不是有效的 UTF-8 编码')]);
    }
  });

  test('escapes that are broken, cut short or not UTF-8', { tags: ['once'] }, async () => {
    for (const body of ['a=%', 'a=%4', 'a=%zz', 'a=%E4%BD', 'a=%FF%FE', '%ZZ=1', 'a=%ED%A0%80', 'a=%C0%AF']) {
      expect(await everyCall(body, FORM)).toEqual([refused('请求内容的编码不正确')]);
    }
  });

  test('unsupported content types', { tags: ['once'] }, async () => {
    for (const type of [
      'text/plain',
      'application/xml',
      'multipart/form-data; boundary=x',
      'image/png',
      'x',
      'application/json2',
    ]) {
      expect(await everyCall('a=1', type)).toEqual([refused('不支持的请求类型，请使用表单或 JSON')]);
    }
  });

  test('more than 2,000 fields', { tags: ['once'] }, async () => {
    const keys = Array.from({ length: 3000 }, (_, index) => `k${index}=1`);
    for (const pairs of [keys, keys.map(() => 'ids[]=1')]) {
      expect(await everyCall(pairs.join('&'), FORM)).toEqual([refused('字段过多，最多 2000 个', 413)]);
    }
  });
});
