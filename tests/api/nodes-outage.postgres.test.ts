import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { createStorage, type TestStorage } from '../engine.ts';
import { startPostgres, type TestPostgres } from '../postgres/start.ts';
import { amount, tally } from '../trial.ts';
import { isCurrent, openNodes } from './nodes.ts';
import { clientOf, done, openServer, type Answer, type Person, type TestServer } from './server.ts';
import { makeSite, spawnServer, temporaryFolder } from './spawn.ts';

const MAX_RESPONSE_MS = 5_000;
const KILLS = amount('TRUST_KILLS', 1, 5);
const TOKEN_SECRET = 'the secret of two servers and one database';

/** Sends requests one after another until stopped; passes each response to `seen`. */
function keepAsking(ask: () => Promise<Answer>, seen: (answer: Answer, ms: number) => void) {
  const end = new AbortController();
  const asking = (async () => {
    while (!end.signal.aborted) {
      const started = performance.now();
      const answer = await ask();
      seen(answer, performance.now() - started);
    }
  })();
  return async () => {
    end.abort();
    await asking;
  };
}

let writes = 0;
const write = (node: Pick<TestServer, 'post'>, { token }: Person) => {
  const title = `第 ${++writes} 篇`;
  const fields = { title, content: '正文', tags: ['载'], status: 'normal', secret: 'false' };
  return { title, answer: node.post('/api/page/new', fields, token) };
};

test('with PostgreSQL restarted under load, cached pages are served and the rest gets Retry-After', async () => {
  const postgres: TestPostgres = await startPostgres();
  const settings = { DATABASE_URL: postgres.url, DATABASE_POOL: '4', TOKEN_SECRET };
  const nodes = [await openServer(settings), await openServer(settings)] as const;
  const [a, b] = nodes;
  try {
    const author = await a.join('林间');
    const kept = `/detail/${await a.write(author, { title: '山居秋暝' })}`;
    const other = `/detail/${await a.write(author, { title: '鹿柴' })}`;
    for (const node of nodes) {
      await expect.poll(() => isCurrent(node)).toBe(true);
      await node.get(kept);
      await expect.poll(() => node.app.pageCache?.has(kept)).toBe(true);
    }
    const acknowledged: string[] = [];
    const statuses = { kept: new Set<number>(), others: new Set<number>() };
    const slow: number[] = [];
    const note = (kind: keyof typeof statuses) => (answer: Answer, ms: number) => {
      statuses[kind].add(answer.status);
      if (answer.status === 503) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      if (ms >= MAX_RESPONSE_MS) slow.push(ms);
    };
    const stops = nodes.flatMap((node) => [
      keepAsking(() => node.get(kept), note('kept')),
      keepAsking(() => node.get(`${other}/true`), note('others')),
      keepAsking(async () => {
        const { title, answer } = write(node, author);
        if ((await answer).code === 'OK') acknowledged.push(title);
        return answer;
      }, note('others')),
    ]);
    await expect.poll(() => acknowledged.length).toBeGreaterThan(4);
    await postgres.stop();
    await expect.poll(() => statuses.others.has(503)).toBe(true);
    for (const node of nodes) {
      // Many requests, while no page can be rendered.
      for (let index = 0; index < 20; index++) expect((await node.get(kept)).text).toContain('山居秋暝');
      expect((await node.get('/home')).status).toBe(503);
      expect(isCurrent(node)).toBe(false);
    }
    await postgres.start();
    for (const node of nodes) {
      await expect.poll(async () => (await node.get('/healthz')).status).toBe(200);
      await expect.poll(() => isCurrent(node)).toBe(true);
    }
    const before = acknowledged.length;
    await expect.poll(() => acknowledged.length).toBeGreaterThan(before + 4);
    await Promise.all(stops.map((stop) => stop()));
    expect(statuses).toEqual({ kept: new Set([200]), others: new Set([200, 503]) });
    expect(slow).toEqual([]);

    // Copies cached before the outage must not be served as current afterwards.
    const fields = { title: '改了', content: '正文', tags: ['诗'], status: 'normal', secret: 'false' };
    done(await a.post('/api/page/edit', { id: kept.split('/')[2] ?? '', ...fields }, author.token));
    await expect.poll(async () => (await b.get(kept)).text).toContain('改了');
    const titles = new Set(
      (await a.app.db.read.selectFrom('articles').select('title').execute()).map((row) => row.title),
    );
    expect(acknowledged.filter((title) => !titles.has(title))).toEqual([]);
  } finally {
    for (const node of nodes) await node.close();
    await postgres.end();
  }
});

let storage: TestStorage;
beforeEach(async () => {
  storage = await createStorage('');
});
afterEach(() => storage.remove());

async function killUnderLoad(): Promise<void> {
  await using folder = await temporaryFolder();
  const environment = { ...storage.settings, DATA_DIR: folder.path, LOG_LEVEL: 'silent' };
  await makeSite({ settings: environment });
  const processes = { a: spawnServer(environment), b: spawnServer(environment) };
  try {
    const [a, b] = [clientOf(await processes.a.url), clientOf(await processes.b.url)];
    const author = await a.join(`林间${++joined}`);
    const acknowledged = { a: new Set<string>(), b: new Set<string>() };
    const keepWriting = async (node: 'a' | 'b', client: typeof a, isOver: () => boolean) => {
      while (!isOver()) {
        const { title, answer } = write(client, author);
        if ((await answer).code === 'OK') acknowledged[node].add(title);
      }
    };
    const dying = [1, 2, 3].map(() => keepWriting('a', a, () => false));
    const died = Promise.allSettled(dying);
    const end = new AbortController();
    const living = [1, 2].map(() => keepWriting('b', b, () => end.signal.aborted));
    await expect.poll(() => acknowledged.a.size).toBeGreaterThan(20);
    processes.a.child.kill('SIGKILL');
    tally('nodes killed');
    expect(await once(processes.a.child, 'exit')).toEqual([null, 'SIGKILL']);
    const after = acknowledged.b.size;
    await expect.poll(() => acknowledged.b.size).toBeGreaterThan(after + 10);
    end.abort();
    await Promise.all(living);
    expect((await died).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);

    const found = new Set((await storage.rows('select title from articles')).map(({ title }) => title));
    expect([...acknowledged.a, ...acknowledged.b].filter((title) => !found.has(title))).toEqual([]);
    // The last write on A is visible on B.
    const latest = [...acknowledged.a].at(-1) ?? '';
    const { data } = await b.post('/api/page/searchpage', { keywords: latest, page: 1 });
    expect(JSON.stringify(data)).toContain(latest.replace(/^第 |篇$/g, '').trim());
  } finally {
    for (const { child, ended } of Object.values(processes)) {
      child.kill('SIGKILL');
      await ended;
    }
  }
}

let joined = 0;
test(
  'with A killed under load, nothing acknowledged is lost, and B continues',
  async () => {
    for (let kill = 0; kill < KILLS; kill++) await expect(killUnderLoad()).resolves.toBeUndefined();
  },
  60_000 * KILLS,
);

test('GET /metrics counts notifications between processes', async () => {
  const nodes = await openNodes();
  try {
    await nodes.a.get('/metrics');
    const author = await nodes.b.join('山中');
    await nodes.a.write(author);
    await eventually(async () => {
      const { text } = await nodes.a.get('/metrics');
      expect(text).toContain('moye_notices_current 1\n');
      expect(text).toMatch(/moye_notices_sent_total [1-9]/);
      expect(text).toMatch(/moye_notices_lag_seconds_count [1-9]/);
      expect((await nodes.b.get('/metrics')).text).toMatch(/moye_notices_received_total [1-9]/);
    });
  } finally {
    await nodes.close();
  }
});
