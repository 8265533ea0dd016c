import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { calls } from '../../src/lib/contract/calls/calls.ts';
import { openServer, type Person, type TestServer } from './server.ts';

const FORM = 'application/x-www-form-urlencoded';
const PATHS = Object.values(calls)
  .filter(
    ({ method, path }) => method === 'POST' && !path.endsWith('/uploadImage') && !path.endsWith('/signout'),
  )
  .map(({ path }) => path);

let server: TestServer;
let author: Person;
beforeAll(async () => {
  server = await openServer();
  author = await server.join('王维');
});
afterAll(() => server?.close());

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

  test.each(forms)('%s in a form never cause an error', async (_, form) => {
    const bodies = [FIELDS.map((field) => form(field)).join('&'), ...['id', 'tags', 'ids', 'page'].map(form)];
    for (const body of bodies) expect(await faults(body, FORM)).toEqual([]);
  });

  test.each(values)('%s in JSON never causes an error', async (_, value) => {
    const body = JSON.stringify(Object.fromEntries(FIELDS.map((field) => [field, value])));
    expect(await faults(body, 'application/json')).toEqual([]);
  });

  /** Returns responses that are neither OK nor a refusal in Chinese. */
  async function faults(body: string, type: string): Promise<string[]> {
    const found: string[] = [];
    for (const path of PATHS) {
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

  test('every sign and operator is an ordinary word', async () => {
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
