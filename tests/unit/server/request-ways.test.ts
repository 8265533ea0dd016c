import { once } from 'node:events';
import { expect, test } from 'vitest';
import { answerRequests } from '../../../src/lib/server/http/http.ts';
import { open, serve } from './serving.ts';

/** A server that returns the route of a request, its client address, and its host. */
async function start(trustedHops = 0) {
  const answer = answerRequests({
    calls: (request, { address }) => new Response(`call ${new URL(request.url).host} ${address}`),
    page: (request, response, next, address) =>
      request.url === '/unknown' ? next() : response.end(`page ${request.headers.host} ${address}`),
    host: 'blog.example',
    trustedHops,
    failed: () => undefined,
  });
  const { port } = await serve((request, response) => answer(request, response, () => undefined));
  return async (method: string, target: string, headers = '') => {
    const text = `${method} ${target} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n${headers}\r\n`;
    const { client, received } = open(port, text);
    client.resume();
    await once(client, 'close');
    const [head = '', body = ''] = received().split('\r\n\r\n');
    return { status: Number(head.split(' ')[1]), body };
  };
}

test.each([
  ['GET', '/home', 'page'],
  ['GET', '/home?next=/api/page/detail', 'page'],
  ['GET', '/apiary', 'page'],
  ['GET', '//api/page/detail', 'page'],
  ['GET', '/api', 'call'],
  ['GET', '/api?x', 'call'],
  ['GET', '/api/file/a.webp', 'call'],
  ['GET', '/home/../api/page/detail', 'call'],
  ['GET', '/home/%2e%2e/api/page/detail', 'call'],
  ['POST', '/api/page/detail', 'call'],
  ['POST', '/home', 'call'],
  ['GET', '/xmlrpc.php', 'call'],
  ['GET', '/mcp', 'call'],
  ['GET', '/mcp/home', 'page'],
  ['PUT', '/', 'call'],
  ['OPTIONS', '/home', 'call'],
  ['TRACE', '/home', 'call'],
  ['GET', '/home/%', 'call'],
  ['GET', '/home/a%0Ab', 'call'],
  ['GET', '/unknown', 'call'],
])('%s %s goes the way of a %s: pages alone are for Astro', async (method, target, way) => {
  const ask = await start();
  expect((await ask(method, target)).body).toContain(`${way} blog.example 127.0.0.1`);
});

test('a page’s client is the reader’s address, behind trusted proxies the forwarded one', async () => {
  const ask = await start(1);
  const forwarded = 'X-Forwarded-For: 198.51.100.9, 192.0.2.1\r\n';
  expect((await ask('GET', '/home', forwarded)).body).toBe('page blog.example 192.0.2.1');
  expect((await ask('GET', '/api', forwarded)).body).toBe('call blog.example 192.0.2.1');
});

test.each(['http://evil.example/home', '/home\\x', '\\home', '/\\evil.example/', 'home'])(
  'GET %s is no address',
  async (target) => {
    const ask = await start();
    expect((await ask('GET', target)).status).toBe(400);
  },
);
