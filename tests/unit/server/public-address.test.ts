import { createHash } from 'node:crypto';
import { createServer, request as send, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { afterEach, expect, test } from 'vitest';
import { examineAddress } from '../../../src/lib/server/operations/public-address.ts';

const TOKEN = 'a token for the metrics';
/** RFC 6455, section 1.3. */
const WEBSOCKET_GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const servers: Server[] = [];
const sockets: Duplex[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function listen(server: Server): Promise<string> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The parts of a site that the checks ask for. */
async function openSite(): Promise<{ url: string; server: Server }> {
  const answer: RequestListener = (request, response) => {
    const { pathname, search } = new URL(request.url ?? '', 'http://site');
    request.resume();
    const proxies = String(request.headers['x-forwarded-for'] ?? '')
      .split(',')
      .filter(Boolean).length;
    const isTold = request.headers.authorization === `Bearer ${TOKEN}`;
    const html = '<link rel="stylesheet" href="/_assets/page.css">';
    const answers: Record<string, [type: string, body: string]> = {
      '/healthz':
        isTold && search ? ['application/json', JSON.stringify({ proxies })] : ['text/plain', 'ok\n'],
      '/home': ['text/html', html],
      '/_assets/page.css': ['text/css', 'p{}'],
      '/manifest.webmanifest': ['application/manifest+json', '{}'],
    };
    const found = answers[pathname];
    const headers = { 'Content-Security-Policy': "default-src 'self'" };
    request.once('end', () => {
      if (found) response.writeHead(200, { ...headers, 'Content-Type': found[0] }).end(found[1]);
      else response.writeHead(401, { 'Content-Type': 'application/json' }).end('{}');
    });
  };
  const server = createServer(answer);
  server.on('upgrade', (request, socket) => {
    const accept = createHash('sha1').update(`${request.headers['sec-websocket-key']}${WEBSOCKET_GUID}`);
    const fields = [
      'Upgrade: websocket',
      'Connection: Upgrade',
      `Sec-WebSocket-Accept: ${accept.digest('base64')}`,
    ];
    socket.on('error', () => {});
    socket.write(['HTTP/1.1 101 Switching Protocols', ...fields, '', ''].join('\r\n'));
    sockets.push(socket);
  });
  return { url: await listen(server), server };
}

interface Faults {
  /** Prefix that the proxy strips; it answers other paths with its own page. */
  prefix?: string;
  maxBytes?: number;
  maxHeader?: number;
  addsAddress?: boolean;
}

/** A proxy in front of a site that forwards no upgrade. */
async function openProxy(
  site: string,
  { prefix = '', maxBytes, maxHeader, addsAddress = true }: Faults = {},
) {
  const server = createServer((request, response) => {
    const refuse = (status: number) => {
      request.resume();
      response.writeHead(status, { 'Content-Type': 'text/html' }).end('<h1>nginx</h1>');
    };
    if (!request.url?.startsWith(prefix)) return refuse(404);
    if (request.headers.upgrade !== undefined) return refuse(400);
    if (Number(request.headers['content-length'] ?? 0) > (maxBytes ?? Infinity)) return refuse(413);
    if (JSON.stringify(request.headers).length > (maxHeader ?? Infinity)) return refuse(400);
    const forwarded = addsAddress ? { 'X-Forwarded-For': '192.0.2.1' } : {};
    const upstream = send(
      new URL(request.url.slice(prefix.length), site),
      { method: request.method ?? 'GET', headers: { ...request.headers, ...forwarded } },
      (answer) => answer.pipe(response.writeHead(answer.statusCode ?? 502, answer.headers)),
    );
    request.pipe(upstream);
  });
  return listen(server);
}

async function look(url: string, settings: Partial<Parameters<typeof examineAddress>[1]> = {}) {
  const { origin } = new URL(url);
  const all = { origin, trustedHops: 0, metricsToken: TOKEN, ...settings };
  const findings = await Array.fromAsync(examineAddress(new URL(url), all));
  return Object.fromEntries(findings.map(({ check, verdict, text }) => [check, `${verdict} ${text}`.trim()]));
}

test('a site that can be reached as it should has only unencrypted connections to report', async () => {
  const { url } = await openSite();
  expect(await look(url)).toEqual({
    打得开: 'fine',
    加密: expect.stringMatching(/^doubtful 没有加密/) as string,
    网址: 'fine',
    样式: 'fine',
    代理层数: 'fine',
    实时更新: 'fine',
    大的请求: 'fine',
    长的请求头: 'fine',
  });
});

test('the faults of a proxy are named with what to do', async () => {
  const { url } = await openSite();
  const found = await look(await openProxy(url, { maxBytes: 1_048_576, maxHeader: 8_192 }), {
    trustedHops: 2,
  });
  expect(found).toMatchObject({
    打得开: 'fine',
    代理层数: expect.stringMatching(
      /^wrong 前面有 1 层代理，TRUST_PROXY 是 2：谁都能伪造.*设为 1$/,
    ) as string,
    实时更新: expect.stringMatching(/^wrong WebSocket 连不上.*Upgrade/) as string,
    大的请求: expect.stringMatching(
      /^wrong 代理不收 31 MB 的请求（413）.*client_max_body_size 32m/,
    ) as string,
    长的请求头: expect.stringMatching(
      /^doubtful 代理不收 10 KB 的请求头（400）.*large_client_header_buffers/,
    ) as string,
  });
});

test('too few trusted proxies, and another SITE_URL', async () => {
  const { url } = await openSite();
  const found = await look(await openProxy(url), { trustedHops: 0, origin: 'https://old.example' });
  expect(found['代理层数']).toMatch(
    /^wrong 前面有 1 层代理，TRUST_PROXY 是 0：所有读者算作同一个地址，把它设为 1$/,
  );
  expect(found['网址']).toMatch(/^wrong SITE_URL 是 https:\/\/old\.example，读者用的是 http:\/\/127/);
});

test('a proxy that strips a prefix: pages would have no styles', async () => {
  const { url } = await openSite();
  const found = await look(`${await openProxy(url, { prefix: '/blog' })}/blog`);
  expect(found['打得开']).toBe('fine');
  expect(found['网址']).toMatch(/^wrong 网站不能放在 \/blog\/ 下面/);
  expect(found['样式']).toMatch(/^wrong 页面里的 \/manifest\.webmanifest 打不开（404），页面会没有样式/);
});

test('without METRICS_TOKEN the number of proxies is not known', async () => {
  const { url } = await openSite();
  expect((await look(url, { metricsToken: null }))['代理层数']).toMatch(
    /^doubtful 查不了：先设置 METRICS_TOKEN/,
  );
  expect((await look(url, { metricsToken: 'quite another token' }))['代理层数']).toMatch(
    /^doubtful 查不了：运行着/,
  );
});

test('another site, no server, no name and no TLS end the checks with one line', async () => {
  const other = await listen(
    createServer((_request, response) => void response.end('<h1>Welcome to nginx!</h1>')),
  );
  const { port } = new URL(other);
  const cases: [url: string, said: RegExp][] = [
    [other, /^wrong 回答的不是墨页（\/healthz 是 200）/],
    [`https://127.0.0.1:${port}`, /^wrong 这个端口上不是 HTTPS/],
    ['http://127.0.0.1:1', /^wrong (?:那里没有程序在听|fetch failed|bad port)/],
    ['https://nowhere.invalid', /^wrong 域名没有解析到地址/],
  ];
  for (const [url, said] of cases) {
    const found = await look(url);
    expect(Object.keys(found), url).toEqual(['打得开']);
    expect(found['打得开'], url).toMatch(said);
  }
});
