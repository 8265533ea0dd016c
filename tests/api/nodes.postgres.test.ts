import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { isCurrent, openNetwork, openNodes, type Nodes } from './nodes.ts';
import { done, type Person } from './server.ts';

/** What one server writes, another on the same database shows: at the latest this long after the answer to whoever wrote. */
const LEASE_MS = 250;

let nodes: Nodes;
afterEach(() => nodes?.close());

/** Articles that A writes to, and what B shows of them. */
async function openArticles(count: number) {
  const author = await nodes.a.join('林间');
  const ids: string[] = [];
  for (let index = 0; index < count; index++) ids.push(await nodes.a.write(author, { title: '零' }));
  return { author, ids };
}

async function edit(author: Person, id: string, version: number): Promise<void> {
  const fields = {
    id,
    title: `第${version}版。`,
    content: '空山新雨后',
    tags: ['诗'],
    status: 'normal',
    secret: 'false',
  };
  done(await nodes.a.post('/api/page/edit', fields, author.token));
}

/** The version that B's page shows. */
async function seen(id: string): Promise<number> {
  const { status, text } = await nodes.b.get(`/detail/${id}`);
  expect(status).toBe(200);
  return Number(/第(\d+)版。/.exec(text)?.[1] ?? 0);
}

/** Writes on A and reads on B for `rounds` rounds; returns the reads that showed less than they had to. */
async function writeAndRead(
  author: Person,
  id: string,
  versions: Map<string, number>,
  rounds: number,
): Promise<string[]> {
  const stale: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const version = (versions.get(id) ?? 0) + 1;
    versions.set(id, version);
    await edit(author, id, version);
    const acknowledged = performance.now();
    for (let latest = 0; performance.now() - acknowledged < LEASE_MS; await sleep(Math.random() * 150)) {
      const now = await seen(id);
      if (now < latest) stale.push(`${id} went back from ${latest} to ${now}`);
      latest = now;
    }
    const late = performance.now() - acknowledged;
    const shown = await seen(id);
    if (shown !== version) stale.push(`${id} showed ${shown} instead of ${version}, ${late} ms after`);
  }
  return stale;
}

describe('pages that B keeps', () => {
  test('show what A has written', async () => {
    nodes = await openNodes();
    const { author, ids } = await openArticles(25);
    const versions = new Map<string, number>();
    const stale = await Promise.all(ids.map((id) => writeAndRead(author, id, versions, 12)));
    expect(stale.flat()).toEqual([]);
    const { renders, hits } = nodes.b.app.pageCache?.numbers() ?? { renders: 0, hits: 0 };
    expect(hits).toBeGreaterThan(renders);
  }, 120_000);

  test('show it while the connection is ended again and again that B listens on', async () => {
    nodes = await openNodes();
    const { author, ids } = await openArticles(8);
    const versions = new Map<string, number>();
    const over = new AbortController();
    const cutting = (async () => {
      while (!over.signal.aborted) {
        await nodes.cutListener();
        await sleep(Math.random() * 500);
      }
    })();
    const stale = await Promise.all(ids.map((id) => writeAndRead(author, id, versions, 15)));
    over.abort();
    await cutting;
    expect(stale.flat()).toEqual([]);
    expect(nodes.b.app.db.notices?.numbers().losses).toBeGreaterThan(2);
    await expect.poll(() => isCurrent(nodes.b), { timeout: 5_000 }).toBe(true);
    await seen(ids[0] ?? '');
    expect(nodes.b.app.pageCache?.has(`/detail/${ids[0]}`)).toBe(true);
  }, 120_000);

  test('show it when that connection falls silent, with nobody told', async () => {
    const network = await openNetwork();
    try {
      nodes = await openNodes({ through: network.through });
      const { author, ids } = await openArticles(4);
      const versions = new Map<string, number>();
      for (let round = 0; round < 3; round++) {
        await expect.poll(() => isCurrent(nodes.b)).toBe(true);
        await Promise.all(ids.map(seen));
        expect(network.silenceListener()).toBe(1);
        const stale = await Promise.all(ids.map((id) => writeAndRead(author, id, versions, 2)));
        expect(stale.flat()).toEqual([]);
      }
      await expect.poll(() => isCurrent(nodes.b), { timeout: 5_000 }).toBe(true);
    } finally {
      network.close();
    }
  }, 60_000);
});
