import { io } from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openServer, type Person, type TestServer } from './server.ts';
import { openWire, sendExactly } from './wire.ts';

let server: TestServer;
let author: Person;
beforeAll(async () => {
  server = await openServer();
  author = await server.join('王维');
});
afterAll(() => server?.close());

describe('an unsupported upgrade is ignored and the request answered', () => {
  const ask = (line: string, headers: string[], body = '') =>
    sendExactly(server.url, [line, 'Host: a', ...headers, '', body].join('\r\n'));

  test('to HTTP/2, as curl --http2 asks for it', async () => {
    const h2c = [
      'Connection: Upgrade, HTTP2-Settings, close',
      'Upgrade: h2c',
      'HTTP2-Settings: AAMAAABkAAQAAP__',
    ];
    expect((await ask('GET /home HTTP/1.1', h2c)).status).toBe(200);
    const type = 'Content-Type: application/x-www-form-urlencoded';
    const call = await ask(
      'POST /api/page/pagelist HTTP/1.1',
      [...h2c, type, 'Content-Length: 10'],
      'pageSize=1',
    );
    expect([call.status, JSON.parse(call.body).code]).toEqual([200, 'OK']);
  });

  test('to a websocket anywhere but at the live socket', async () => {
    const websocket = [
      'Connection: Upgrade, close',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ];
    expect((await ask('GET /tag/list HTTP/1.1', websocket)).status).toBe(200);
    expect((await ask('GET /api/nothing HTTP/1.1', websocket)).status).toBe(404);
  });

  test('while the live socket is', async () => {
    const socket = io(server.url, {
      transports: ['websocket'],
      query: { token: author.token },
      forceNew: true,
    });
    expect(await new Promise((resolve) => socket.once('unread-comment', resolve))).toBe(0);
    socket.disconnect();
  });
});

describe('malformed HTTP/1.1 requests', () => {
  const LONG = 'a'.repeat(20_000);
  const REQUESTS: [string, number, (path: string) => string][] = [
    [
      'an expectation nobody knows',
      417,
      (path) => `POST ${path} HTTP/1.1\r\nHost: a\r\nExpect: x\r\nConnection: close\r\n\r\n`,
    ],
    ['headers that are too long', 431, (path) => `GET ${path} HTTP/1.1\r\nHost: a\r\nX: ${LONG}\r\n\r\n`],
    ['two hosts', 400, (path) => `GET ${path} HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n`],
    ['no host', 400, (path) => `GET ${path} HTTP/1.1\r\nConnection: close\r\n\r\n`],
    [
      'a length that is no number',
      400,
      (path) => `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n`,
    ],
    [
      'a length and chunks',
      400,
      (path) =>
        `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['a header without a name', 400, (path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n: x\r\n\r\n`],
    [
      'a broken chunk of a body',
      400,
      (path) => `POST ${path} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
    ],
    ['a version there is not', 400, (path) => `GET ${path} HTTP/9.9\r\nHost: a\r\n\r\n`],
  ];

  test.each(REQUESTS)('is refused: %s', async (_what, status, request) => {
    const call = await sendExactly(server.url, request('/api/page/pagelist'));
    expect([call.status, JSON.parse(call.body)]).toEqual([
      status,
      {
        code: 'ERROR',
        data: expect.stringMatching(/^[\p{Script=Han} A-Za-z]{4,}$/u),
        error: expect.stringMatching(/^(REQUEST_MALFORMED|EXPECTATION_UNKNOWN|HEADERS_TOO_LARGE)$/),
      },
    ]);
    expect(call.head).toMatch(/\r\nContent-Type: application\/json\b/i);
    const page = await sendExactly(server.url, request('/home'));
    expect([page.status, page.body]).toEqual([status, expect.stringMatching(/^\p{Script=Han}.*\n$/u)]);
    expect(page.head).toMatch(/\r\nContent-Type: text\/plain; charset=utf-8\b/i);
  });

  test.each([
    ['/api/page/pagelist', 'application/json', '{"code":"ERROR","data":"请求头过大",'],
    ['/home', 'text/plain; charset=utf-8', '请求头过大\n'],
  ])('is refused in its form when it arrives in parts: %s', async (path, type, body) => {
    const wire = await openWire(server.url);
    for (const part of [
      `GET ${path}`,
      ` HTTP/1.1\r\nHost: a\r\nX: `,
      LONG.slice(0, 9_000),
      LONG.slice(9_000),
      '\r\n\r\n',
    ]) {
      wire.socket.write(part);
      // The server reads the part before it answers another request.
      await sendExactly(server.url, 'GET /home HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    }
    const [head, text] = (await wire.closed).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 431 /);
    expect(head).toContain(`Content-Type: ${type}`);
    expect(text?.startsWith(body)).toBe(true);
  });

  test('with long headers is answered by the live socket, not upgraded', async () => {
    const { status } = await sendExactly(
      server.url,
      `GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: a\r\nX: ${LONG}\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
    );
    expect(status).toBe(400);
  });

  test('is refused with a plain 400 where there is no path', async () => {
    for (const bytes of [
      '\x16\x03\x01\x02\x00\x01',
      'hello\r\n\r\n',
      'CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n',
    ]) {
      const { status, body } = await sendExactly(server.url, bytes);
      expect([bytes, status, body]).toEqual([bytes, 400, '请求格式有误\n']);
    }
  });

  test('do not corrupt a response in progress', async () => {
    const wire = await openWire(server.url);
    wire.socket.write('GET /home HTTP/1.1\r\nHost: a\r\n\r\n');
    await expect.poll(wire.received).toContain('</html>');
    wire.socket.write('nonsense\r\n\r\n');
    const answers = (await wire.closed).split(/(?=HTTP\/1\.1 )/);
    expect(answers.map((answer) => answer.slice(9, 12))).toEqual(['200', '400']);
  });
});

describe('connections of an address', () => {
  test('are bounded with RATE_LIMIT=off too, live sockets among them', async () => {
    const bounded = await openServer({ CONNECTIONS_PER_ADDRESS: '3', RATE_LIMIT: 'off' });
    const connect = (token: string) =>
      new Promise<string>((resolve) => {
        const socket = io(bounded.url, { transports: ['websocket'], query: { token }, forceNew: true });
        sockets.push(socket);
        socket.once('unread-comment', () => resolve('connected'));
        socket.once('connect_error', () => resolve('refused'));
      });
    const sockets: ReturnType<typeof io>[] = [];
    try {
      const { token } = await bounded.join('王维');
      // `fetch` keeps its connection open, so one of the three is already in use.
      expect(await connect(token)).toBe('connected');
      expect(await connect(token)).toBe('connected');
      expect(await connect(token)).toBe('refused');
      const { status, head, body } = await sendExactly(bounded.url, 'GET /home HTTP/1.1\r\nHost: a\r\n\r\n');
      expect([status, body]).toEqual([429, '同时打开的连接过多，请稍后再试\n']);
      expect(head).toMatch(/\r\nRetry-After: \d/);
    } finally {
      for (const socket of sockets) socket.disconnect();
      await bounded.close();
    }
  });
});
