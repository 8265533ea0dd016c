import { once } from 'node:events';
import { createServer, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createPickService } from '../../src/lib/server/articles/discovery/pick-service.ts';
import { createReadCounter } from '../../src/lib/server/reads/read-counter.ts';
import { openImportStage, type ImportStage } from './import-stage.ts';
import { DAY_MS } from '../../src/lib/contract/rules/units.ts';

const timeZone = 'Asia/Shanghai';
const BROWSER = 'Mozilla/5.0 (X11; Linux x64; rv:133.0) Gecko/20100101 Firefox/133.0';
/** A unique browser that no bot list contains. */
const browser = (index: number) =>
  `Mozilla/5.0 (X11; Linux x64; rv:${index}.0) Gecko/20100101 Firefox/${index}.0`;

let stage: ImportStage;
let now: number;
let id: string;
beforeEach(async () => {
  stage = await openImportStage();
  now = Date.UTC(2026, 10, 24, 4);
  id = await write('登鹳雀楼');
});
const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) server.close();
  await stage.close();
});

const write = async (title: string): Promise<string> => {
  const fields = { title, content: '正文', tags: [], type: '', secret: false, status: 'normal' as const };
  return (await stage.app.services.articles.create(fields, stage.author)).id;
};

interface Visit {
  address?: string;
  headers?: Record<string, string>;
  article?: string;
  method?: 'GET' | 'HEAD';
}

/** Read counter of one process behind `trustedHops` proxies, and visitors who request pages from it. */
async function open(trustedHops = 1) {
  const { db, log } = stage.app;
  const counter = createReadCounter({ db, timeZone, log, trustedHops, now: () => now });
  const answered: ServerResponse[] = [];
  const server = createServer((asked, response) => {
    answered.push(response);
    counter.handler(asked, response, () => response.end('一篇文章'));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  servers.push(server);
  const { port } = server.address() as AddressInfo;
  async function visit({ address = '203.0.113.7', headers, article = id, method = 'GET' }: Visit = {}) {
    const sent = request(`http://127.0.0.1:${port}/detail/${article}`, {
      method,
      headers: { 'user-agent': BROWSER, 'x-forwarded-for': address, ...headers },
    }).end();
    const [answer] = await once(sent, 'response');
    await answer.toArray();
    const response = answered.pop();
    if (response && !response.closed) await once(response, 'close');
  }
  const visitAll = async (times: number, of: (index: number) => Visit) => {
    for (let index = 0; index < times; index++) await visit(of(index));
  };
  return { counter, visit, visitAll };
}

async function readsOf(article = id): Promise<number> {
  const rows = await stage.rows(`select read_num from articles where id = '${article}'`);
  return Number(rows[0]?.['read_num']);
}

describe('a client reads an article once a day', () => {
  test('however often it requests it, and does not dominate the ranking', async () => {
    const other = await write('送元二使安西');
    const { counter, visit, visitAll } = await open();
    await visitAll(500, () => ({}));
    await visitAll(3, (index) => ({ address: `198.51.100.${index}`, article: other }));
    await counter.flush();
    expect([await readsOf(), await readsOf(other)]).toEqual([1, 3]);
    const picks = createPickService({
      ...stage.app,
      audit: stage.app.services.audit,
      timeZone,
      now: () => now,
    });
    await picks.refresh();
    expect((await picks.list()).read.map(({ id: each }) => each)).toEqual([other, id]);
    // Also after the first count was written.
    await visit();
    await counter.flush();
    expect(await readsOf()).toBe(1);
  });

  // Without a proxy, repeated requests on a connection skip the lookup of the reader.
  test.each([0, 1])('and again on the next day of the site’s calendar, behind %i proxies', async (hops) => {
    const { counter, visit } = await open(hops);
    await visit();
    // Just before midnight in Shanghai.
    now = Date.UTC(2026, 10, 24, 16) - 1;
    await visit();
    await counter.flush();
    expect(await readsOf()).toBe(1);
    now++;
    await visit();
    await visit();
    await counter.flush();
    expect(await readsOf()).toBe(2);
    now += DAY_MS;
    await visit();
    await counter.flush();
    expect(await readsOf()).toBe(3);
  });

  test('and the counts of days, months and articles agree', async () => {
    const other = await write('静夜思');
    const { counter, visit, visitAll } = await open();
    await visitAll(3, (index) => ({ address: `198.51.100.${index}` }));
    await visit({ article: other });
    now += DAY_MS;
    await visitAll(2, (index) => ({ address: `198.51.100.${index}` }));
    await counter.flush();
    await visit({ address: '192.0.2.1' });
    await counter.flush();
    const sums = (table: string) =>
      stage.rows(`select reads from ${table} where article_id = '${id}' order by reads`);
    expect([await readsOf(), await readsOf(other)]).toEqual([6, 1]);
    expect(await sums('article_reads')).toEqual([{ reads: 3 }, { reads: 3 }]);
    expect(await sums('month_reads')).toEqual([{ reads: 6 }]);
  });

  test('on one connection, another browser or article is another read, a repeated one is not', async () => {
    const other = await write('静夜思');
    const { counter, visit } = await open(0);
    const second = { headers: { 'user-agent': `${BROWSER} Edg/150.0` } };
    for (const each of [{}, {}, second, { article: other }, {}, second]) await visit(each);
    await counter.flush();
    expect([await readsOf(), await readsOf(other)]).toEqual([2, 1]);
  });

  test('another article, address or browser is another read', async () => {
    const other = await write('静夜思');
    const { counter, visit } = await open();
    for (let round = 0; round < 2; round++) {
      await visit();
      await visit({ article: other });
      await visit({ address: '203.0.113.8' });
      await visit({ headers: { 'user-agent': browser(120) } });
    }
    await counter.flush();
    expect([await readsOf(), await readsOf(other)]).toEqual([3, 1]);
  });

  test('an address counts as at most ten browsers, and a /64 as one address', async () => {
    const { counter, visitAll } = await open();
    await visitAll(500, (index) => ({ headers: { 'user-agent': browser(index) } }));
    await counter.flush();
    expect(await readsOf()).toBe(10);
    await visitAll(500, (index) => ({ address: `2001:db8::${index.toString(16)}` }));
    await counter.flush();
    expect(await readsOf()).toBe(11);
    await visitAll(256, (index) => ({ address: `2001:db8:0:${index.toString(16)}::1` }));
    await counter.flush();
    // A /56 counts as four addresses.
    expect(await readsOf()).toBe(10 + 40);
  });

  test('without a trusted proxy the socket address counts, with one the forwarded address, whatever the client claims', async () => {
    const direct = await open(0);
    await direct.visitAll(20, (index) => ({ address: `198.51.100.${index}` }));
    await direct.counter.flush();
    expect(await readsOf()).toBe(1);
    const behind = await open(1);
    await behind.visitAll(20, (index) => ({ address: `10.0.0.${index}, 198.51.100.${index % 4}` }));
    await behind.counter.flush();
    expect(await readsOf()).toBe(1 + 4);
  });
});

test.each([
  [
    'a bot',
    { headers: { 'user-agent': 'Mozilla/5.0 (compatible; Bingbot/2.0; +http://www.bing.com/bingbot.htm)' } },
  ],
  ['nobody who names a browser', { headers: { 'user-agent': '' } }],
  ['HEAD', { method: 'HEAD' }],
  ['a prefetch', { headers: { 'sec-purpose': 'prefetch' } }],
  ['a prerender', { headers: { 'sec-purpose': 'prefetch;prerender' } }],
  ['a prefetch of an older browser', { headers: { purpose: 'prefetch' } }],
  ['a prefetch of Firefox', { headers: { 'x-moz': 'prefetch' } }],
  ['a preview of Safari', { headers: { 'x-purpose': 'preview' } }],
  ['a prefetch in other letters', { headers: { purpose: 'Prefetch' } }],
] as const)('%s is no read, and takes none from who reads later', async (_, options) => {
  const { counter, visit } = await open();
  await visit(options);
  await counter.flush();
  expect(await readsOf()).toBe(0);
  await visit();
  await counter.flush();
  expect(await readsOf()).toBe(1);
});
