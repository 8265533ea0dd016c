import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { done, openServer, refused, outcome, type Person, type TestServer } from './server.ts';
import { sendExactly } from './wire.ts';

const SECRET = '密不可宣';

let server: TestServer;
let author: Person;
let id: string;
beforeAll(async () => {
  server = await openServer();
  author = await server.join('王维');
  id = await server.write(author, { title: SECRET, content: SECRET, secret: 'true' });
});
afterAll(() => server?.close());

const ways = (path: string): string[] => [
  path,
  `/${path}`,
  `//${path}`,
  `${path}/`,
  `${path}//`,
  path.replace('/api', '/%61pi'),
  path.replace('/api', '/%2561pi'),
  path.replace('/api', '/%252561pi'),
  path.replace('/api', '/API'),
  path.replace('/api/', '/api\\'),
  `\\${path.slice(1)}`,
  `/\\${path.slice(1)}`,
  path.replace('/api/', '/api/./'),
  path.replace('/api/', '/api/../api/'),
  path.replace('/api/', '/home/../api/'),
  path.replace('/api/', '/_assets/../api/'),
  path.replace('/api/', '/api/%2e%2e/api/'),
  path.replace('/api/', '/api%2f'),
  path.replace('/api/', '/api%5c'),
  path.replace('/api/', '/api%00/'),
  path.replace('/api/', '/api;/'),
  `${path}?`,
  `${path}#`,
  `${path}%20`,
  `${path}%ff`,
  `${path}%`,
  `/.${path}`,
  `/..${path}`,
  `http://evil.example${path}`,
  `*${path}`,
  path.slice(1),
];

const ask = (method: string, target: string, { token, body = '' }: { token?: string; body?: string } = {}) =>
  sendExactly(
    server.url,
    [
      `${method} ${target} HTTP/1.1`,
      'Host: 127.0.0.1',
      `Authorization: Beare ${token}`,
      'Content-Type: application/x-www-form-urlencoded',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );

describe.each(ways('/api/page/detail'))('POST %s', (target) => {
  test('reveals nothing private and causes no error', async () => {
    for (const token of ['undefined', author.refresh_token]) {
      const { status, head, body } = await ask('POST', target, { token, body: `id=${id}` });
      expect(status).toBeGreaterThanOrEqual(200);
      expect(status).toBeLessThan(500);
      expect(head + body).not.toContain(SECRET);
    }
  });
});

test.each(ways('/api/page/delete'))('POST %s deletes nothing for a visitor', async (target) => {
  const { status } = await ask('POST', target, { body: `id=${id}` });
  expect(status).toBeLessThan(500);
  expect(done(await server.post('/api/page/detail', { id }, author.token)).title).toBe(SECRET);
});

test.each([...ways('/detail/ID'), ...ways('/home/%E5%AF%86'), ...ways('/user/info/%E7%8E%8B%E7%BB%B4')])(
  'GET %s shows nobody’s secret and is no fault',
  async (target) => {
    const { status, head, body } = await ask('GET', target.replace('ID', id));
    expect(status).toBeLessThan(500);
    expect(head + body).not.toContain(SECRET);
  },
);

test.each(['..%2f', '../', '%2e%2e/', '..%5c', '....//', '%252e%252e/', './../'])(
  'GET /_assets/%s leaves the folder nowhere',
  async (up) => {
    for (const file of ['package.json', 'server/entry.mjs', 'token-secret', 'moye.sqlite', 'etc/passwd']) {
      for (const start of ['/', '/_assets/', '/api/file/']) {
        const { status, body } = await ask('GET', start + up.repeat(8) + file);
        expect(status).toBeLessThan(500);
        expect(body).not.toMatch(/"dependencies"|SQLite format|root:|import /);
      }
    }
  },
);

describe('text in a URL', () => {
  const TEXTS = [
    '.',
    '..',
    '...',
    '%',
    '100%',
    '%2F',
    '%2e%2e',
    'a%0ab',
    '%25',
    'a/b',
    '../../write',
    'a?b',
    'a#b',
    'a\\b',
    '~',
    '~a~2Fb',
    'C++',
    'a b',
    'index.html',
    '线程/池',
  ];
  let links: Map<string, string>;
  beforeAll(async () => {
    links = new Map();
    for (const tag of TEXTS) {
      const article = await server.write(author, { title: `关于 ${tag}`, content: tag, tags: [tag] });
      const { text } = await server.get(`/detail/${article}`);
      links.set(tag, /href="([^"]*)" class="tag-link"/.exec(text)?.[1] ?? '');
    }
  });
  const escaped = (text: string) => text.replaceAll('&', '&amp;');
  const title = (text: string) =>
    new RegExp(`<h1[^>]*>.*?<bdi[^>]*>${RegExp.escape(escaped(text))}</bdi>`, 's');

  test.each(TEXTS)(
    'the tag %s has the page that its link leads to, however the link is asked for',
    async (tag) => {
      const link = links.get(tag) ?? '';
      const raw = await ask('GET', link);
      expect([raw.status, raw.body]).toEqual([200, expect.stringMatching(title(tag))]);
      const parsed = await server.get(link);
      expect([parsed.status, parsed.text]).toEqual([200, expect.stringMatching(title(tag))]);
      expect(parsed.text).toContain(`<link rel="canonical" href="${server.app.config.origin}${link}">`);
    },
  );

  test.each(TEXTS)('the tag %s is found under the address it had before', async (tag) => {
    const former = `/tag/detail/${/^\.{1,2}$/.test(tag) ? `${tag}%20` : encodeURIComponent(tag)}`;
    // This former address is also a valid current address, of another tag.
    if (tag === '~a~2Fb') return;
    const response = await fetch(server.url + former);
    expect([response.status, await response.text()]).toEqual([200, expect.stringMatching(title(tag))]);
  });

  test.each(TEXTS)('a search for %s finds what the form asks for', async (text) => {
    const response = await fetch(`${server.url}/home?keywords=${encodeURIComponent(text)}`);
    expect([response.status, await response.text()]).toEqual([200, expect.stringMatching(title(text))]);
    const former = await fetch(`${server.url}/home/${encodeURIComponent(text)}?page=1`);
    if (!/^(?:\.{1,2}|~a~2Fb)$/.test(text)) expect(await former.text()).toMatch(title(text));
  });

  test('with a line break searches for the words around it', async () => {
    const response = await fetch(`${server.url}/home/a%0Ab`);
    expect([response.status, await response.text()]).toEqual([200, expect.stringMatching(title('a b'))]);
  });
});

test.each(['/home/%', '/home/%ff', '/tag/detail/%E7%BA', '/user/info/%', '/detail/%', '/%', '/x/%ff'])(
  'GET %s is answered 400: no address',
  async (target) => {
    const { status, head, body } = await ask('GET', target);
    expect([status, body]).toEqual([400, '网址有误']);
    expect(head).toMatch(/^x-request-id: [\da-f-]{36}$/im);
  },
);

test.each(['/x%0ay', '/x%250ay', '/tag/list%0a', '/detail/%0a', '/detail/%250a', '/%0a'])(
  'GET %s is a page that is not there',
  async (target) => {
    const { status, head } = await ask('GET', target);
    expect([status, /^location: (.*)$/im.exec(head)?.[1] ?? '/404']).toEqual([
      status === 404 ? 404 : 302,
      '/404',
    ]);
  },
);

test.each(['/_image', '/_image?href=/favicon.svg&w=5000&f=webp', '/_server-islands/x'])(
  'GET %s, of Astro itself and not used, is a page that is not there',
  async (target) => {
    const { status, head } = await ask('GET', target);
    expect([status, /^location: (.*)$/im.exec(head)?.[1]?.trim()]).toEqual([302, '/404']);
  },
);

test('unusual methods cause no error', async () => {
  for (const method of ['OPTIONS', 'TRACE', 'HEAD', 'PUT', 'PROPFIND', 'QUERY', 'CONNECT']) {
    for (const target of ['/', '/home', '/api/page/detail', '/healthz', '*']) {
      const { status } = await ask(method, target);
      expect([method, target, status >= 500]).toEqual([method, target, false]);
    }
  }
});

test('a URL over 8 KB is refused, under /api in the envelope', async () => {
  const long = 'a'.repeat(9000);
  expect(outcome(await server.get(`/api/file/avatar/user?username=${long}`))).toEqual(
    refused('网址过长', 414),
  );
  expect((await server.get(`/home?page=${long}`)).status).toBe(414);
});

test('headers over 16 KB are refused', async () => {
  const { status } = await sendExactly(
    server.url,
    `GET /home HTTP/1.1\r\nHost: a\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`,
  );
  expect(status).toBe(431);
});

test('malformed HTTP is refused and the server continues', async () => {
  for (const text of [
    'GET / HTTP/9.9\r\n\r\n',
    'nonsense\r\n\r\n',
    '\x16\x03\x01\x02\x00\x01\x00\r\n\r\n',
    'POST /api/signout HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'GET /home HTTP/1.1\r\n\r\n',
  ]) {
    const { status } = await sendExactly(server.url, text);
    expect([text, status]).toEqual([text, 400]);
  }
  done(await server.post('/api/signout'));
});
