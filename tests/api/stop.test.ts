import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TEST_MS, WAIT_MS } from '../limits.ts';
import { startRestartLoad } from '../../bench/restart-load.ts';
import { createStorage, ENGINE, type TestStorage } from '../engine.ts';
import { amount, randomFrom, SEED, tally } from '../trial.ts';
import { clientOf, done, type Person } from './server.ts';
import { makeSite, spawnServer, temporaryFolder } from './spawn.ts';
import { openWire } from './wire.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(async () => {
  for (const storage of storages.values()) await storage.remove();
  await folder?.[Symbol.asyncDispose]();
});

const storages = new Map<string, TestStorage>();

async function start(name: string, environment: Record<string, string> = {}) {
  const dataDir = join(folder.path, name);
  await mkdir(dataDir, { recursive: true });
  let storage = storages.get(name);
  if (!storage) {
    storage = await createStorage(dataDir);
    storages.set(name, storage);
    await makeSite(storage);
  }
  const server = spawnServer({ ...storage.settings, LOG_LEVEL: 'warn', ...environment });
  const url = await server.url;
  return { ...server, url, client: clientOf(url), storage };
}

/**
 * Sends articles and comments concurrently; resolves to the acknowledged ones. Calls `onAnswer` with the
 * number of answers so far, including refusals.
 */
async function writeAll(
  client: ReturnType<typeof clientOf>,
  person: Person,
  { page_id, count, onAnswer }: { page_id: string; count: number; onAnswer?: (answered: number) => void },
) {
  const acknowledged: { articles: string[]; comments: string[] } = { articles: [], comments: [] };
  let answered = 0;
  const send = async (index: number) => {
    const kind = ['normal', 'draft', 'secret'][index % 3] as string;
    const fields = { title: `第 ${index} 篇`, content: '正文', tags: ['甲', `签${index % 7}`] };
    const state = { status: kind === 'draft' ? 'draft' : 'normal', secret: String(kind === 'secret') };
    if (index % 2) acknowledged.comments.push((await client.comment(person, page_id))._id as string);
    else acknowledged.articles.push(await client.write(person, { ...fields, ...state }));
  };
  const writes = Array.from({ length: count }, (_, index) =>
    send(index).finally(() => onAnswer?.(++answered)),
  );
  const results = await Promise.allSettled(writes);
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []));
  return { acknowledged, failures };
}

/** Stored counters of a database, and the values they should have. */
async function numbersOf({ rows }: TestStorage): Promise<{ kept: unknown; counted: unknown }> {
  const all = (queries: string[]) => Promise.all(queries.map(rows));
  return {
    kept: await all([
      'select id, page_num, secret_num, draft_num from users order by id',
      'select id, page_num from tags order by id',
      'select name, value from counters order by name',
    ]),
    counted: await all([
      `select id, (select count(*) from articles where author_id = users.id and is_public = 1) as page_num,
         (select count(*) from articles where author_id = users.id and status = 'normal' and is_public = 0) as secret_num,
         (select count(*) from articles where author_id = users.id and status = 'draft') as draft_num from users order by id`,
      `select id, (select count(*) from article_tags where tag_id = tags.id and is_public = 1) as page_num from tags order by id`,
      `select 'listed_tags' as name, count(*) as value from tags where is_listed = 1
         union all select 'public_articles', count(*) from articles where is_public = 1
         union all select 'users', count(*) from users order by 1`,
    ]),
  };
}

/** Results of the engine's integrity checks; empty when the database is sound. */
async function damageOf({ rows }: TestStorage): Promise<unknown[]> {
  if (ENGINE === 'postgres') return [];
  const integrity = await rows('pragma integrity_check');
  const foreign = await rows('pragma foreign_key_check');
  return [...integrity.filter((row) => row['integrity_check'] !== 'ok'), ...foreign];
}

async function examine(storage: TestStorage) {
  const idsOf = async (table: string) =>
    new Set((await storage.rows(`select id from ${table}`)).map((row) => row['id'] as string));
  return {
    damage: await damageOf(storage),
    articles: await idsOf('articles'),
    comments: await idsOf('comments'),
    numbers: await numbersOf(storage),
  };
}

const KILLS = amount('TRUST_KILLS', 1, 8);
/** Restarts under load. */
const RESTARTS = amount('TEST_RESTARTS', 1, 5);

/** Kills `server` during 200 writes, after `answers` responses; returns the server that replaces it. */
async function killAfter(server: Awaited<ReturnType<typeof start>>, answers: number, username: string) {
  const person = await server.client.join(username);
  const page_id = await server.client.write(person);
  const onAnswer = (answered: number) => answered === answers && server.child.kill('SIGKILL');
  const writing = writeAll(server.client, person, { page_id, count: 200, onAnswer });
  const { acknowledged, failures } = await writing;
  expect((await server.ended).signal).toBe('SIGKILL');
  tally('servers killed while writing');
  expect(failures.length).toBeGreaterThan(0);
  expect(acknowledged.articles.length + acknowledged.comments.length).toBeGreaterThan(0);

  const again = await start('killed');
  const found = await examine(server.storage);
  expect(found.damage).toEqual([]);
  expect(acknowledged.articles.filter((id) => !found.articles.has(id))).toEqual([]);
  expect(acknowledged.comments.filter((id) => !found.comments.has(id))).toEqual([]);
  expect(found.numbers.kept).toEqual(found.numbers.counted);
  for (const id of acknowledged.articles.slice(0, 5)) {
    expect(done(await again.client.post('/api/page/editdetail', { id }, person.token))._id).toBe(id);
  }
  return again;
}

describe('kill -9 in the middle of 200 writes', () => {
  const options = { tags: ['long'], timeout: TEST_MS + 40_000 * KILLS };
  test('loses nothing that was acknowledged, and the server starts again', options, async () => {
    const random = randomFrom(SEED);
    let server = await start('killed');
    for (let kill = 0; kill < KILLS; kill++)
      server = await killAfter(server, 8 + Math.floor(random() * 60), `写手${kill}`);
    server.child.kill('SIGTERM');
    expect((await server.ended).code).toBe(0);
  });
});

describe('SIGTERM', () => {
  test('lets requests in progress finish, and nothing acknowledged is lost', { tags: ['once'] }, async () => {
    const server = await start('stopped');
    const person = await server.client.join('写手');
    const page_id = await server.client.write(person);
    const writing = writeAll(server.client, person, { page_id, count: 60 });
    await expect
      .poll(() => server.storage.count('select count(*) from articles'), { timeout: WAIT_MS, interval: 20 })
      .toBeGreaterThan(5);
    server.child.kill('SIGTERM');
    const { acknowledged, failures } = await writing;
    expect(await server.ended).toMatchObject({ code: 0, signal: null, stderr: '' });
    // Each request was either answered or never accepted, because the server no longer listened.
    for (const failure of failures) expect(failure).toMatch(/fetch failed/);
    const found = await examine(server.storage);
    expect(acknowledged.articles.filter((id) => !found.articles.has(id))).toEqual([]);
    expect(acknowledged.comments.filter((id) => !found.comments.has(id))).toEqual([]);
    const written = acknowledged.articles.length + acknowledged.comments.length;
    expect(written + failures.length).toBe(60);
    expect(found.numbers.kept).toEqual(found.numbers.counted);
  });

  test('a request whose body is still arriving is answered', { tags: ['once'] }, async () => {
    const server = await start('arriving');
    const person = await server.client.join('写手');
    const body = new URLSearchParams({ title: '慢', content: '慢慢写来', tags: '慢' }).toString();
    const wire = await openWire(server.url);
    const head = ['POST /api/page/new HTTP/1.1', 'Host: a', `Authorization: Beare ${person.token}`];
    head.push(
      'Content-Type: application/x-www-form-urlencoded',
      `Content-Length: ${body.length}`,
      '',
      body.slice(0, 10),
    );
    wire.socket.write(head.join('\r\n'));
    await server.client.post('/api/tag/alltags');
    server.child.kill('SIGTERM');
    // The server has stopped listening once a new connection is refused.
    await expect
      .poll(() =>
        openWire(server.url).then(
          ({ socket }) => socket.destroy() && false,
          () => true,
        ),
      )
      .toBe(true);
    wire.socket.write(body.slice(10));
    await expect.poll(wire.received).toContain('"code":"OK"');
    expect(await server.ended).toMatchObject({ code: 0, signal: null, stderr: '' });
    expect(await server.storage.count('select count(*) from articles')).toBeGreaterThan(0);
  });

  test('idle connections do not delay it', async () => {
    const server = await start('idle');
    const wires = await Promise.all(Array.from({ length: 5 }, () => openWire(server.url)));
    for (const { socket } of wires) socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
    for (const wire of wires) await expect.poll(wire.received).toContain('ok');
    server.child.kill('SIGTERM');
    expect(await server.ended).toMatchObject({ code: 0, signal: null });
    await Promise.all(wires.map(({ closed }) => closed));
  });

  test(
    'reports stopping in the health check, and keeps serving for a moment',
    { tags: ['once'] },
    async () => {
      const server = await start('unhealthy');
      server.child.kill('SIGTERM');
      await expect.poll(async () => (await server.client.send('/healthz')).status, { interval: 5 }).toBe(503);
      const page = await server.client.send('/home');
      expect([page.status, page.headers.get('connection')]).toEqual([200, 'close']);
      expect(await server.ended).toMatchObject({ code: 0, signal: null, stderr: '' });
    },
  );

  test(
    'loses no request that was sent before it, under a load of 60 connections',
    { tags: ['once'] },
    async () => {
      for (let restart = 0; restart < RESTARTS; restart++) {
        const server = await start('loaded');
        const load = startRestartLoad(server.url, 60);
        await expect.poll(load.answered, { interval: 5 }).toBeGreaterThan(60);
        load.signalled();
        server.child.kill('SIGTERM');
        expect(await load.ended).toMatchObject({ lost: 0 });
        expect(await server.ended).toMatchObject({ code: 0, signal: null, stderr: '' });
      }
    },
  );

  test('SIGINT stops it too, and a second signal changes nothing', { tags: ['once'] }, async () => {
    const server = await start('twice');
    server.child.kill('SIGINT');
    server.child.kill('SIGTERM');
    expect(await server.ended).toMatchObject({ code: 0, signal: null });
  });
});

test('an unhandled rejection ends the process and prints the error', async () => {
  const reject = "process.on('SIGUSR2', () => void Promise.reject(new Error('nobody handles this')))";
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(reject)}`;
  const server = await start('crash', { NODE_OPTIONS, LOG_LEVEL: 'info' });
  // By now Astro's adapter is loaded, which also listens for rejections.
  expect((await server.client.send('/lab/cup')).status).toBe(200);
  server.child.kill('SIGUSR2');
  const { code, stdout, stderr } = await server.ended;
  expect(code).not.toBe(0);
  expect(stderr).toContain('nobody handles this');
  // Earlier log lines must not be lost.
  expect(stdout).toContain('"url":"/lab/cup"');
});
