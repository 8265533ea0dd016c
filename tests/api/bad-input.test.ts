import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { calls } from '../../src/lib/contract/calls.ts';
import { openServer, outcome, refused, type Person, type TestServer } from './server.ts';

const FORM = 'application/x-www-form-urlencoded';
const CALLS = Object.values(calls).map(({ method, path, auth }) => ({ method, path, auth }));
const POSTS = CALLS.filter(({ method, path }) => method === 'POST' && path !== '/api/file/uploadImage');

let server: TestServer;
let author: Person;
/** Everything stored, to see that what is refused changes nothing. */
let before: string;
beforeAll(async () => {
  server = await openServer({ LOG_LEVEL: 'error' });
  author = await server.join('王维');
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

/** What every call that takes a body says to this one, each outcome once; throws when one of them wrote anything. */
async function everyCall(body: BodyInit, type: string | null): Promise<unknown[]> {
  const outcomes = new Map<string, unknown>();
  for (const { path } of POSTS) {
    const seen = outcome(await server.raw(path, body, { type, token: author.token }));
    outcomes.set(JSON.stringify(seen), seen);
  }
  if ((await stored()) !== before) throw new Error('something was written');
  return [...outcomes.values()];
}

describe('what is no call', () => {
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
      // A GET below /api/file asks for the file of that name.
      const isFile = other === 'GET' && path.startsWith('/api/file/');
      expect(outcome(answer)).toEqual(refused(isFile ? '文件不存在' : '接口不支持这种请求方法', 404));
    }
  });
});

test('every answer says what it is, and that it is nobody’s to keep or to run', async () => {
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

describe('bodies no call can read', () => {
  test('broken JSON', async () => {
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

  test('bytes that are not UTF-8', async () => {
    const bytes = new Uint8Array([0x61, 0x3d, 0xff, 0xfe, 0xc0, 0x80]);
    for (const type of [FORM, 'application/json', null]) {
      expect(await everyCall(bytes, type)).toEqual([refused('请求内容不是有效的 UTF-8 编码')]);
    }
  });

  test('escapes that are broken, cut short or not UTF-8', async () => {
    for (const body of ['a=%', 'a=%4', 'a=%zz', 'a=%E4%BD', 'a=%FF%FE', '%ZZ=1', 'a=%ED%A0%80', 'a=%C0%AF']) {
      expect(await everyCall(body, FORM)).toEqual([refused('请求内容的编码不正确')]);
    }
  });

  test('types nobody speaks', async () => {
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

  test('more than 2,000 fields', async () => {
    const keys = Array.from({ length: 3000 }, (_, index) => `k${index}=1`);
    for (const pairs of [keys, keys.map(() => 'ids[]=1')]) {
      expect(await everyCall(pairs.join('&'), FORM)).toEqual([refused('字段过多，最多 2000 个', 413)]);
    }
  });
});

describe('odd values for every field of every call', () => {
  const FIELDS = (
    'username password repassword gender bio type content status secret sort page pageSize keywords id title tags update_time ' +
    'page_id reply_user reply_content request_id ids name description imgData'
  ).split(' ');
  const forms: [string, (field: string) => string][] = [
    ['objects', (field) => `${field}[a]=1&${field}[b][c]=2`],
    ['lists', (field) => `${field}[]=1&${field}[]=2`],
    ['lists with holes', (field) => `${field}[1999]=1`],
    ['huge indices', (field) => `${field}[999999999]=1`],
    ['deep nesting', (field) => `${field}${'[a]'.repeat(500)}=1`],
    ['deep lists', (field) => `${field}${'[]'.repeat(500)}=1`],
    ['NUL', (field) => `${field}=a%00b`],
    ['huge numbers', (field) => `${field}=${'9'.repeat(400)}`],
    ['NaN', (field) => `${field}=NaN`],
    ['negative zero', (field) => `${field}=-0`],
    ['controls', (field) => `${field}=%01%02%1b%7f`],
    ['bidi and zero width', (field) => `${field}=%E2%80%AE%E2%80%8B`],
    ['a key without a value', (field) => field],
    ['broken brackets', (field) => `${field}[=1&${field}]=2&${field}[[]]=3`],
    ['prototype keys', (field) => `${field}[__proto__][x]=1&${field}[constructor]=2&${field}[length]=5`],
  ];
  const values: [string, unknown][] = [
    ['null', null],
    ['a number', 1e308],
    ['a fraction', -0.5],
    ['true', true],
    ['an empty object', {}],
    ['an empty list', []],
    ['a list of nulls', [null, null]],
    ['nested lists', [[[['a']]]]],
    ['a lone surrogate', '\ud800'],
    ['NUL', '\u0000'],
    ['an object with numbered keys', { 0: 'a', 1: {} }],
    ['an object that looks like a list', { length: 3, 0: 'a' }],
    ['a deep object', JSON.parse(`${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}`)],
  ];

  test.each(forms)('%s in a form are never a fault', async (_, form) => {
    const bodies = [FIELDS.map((field) => form(field)).join('&'), ...['id', 'tags', 'ids', 'page'].map(form)];
    for (const body of bodies) expect(await faults(body, FORM)).toEqual([]);
  });

  test.each(values)('%s in JSON is never a fault', async (_, value) => {
    const body = JSON.stringify(Object.fromEntries(FIELDS.map((field) => [field, value])));
    expect(await faults(body, 'application/json')).toEqual([]);
  });

  /** The answers that are neither OK nor a refusal in Chinese. */
  async function faults(body: string, type: string): Promise<string[]> {
    const found: string[] = [];
    for (const { path } of POSTS.filter((call) => call.path !== '/api/signout')) {
      const { status, code, data, text } = await server.raw(path, body, { type, token: author.token });
      const isRefusal = code === 'ERROR' && /^\p{Script=Han}/u.test(String(data));
      if (![200, 413].includes(status) || (code !== 'OK' && !isRefusal))
        found.push(`${path} ${status} ${text}`);
    }
    return found;
  }
});

describe('search words', () => {
  const ASCII = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).filter(
    (sign) => !/[a-z0-9]/i.test(sign),
  );
  const OPERATORS = [
    'AND',
    'OR',
    'NOT',
    'NEAR(a b)',
    'a AND',
    'a NOT b',
    '^a',
    'a*',
    '"',
    '""',
    '"a',
    'a"b',
    'title:a',
    '{a b}:c',
    '-a',
    '(',
    ')',
    '()',
    "'",
    "''",
    '%',
    '_',
    '\\',
    '--',
    ';',
    '/*',
    '*/',
    'C++',
    'a+b',
    ':',
    '"a" NEAR/2 "b"',
    '\t',
    '　',
    '\u200b',
    '🏔',
    '%00',
    "') or 1=1 --",
  ];

  test('every sign and operator is a plain word', async () => {
    for (const keywords of [...ASCII, ...ASCII.map((sign) => `空${sign}山`), ...OPERATORS]) {
      const answer = await server.post('/api/page/searchpage', { keywords });
      expect([keywords, answer.status, answer.code]).toEqual([keywords, 200, 'OK']);
      expect([keywords, Object.keys(answer.data as object)]).toEqual([keywords, ['result', 'total']]);
    }
  });

  test('a sign is found where it stands and nowhere else', async () => {
    const texts = ['用 C++ 写', '百分之 100%', '她说"好"', '乘号 * 在此', '下划 a_b 线', '反斜 a\\b 线'];
    for (const content of texts) await server.write(author, { title: '符号', content });
    for (const [word, content] of [
      ['C++', texts[0]],
      ['%', texts[1]],
      ['"', texts[2]],
      ['*', texts[3]],
      ['_', texts[4]],
    ] as const) {
      const { data } = await server.post('/api/page/searchpage', { keywords: word });
      expect([word, data.total, data.result[0].content]).toEqual([word, 1, content]);
      expect(data.result[0].highlight).toEqual({
        title: expect.any(String),
        content: expect.stringContaining('<mark>'),
      });
    }
  });
});
