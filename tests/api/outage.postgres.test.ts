import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { TOKEN_SECRET } from '../engine.ts';
import { startPostgres, type TestPostgres } from '../postgres/start.ts';
import { done, openServer, type Answer, type Person, type TestServer } from './server.ts';

/**
 * Responses to readers and authors while PostgreSQL is down, and recovery afterwards without a restart of the
 * server.
 */
let postgres: TestPostgres;
let server: TestServer;
let author: Person;
let article: string;
let admin: Client;

const MAX_RESPONSE_MS = 5_000;
const AWAY = { status: 503, code: 'ERROR', data: '服务暂时不可用，请稍后再试' };

beforeAll(async () => {
  postgres = await startPostgres();
  server = await openServer({ DATABASE_URL: postgres.url, DATABASE_POOL: '4', TOKEN_SECRET });
  author = await server.join('林间');
  article = await server.write(author, { title: '山居秋暝' });
});
afterAll(async () => {
  await server?.close();
  await postgres?.end();
});
afterEach(() => admin?.end());

/** Adds the response time in milliseconds. */
async function timed(request: Promise<Answer>): Promise<Answer & { ms: number }> {
  const started = performance.now();
  return { ...(await request), ms: performance.now() - started };
}

/**
 * One request of each kind: calls that read and write, pages for visitors and for a signed-in reader, health.
 */
const everything = () =>
  Promise.all(
    [
      server.post('/api/page/new', { title: '一', content: '二', tags: ['三'] }, author.token),
      server.post('/api/page/detail', { id: article }),
      server.post('/api/signin', { username: '林间', password: '不是这个密码' }),
      server.get(`/detail/${article}/true`),
      server.get('/tag/list?page=1&x=1'),
      server.send('/user/info/林间', { headers: { cookie: `user=x; token=${author.token}` } }),
      server.send('/user/list', { headers: { cookie: `user=x; token=${author.token}` } }),
      server.send('/lab/cup', { headers: { cookie: `user=x; token=${author.token}` } }),
      server.get('/healthz'),
    ].map(timed),
  );

async function untilWell(): Promise<void> {
  await expect.poll(async () => (await server.get('/healthz')).status).toBe(200);
}

async function asAdmin(): Promise<Client> {
  admin = new Client(postgres.url);
  admin.on('error', () => {});
  await admin.connect();
  return admin;
}

const endSessions = `select pg_terminate_backend(pid) from pg_stat_activity
  where application_name = 'moye' and pid <> pg_backend_pid()`;

test('a stopped server: everything gets 503 at once, and works again once it is back', async () => {
  server.app.pageCache?.invalidate(['site']);
  await postgres.stop();
  for (let round = 0; round < 3; round++) {
    const answers = await everything();
    for (const { status, headers, ms } of answers.slice(0, -2)) {
      expect([status, Number(headers.get('retry-after'))]).toEqual([503, expect.any(Number)]);
      expect(ms).toBeLessThan(MAX_RESPONSE_MS);
    }
    for (const answer of answers.slice(0, 3)) expect(answer).toMatchObject(AWAY);
    for (const page of answers.slice(3, 7)) {
      expect(page.text).toContain('服务暂时不可用');
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(page.headers.get('cache-control')).toBe('no-store');
    }
    // A page without data from storage is shown.
    expect(answers.at(-2)?.status).toBe(200);
    expect(answers.at(-1)).toMatchObject({ status: 503, text: 'storage does not answer\n' });
  }
  await postgres.start();
  await untilWell();
  const { ms: _, ...made } = await timed(server.post('/api/page/detail', { id: article }));
  expect(done(made).title).toBe('山居秋暝');
  expect((await server.get(`/detail/${article}`)).status).toBe(200);
});

test('stopped and started under load: everything acknowledged is stored, once', async () => {
  const acknowledged: string[] = [];
  const statuses = new Set<number>();
  const end = new AbortController();
  const write = async (number: number): Promise<void> => {
    for (let index = 0; !end.signal.aborted; index++) {
      const title = `${number} 号第 ${index} 篇`;
      const answer = await timed(
        server.post('/api/page/new', { title, content: '正文', tags: ['载'] }, author.token),
      );
      statuses.add(answer.status);
      expect(answer.ms).toBeLessThan(MAX_RESPONSE_MS);
      if (answer.code === 'OK') acknowledged.push(title);
    }
  };
  const writing = Array.from({ length: 4 }, (_, number) => write(number));
  await expect.poll(() => acknowledged.length).toBeGreaterThan(10);
  await postgres.stop();
  await expect.poll(() => statuses.has(503)).toBe(true);
  await postgres.start();
  await untilWell();
  const before = acknowledged.length;
  await expect.poll(() => acknowledged.length).toBeGreaterThan(before + 10);
  end.abort();
  await Promise.all(writing);
  expect(statuses).toEqual(new Set([200, 503]));
  const { rows } = await (
    await asAdmin()
  ).query<{ title: string }>("select title from articles where title like '% 号第 %'");
  const titles = rows.map(({ title }) => title);
  expect(new Set(titles).size).toBe(titles.length);
  expect(acknowledged.filter((title) => !titles.includes(title))).toEqual([]);
});

test('sessions terminated under load refuse at most the requests under way', async () => {
  const db = await asAdmin();
  const end = new AbortController();
  const [reads, writes]: [number[], number[]] = [[], []];
  const read = async (): Promise<void> => {
    while (!end.signal.aborted) reads.push((await server.get(`/detail/${article}/true`)).status);
  };
  const write = async (number: number): Promise<void> => {
    for (let index = 0; !end.signal.aborted; index++) {
      const fields = { title: `断 ${number}-${index}`, content: '正文', tags: ['断'] };
      writes.push((await server.post('/api/page/new', fields, author.token)).status);
    }
  };
  const clients = [0, 1, 2].flatMap((number) => [read(), write(number)]);
  const rounds = 10;
  for (let round = 0; round < rounds; round++) {
    await db.query(endSessions);
    const [firstRead, firstWrite] = [reads.length, writes.length];
    await expect.poll(() => reads.includes(200, firstRead) && writes.includes(200, firstWrite)).toBe(true);
  }
  end.abort();
  await Promise.all(clients);
  // A connection that is lost during COMMIT leaves the outcome of a write unknown, and one that is lost in a
  // transaction ends a read: of each termination, only the requests that were under way are refused.
  const refused = [...reads, ...writes].filter((status) => status !== 200);
  expect(refused.filter((status) => status !== 503)).toEqual([]);
  expect(refused.length).toBeLessThanOrEqual(clients.length * rounds);
  const { rows } = await db.query<{ count: string }>(
    "select title, count(*) from articles where title like '断 %' group by title having count(*) > 1",
  );
  expect(rows).toEqual([]);
});

test('a server that silently stalls: 503 in time, and recovery afterwards', async () => {
  const db = await asAdmin();
  // Requests that write or read articles wait for the lock; behind a server that hangs, all requests would
  // wait.
  await db.query('begin; lock table articles, users in access exclusive mode');
  const answers = await everything();
  for (const { status, ms } of answers.slice(0, 5)) {
    expect(status).toBe(503);
    expect(ms).toBeLessThan(MAX_RESPONSE_MS);
  }
  await db.query('rollback');
  await untilWell();
  for (const { status } of (await everything()).slice(3)) expect(status).toBe(200);
});
