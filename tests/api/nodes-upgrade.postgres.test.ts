import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../src/lib/server/db/database.ts';
import { MIGRATIONS, NEWEST_VERSION, NewerDatabaseError } from '../../src/lib/server/db/migrate.ts';
import { openPostgres } from '../../src/lib/server/db/postgres/postgres.ts';
import { forgetIndex, rebuildIfNeeded } from '../../src/lib/server/search/rebuild.ts';
import { TOKEN_SECRET } from '../engine.ts';
import { openProxy, type Proxy } from '../postgres/proxy.ts';
import { isCurrent, openNodes, type Nodes } from './nodes.ts';
import { done, openServer, type Person, type TestServer } from './server.ts';

let network: Proxy;
let nodes: Nodes;
let author: Person;
beforeEach(async () => {
  network = await openProxy();
  nodes = await openNodes({ through: network.through });
  author = await nodes.a.join('林间');
});
afterEach(async () => {
  await nodes.close();
  await network.close();
});

const edit = (node: TestServer, id: string, title: string) => {
  const fields = { id, title, content: '空山新雨后', tags: ['诗'], status: 'normal', secret: 'false' };
  return node.post('/api/page/edit', fields, author.token);
};

/** The migration of a later version: a column of articles, one of comments, and a table. */
const NEXT = {
  number: NEWEST_VERSION + 1,
  sqlite: [],
  postgres: [
    'alter table articles add column mood text not null default 0',
    'alter table comments add column mood text',
    'create table moods (id integer primary key)',
  ],
};

describe('while one node is of a newer version', () => {
  let newer: Database | undefined;
  const heard: unknown[] = [];
  afterEach(() => newer?.close());

  const start = async (): Promise<Database> => {
    const { DATABASE_URL: url = '' } = nodes.storage.settings;
    const log = { info: () => {}, warn: () => {} };
    const db = await openPostgres(url, { connections: 2, log, steps: [...MIGRATIONS, NEXT] });
    await db.notices?.listen({ onNotice: (notice) => void heard.push(notice), onGap: () => {} });
    return db;
  };

  test('the others keep serving, and all hear of all writes', async () => {
    const { a, b } = nodes;
    const id = await a.write(author, { title: '原题' });
    const failed: unknown[] = [];
    const end = new AbortController();
    const busy = [a, b].map(async (node) => {
      for (let round = 0; !end.signal.aborted; round++) {
        const answers = [
          await node.get(`/detail/${id}/true`),
          await node.post('/api/page/pagelist'),
          await edit(node, id, `第${round}题`),
          await node.post('/api/comment/create', { content: `第${round}条`, page_id: id }, author.token),
        ];
        failed.push(...answers.filter(({ status }) => status !== 200));
      }
    });
    await sleep(100);
    newer = await start();
    await sleep(300);
    end.abort();
    await Promise.all(busy);
    expect(failed).toEqual([]);

    // The newer node announces what the others do not know.
    for (const node of [a, b]) {
      await node.get(`/detail/${id}`);
      await expect.poll(() => node.app.pageCache?.has(`/detail/${id}`)).toBe(true);
    }
    await newer.write(async (trx) => {
      await sql`update articles set title = '新节点写的', mood = 'glad' where id = ${id}`.execute(trx);
      newer?.announce(trx, { type: 'mood-changed', articleId: id, mood: ['glad'] });
    });
    for (const node of [a, b]) expect((await node.get(`/detail/${id}`)).text).toContain('新节点写的');
    // The newer node receives the writes of the older ones.
    heard.length = 0;
    done(await edit(b, id, '旧节点写的'));
    expect(JSON.stringify(heard)).toContain(id);
    for (const node of [a, b]) expect((await node.get(`/detail/${id}`)).text).toContain('旧节点写的');
    // The older version does not start again.
    const settings = { ...nodes.storage.settings, TOKEN_SECRET };
    await expect(openServer(settings)).rejects.toThrow(NewerDatabaseError);
  });
});

test('searches cached while another node rebuilds the index show all hits afterwards', async () => {
  const { a, b } = nodes;
  const TOTAL = 120;
  for (let index = 0; index < TOTAL; index++) await a.write(author, { title: `独特${index}` });
  const total = async () => done(await b.post('/api/page/searchpage', { keywords: '独特' })).total as number;
  expect(await total()).toBe(TOTAL);
  await a.app.db.write(forgetIndex);
  let batches = 0;
  await rebuildIfNeeded(a.app.db, () => ++batches < 1);
  await expect.poll(total).toBeLessThan(TOTAL);
  expect(await total()).toBeGreaterThan(0);
  await rebuildIfNeeded(a.app.db);
  await expect.poll(total).toBe(TOTAL);
});

describe.each([
  ['a second', 1_000, []],
  ['a minute', 60_000, ['long']],
] as const)('a node that hears nothing for %s', (_, ms, tags) => {
  test('shows and keeps nothing stale', { tags: [...tags] }, async () => {
    const { a, b } = nodes;
    const [id, quiet] = [await a.write(author, { title: '零' }), await a.write(author, { title: '零' })];
    const seen = async (article: string) => (await b.get(`/detail/${article}`)).text;
    await expect.poll(() => isCurrent(b)).toBe(true);
    for (const article of [id, quiet]) expect(await seen(article)).toContain('零');
    network.refuseListeners(true);
    const deadline = performance.now() + ms;
    done(await edit(a, quiet, '只改一次'));
    let version = 0;
    do {
      done(await edit(a, id, `第${++version}版。`));
      expect(await seen(id)).toContain(`第${version}版。`);
      await sleep(100);
    } while (performance.now() < deadline);
    network.refuseListeners(false);
    await expect.poll(() => isCurrent(b)).toBe(true);
    for (const [article, title] of [
      [id, `第${version}版。`],
      [quiet, '只改一次'],
    ] as const) {
      expect(await seen(article)).toContain(title);
      expect(b.app.pageCache?.has(`/detail/${article}`)).toBe(true);
    }
  });
});
