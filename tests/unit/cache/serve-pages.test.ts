import type { Server } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { refuse } from '../../../src/lib/contract/rules/errors.ts';
import { createPageCache, type PageCache } from '../../../src/lib/server/cache/page-cache.ts';
import type { RenderedAnswer } from '../../../src/lib/server/cache/renders.ts';
import { servePages } from '../../../src/lib/server/cache/serve-pages.ts';
import { createConnections, type Connections } from '../../../src/lib/server/http/connections.ts';
import { createHttpServer, listen } from '../../../src/lib/server/http/http.ts';

/** A server that renders when the test says so; renders for addresses in `refused` are refused. */
let server: Server;
let connections: Connections;
let url: string;
let cache: PageCache<RenderedAnswer>;
let asked: string[];
let refused: Set<string>;
let go: PromiseWithResolvers<void>;
beforeEach(async () => {
  asked = [];
  refused = new Set();
  go = Promise.withResolvers();
  cache = createPageCache({ maxBytes: 1_000_000 });
  const render = async (path: string): Promise<RenderedAnswer> =>
    path.startsWith('/detail/')
      ? { status: 302, headers: { location: '/404' }, bytes: Buffer.of() }
      : { status: 200, headers: {}, bytes: Buffer.from(`page ${path}`), tags: ['lists'] };
  const pages = servePages({
    cache,
    render,
    renders: {
      async run(work, address) {
        asked.push(address);
        await go.promise;
        if (refused.has(address)) refuse('TOO_MANY_REQUESTS', { retryAfter: 7 });
        return work();
      },
      refresh: (work) => work(),
    },
    plain: (_request, _response, next) => next(),
    trustedHops: 1,
  });
  connections = createConnections({ perAddress: 256, trustedHops: 1 });
  server = createHttpServer([pages], { connections });
  url = `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}`;
});
afterEach(() => connections.stop(server));

const ask = (address: string, path = '/home') =>
  fetch(url + path, { redirect: 'manual', headers: { 'X-Forwarded-For': address } });
/** Waits until `count` renders have been requested. */
const asking = async (count: number) => expect.poll(() => asked.length).toBe(count);

test('a page requested concurrently counts towards the first client only', async () => {
  const answers = [ask('192.0.2.1')];
  await asking(1);
  for (let index = 2; index < 50; index++) answers.push(ask(`192.0.2.${index}`));
  go.resolve();
  for (const answer of await Promise.all(answers)) expect(await answer.text()).toBe('page /home');
  expect(asked).toEqual(['192.0.2.1']);
});

test('a client waiting for another’s refused render gets the page on its own account', async () => {
  refused.add('192.0.2.1');
  const first = ask('192.0.2.1');
  await asking(1);
  const others = [ask('192.0.2.2'), ask('192.0.2.3')];
  await expect.poll(() => cache.numbers().misses).toBe(3);
  go.resolve();
  expect((await first).status).toBe(429);
  for (const answer of await Promise.all(others))
    expect([answer.status, await answer.text()]).toEqual([200, 'page /home']);
  expect(asked.length).toBeLessThanOrEqual(3);
});

test('a refused reader gets a message and Retry-After, which are not cached', async () => {
  refused.add('192.0.2.1');
  go.resolve();
  const answer = await ask('192.0.2.1');
  expect([answer.status, await answer.text()]).toEqual([429, '操作过于频繁，请稍后再试\n']);
  expect(answer.headers.get('retry-after')).toBe('7');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(answer.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
  refused.clear();
  expect((await ask('192.0.2.1')).status).toBe(200);
});

test('a client over its render limit gets cached pages only', async () => {
  go.resolve();
  expect((await ask('192.0.2.2')).status).toBe(200);
  refused.add('192.0.2.1');
  expect((await ask('192.0.2.1')).status).toBe(200);
  expect((await ask('192.0.2.1', '/home?page=1')).status).toBe(200);
  expect((await ask('192.0.2.1', '/home?page=2')).status).toBe(429);
  expect((await ask('192.0.2.2', `/detail/${'0'.repeat(24)}`)).status).toBe(302);
  expect((await ask('192.0.2.1', `/detail/${'0'.repeat(24)}`)).status).toBe(429);
});

test('a page is rendered again after a write, before the next request', async () => {
  go.resolve();
  await ask('192.0.2.1');
  cache.invalidate(['lists']);
  expect(cache.has('/home')).toBe(false);
  await expect.poll(() => cache.has('/home')).toBe(true);
  expect(await (await ask('192.0.2.1')).text()).toBe('page /home');
  expect(asked).toHaveLength(1);
});
