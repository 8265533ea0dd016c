import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { passThrough, type PassThroughOptions } from '../../../src/lib/edge/pass-through.ts';
import { openFakeApi, type FakeApi } from './fake-api.ts';

let api: FakeApi;
beforeEach(async () => {
  api = await openFakeApi();
});
afterEach(() => api[Symbol.asyncDispose]());

const SHORT: PassThroughOptions = { readPatience: 300, writePatience: 30_000, stallPatience: 300 };
const pass = (path: string, init: RequestInit = {}) =>
  passThrough(api.origin, new Request(`https://blog.example${path}`, init), '203.0.113.7', SHORT);
const seen = () => api.received.at(-1);
const UNAVAILABLE = {
  status: 503,
  retryAfter: '5',
  caching: 'no-store',
  body: { code: 'ERROR', data: '服务暂时不可用，请稍后再试', error: 'UNAVAILABLE' },
};

/** The parts of a response that tell clients that the service is unavailable. */
const parts = async (response: Response) => ({
  status: response.status,
  retryAfter: response.headers.get('Retry-After'),
  caching: response.headers.get('Cache-Control'),
  body: (await response.json()) as unknown,
});

describe('a call', () => {
  test('reaches the API with fields and token, and its response is returned unchanged', async () => {
    const response = await pass('/api/tag/tagdetail?x=1', {
      method: 'POST',
      headers: { Authorization: 'Beare t', 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'name=%E9%9A%8F%E7%AC%94',
    });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ code: 'OK', data: { name: '随笔' } });
    expect(seen()).toMatchObject({ method: 'POST', path: '/api/tag/tagdetail' });
    expect(seen()?.fields.get('name')).toBe('随笔');
    expect(seen()?.headers.authorization).toBe('Beare t');
  });

  test('forwards the reader’s real address and Origin, and no cookie', async () => {
    await pass('/api/tag/alltags', {
      method: 'POST',
      headers: {
        Cookie: 'token=secret',
        'X-Forwarded-For': '1.1.1.1',
        'X-Forwarded-Host': 'evil.example',
        'CF-Connecting-IP': '1.1.1.1',
        Origin: 'https://other.example',
      },
    });
    expect(seen()?.headers).toMatchObject({
      'x-forwarded-for': '203.0.113.7',
      'accept-encoding': 'identity',
      origin: 'https://other.example',
    });
    for (const name of ['cookie', 'x-forwarded-host', 'cf-connecting-ip'])
      expect(seen()?.headers).not.toHaveProperty(name);
  });

  test('keeps status, Retry-After, caching and what clears a browser’s memory; cookies and hop-by-hop headers stay behind', async () => {
    api.answer = (_request, response) =>
      void response
        .writeHead(429, {
          'Content-Type': 'application/json',
          'Retry-After': '30',
          'Clear-Site-Data': '"prefetchCache"',
          'Set-Cookie': 'a=b',
          'Keep-Alive': 'timeout=9',
          ETag: '"1"',
        })
        .end('{"code":"ERROR","data":"慢一点"}');
    const response = await pass('/api/signin', { method: 'POST', body: 'a=b' });
    expect(response.status).toBe(429);
    const { headers } = response;
    expect([headers.get('Retry-After'), headers.get('Clear-Site-Data'), headers.get('ETag')]).toEqual([
      '30',
      '"prefetchCache"',
      '"1"',
    ]);
    expect([headers.get('Set-Cookie'), headers.get('Keep-Alive'), headers.get('Connection')]).toEqual([
      null,
      null,
      null,
    ]);
    expect(await response.json()).toEqual({ code: 'ERROR', data: '慢一点' });
  });

  test('forwards the device cookie when signing in, and back', async () => {
    const named = 'moye-device=AAAAAAAAAAAAAAAAAAAAAA';
    const answered = `${named}; Max-Age=31536000; Path=/api; HttpOnly; SameSite=Lax`;
    api.answer = (_request, response) =>
      void response
        .writeHead(200, { 'Content-Type': 'application/json', 'Set-Cookie': ['a=b', answered] })
        .end('{"code":"OK","data":""}');
    const headers = { Cookie: `token=secret; ${named}; other=1` };
    for (const path of ['/api/signin', '/api/signup']) {
      const response = await pass(path, { method: 'POST', headers, body: 'a=b' });
      expect(seen()?.headers.cookie).toBe(named);
      expect(response.headers.getSetCookie()).toEqual([answered]);
    }
    const response = await pass('/api/signout', { method: 'POST', headers });
    expect(seen()?.headers).not.toHaveProperty('cookie');
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  test('forwards sign-ins by identity providers with their redirects and cookies', async () => {
    const set = ['moye-oauth=b; Path=/api; HttpOnly', 'token=t; Path=/', 'other=1'];
    api.answer = (_request, response) =>
      void response.writeHead(302, { Location: 'https://id.example/authorize', 'Set-Cookie': set }).end();
    const headers = { Cookie: 'token=secret; moye-oauth=a; other=1' };
    for (const path of [
      '/api/oauth/github',
      '/api/oauth/github/callback?code=c',
      '/api/signup/oauth?page=1',
    ]) {
      const response = await pass(path, { headers });
      expect([response.status, response.headers.get('Location')]).toEqual([
        302,
        'https://id.example/authorize',
      ]);
      expect(seen()?.headers.cookie).toBe('token=secret; moye-oauth=a');
      expect(response.headers.getSetCookie()).toEqual(set.slice(0, 2));
    }
    expect((await pass('/api/tag/alltags', { headers })).status).toBe(503);
  });

  test('streams its body', async () => {
    let first: () => void = () => {};
    const arrived = new Promise<void>((resolve) => (first = resolve));
    api.answer = (request, response) => {
      let length = 0;
      request.on('data', (part: Buffer) => {
        length += part.length;
        first();
      });
      request.on('end', () =>
        response.writeHead(200, { 'Content-Type': 'application/json' }).end(`{"code":"OK","data":${length}}`),
      );
    };
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue(new Uint8Array(1000));
        // The second part is sent only once the API has received the first.
        await arrived;
        controller.enqueue(new Uint8Array(24));
        controller.close();
      },
    });
    const init = { method: 'POST', body, duplex: 'half' } as RequestInit;
    expect(await (await pass('/api/file/uploadImage', init)).json()).toEqual({ code: 'OK', data: 1024 });
  });
});

describe('a picture', () => {
  const picture = (headers: Record<string, string>) => {
    api.answer = (request, response) => {
      if (request.headers['if-none-match'] === '"p"')
        return void response.writeHead(304, { ETag: '"p"' }).end();
      response
        .writeHead(200, { 'Content-Type': 'image/webp', ETag: '"p"', ...headers })
        .end(Buffer.alloc(5000, 7));
    };
  };
  test('has its type and caching headers', async () => {
    picture({ 'Cache-Control': 'public, max-age=31536000, immutable', 'Content-Length': '5000' });
    const response = await pass('/api/file/x.webp');
    expect(response.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('Content-Type')).toBe('image/webp');
    expect((await response.arrayBuffer()).byteLength).toBe(5000);
  });
  test('revalidates with 304', async () => {
    picture({});
    const response = await pass('/api/file/x.webp', { headers: { 'If-None-Match': '"p"' } });
    expect(response.status).toBe(304);
    expect(response.body).toBeNull();
  });
  test.each([
    '/og/0123456789abcdef01234567.png',
    '/favicon.ico',
    '/manifest.webmanifest',
    '/accent.css?v=x',
    '/look.css?v=x',
    '/style.css?v=x',
  ])('%s is handed on like one; an older API that sends it elsewhere has none', async (path) => {
    api.answer = (_request, response) =>
      void response.writeHead(200, { 'Content-Type': 'image/png', ETag: '"1"' }).end('x');
    const made = await pass(path);
    expect([made.status, made.headers.get('ETag'), await made.text()]).toEqual([200, '"1"', 'x']);
    api.answer = (_request, response) => void response.writeHead(302, { Location: '/404' }).end();
    expect((await pass(path)).status).toBe(404);
  });

  test.each(['/api/file/x.png', '/favicon.ico', '/og/site.png'])(
    '%s has no headers but those of files',
    async (path) => {
      const other = {
        'Content-Security-Policy': "script-src 'unsafe-inline'",
        'Clear-Site-Data': '"*"',
        Link: 'x',
      };
      picture({ ...other, 'Last-Modified': 'Tue, 02 Jan 2024 03:04:05 GMT' });
      const { headers } = await pass(path);
      for (const name of Object.keys(other)) expect([name, headers.get(name)]).toEqual([name, null]);
      expect(headers.get('Last-Modified')).toBe('Tue, 02 Jan 2024 03:04:05 GMT');
    },
  );

  test.each(['text/html', 'image/svg+xml', 'text/javascript', 'application/octet-stream', ''])(
    'of the type “%s” is refused',
    async (type) => {
      for (const path of ['/api/file/x.png', '/favicon.ico', '/manifest.webmanifest', '/og/site.png']) {
        picture({ 'Content-Type': type });
        expect(await parts(await pass(path))).toEqual(UNAVAILABLE);
      }
    },
  );

  test.each([
    ['/%6danifest.webmanifest', '/manifest.webmanifest'],
    ['/favicon%2eico', '/favicon.ico'],
    ['/%6Fg/site.png', '/og/site.png'],
    ['/api/%66ile/a%2D1.png', '/api/file/a-1.png'],
    ['/api/file/%E9%A2%98%2F.png', '/api/file/%E9%A2%98%2F.png'],
  ])('%s is the file at %s', async (path, plain) => {
    picture({});
    expect((await pass(path)).status).toBe(200);
    expect(seen()?.path).toBe(plain);
  });

  test('is streamed', async () => {
    let end: () => void = () => {};
    api.answer = (_request, response) => {
      response.writeHead(200, { 'Content-Type': 'image/png' }).write(Buffer.alloc(10));
      end = () => void response.end(Buffer.alloc(6));
    };
    const reader = (await pass('/api/file/x.png')).body?.getReader();
    expect((await reader?.read())?.value?.byteLength).toBe(10);
    end();
    expect((await reader?.read())?.value?.byteLength).toBe(6);
    expect((await reader?.read())?.done).toBe(true);
  });
});

describe('another protocol', () => {
  const FAULT = '<?xml version="1.0"?><methodResponse></methodResponse>';
  const answerXml: FakeApi['answer'] = (_request, response) =>
    void response.writeHead(200, { 'Content-Type': 'text/xml; charset=utf-8' }).end(FAULT);

  test.each(['/xmlrpc.php', '/api/xmlrpc'])('XML passes at %s', async (path) => {
    api.answer = answerXml;
    const response = await pass(path, { method: 'POST', body: '<methodCall/>' });
    expect([response.status, response.headers.get('Content-Type'), await response.text()]).toEqual([
      200,
      'text/xml; charset=utf-8',
      FAULT,
    ]);
  });

  test('XML is no answer to a call', async () => {
    api.answer = answerXml;
    expect(await parts(await pass('/api/signin', { method: 'POST', body: 'a=b' }))).toEqual(UNAVAILABLE);
  });

  test('that an MCP notification was accepted passes, without a body', async () => {
    api.answer = (_request, response) => void response.writeHead(202).end();
    const response = await pass('/mcp', { method: 'POST', body: '{}' });
    expect([response.status, await response.text()]).toEqual([202, '']);
    expect(await parts(await pass('/api/signin', { method: 'POST', body: 'a=b' }))).toEqual(UNAVAILABLE);
  });

  test('an MCP client’s version, token and refusal pass', async () => {
    api.answer = (_request, response) =>
      void response
        .writeHead(401, { 'Content-Type': 'application/json', 'WWW-Authenticate': 'Bearer' })
        .end('{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"令牌无效"}}');
    const headers = {
      Accept: 'application/json, text/event-stream',
      Authorization: 'Bearer moye_pat_a',
      'MCP-Protocol-Version': '2025-11-25',
    };
    const response = await pass('/mcp', { method: 'POST', headers, body: '{}' });
    expect([response.status, response.headers.get('WWW-Authenticate')]).toEqual([401, 'Bearer']);
    expect(seen()?.headers).toMatchObject({
      accept: 'application/json, text/event-stream',
      authorization: 'Bearer moye_pat_a',
      'mcp-protocol-version': '2025-11-25',
    });
  });
});

describe('an API that', () => {
  test.each<[string, FakeApi['answer']]>([
    ['says nothing', () => undefined],
    ['breaks off', (request) => request.socket.destroy()],
    [
      'answers with a page',
      (_request, response) =>
        void response.writeHead(502, { 'Content-Type': 'text/html' }).end('<h1>Bad Gateway</h1>'),
    ],
    [
      'leads elsewhere',
      (_request, response) => void response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end(),
    ],
  ])('%s: whoever calls is told so in the contract’s words', async (_, answer) => {
    api.answer = answer;
    expect(await parts(await pass('/api/tag/alltags', { method: 'POST' }))).toEqual(UNAVAILABLE);
  });

  test('comes back after an outage: the next call is answered', async () => {
    await api.stop();
    expect(await parts(await pass('/api/tag/alltags', { method: 'POST' }))).toEqual(UNAVAILABLE);
    await api.start();
    expect((await pass('/api/tag/alltags', { method: 'POST' })).status).toBe(200);
  });

  test('is slow gets more time for a write than for a read', async () => {
    api.answer = (_request, response) =>
      void pause(450).then(() =>
        response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"code":"OK","data":"好"}'),
      );
    expect((await pass('/api/comment/create', { method: 'POST', body: 'a=b' })).status).toBe(200);
    expect(
      await parts(await pass('/api/comment/getpagecommentlist', { method: 'POST', body: 'a=b' })),
    ).toEqual(UNAVAILABLE);
  });

  test('stops mid-response: the response aborts instead of hanging', async () => {
    api.answer = (_request, response) =>
      void response.writeHead(200, { 'Content-Type': 'image/png' }).write(Buffer.alloc(10));
    const response = await pass('/api/file/x.png');
    await expect(response.arrayBuffer()).rejects.toThrow(/in time|abort|terminated/i);
  });
});
