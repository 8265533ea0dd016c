import { Client } from 'pg';
import { describe, expect, test } from 'vitest';
import { TEST_MS } from '../limits.ts';
import { TOKEN_SECRET } from '../engine.ts';
import { openProxy } from '../postgres/proxy.ts';
import { startPostgres } from '../postgres/start.ts';
import { amount, tally } from '../trial.ts';
import { done, openServer, type Answer } from './server.ts';

const ROUNDS = amount('TRUST_FAILOVERS', 1, 3);
const WRITERS = 4;
/** Connections of clients to a server, without the one that asks. */
const SESSIONS = `select pid from pg_stat_activity
  where backend_type = 'client backend' and pid <> pg_backend_pid()`;

async function ask(url: string, ...statements: string[]): Promise<Record<string, unknown>[]> {
  const client = new Client(url);
  await client.connect();
  try {
    let rows: Record<string, unknown>[] = [];
    for (const statement of statements) ({ rows } = await client.query(statement));
    return rows;
  } finally {
    await client.end();
  }
}

/**
 * Kills the primary under load and promotes its synchronous standby; the server's configuration stays the
 * same. `isReachedFirst`: connections reach the standby while it still refuses writes (25006).
 */
async function failOver(isReachedFirst: boolean): Promise<void> {
  const postgres = await startPostgres();
  await using proxy = await openProxy();
  const settings = { DATABASE_URL: proxy.through(postgres.url), DATABASE_POOL: '4', TOKEN_SECRET };
  const server = await openServer(settings);
  try {
    const standby = await postgres.follow();
    await ask(
      postgres.url,
      "alter system set synchronous_standby_names = 'standby'",
      'select pg_reload_conf()',
    );
    const state = 'select sync_state from pg_stat_replication';
    await expect.poll(() => ask(postgres.url, state)).toEqual([{ sync_state: 'sync' }]);
    const author = await server.join('林间');
    const acknowledged: string[] = [];
    const refused: Answer[] = [];
    const end = new AbortController();
    const write = async (number: number): Promise<void> => {
      for (let index = 0; !end.signal.aborted; index++) {
        const title = `${number} 号第 ${index} 篇`;
        const fields = { title, content: '正文', tags: ['载'] };
        const answer = await server.post('/api/page/new', fields, author.token);
        if (answer.code === 'OK') acknowledged.push(title);
        else refused.push(answer);
      }
    };
    const writing = Array.from({ length: WRITERS }, (_, number) => write(number));
    await expect.poll(() => acknowledged.length).toBeGreaterThan(20);
    await postgres.kill();
    await expect.poll(() => refused.length).toBeGreaterThan(0);
    const before = acknowledged.length;
    if (isReachedFirst) {
      proxy.switchTo(standby);
      await expect.poll(() => ask(standby, SESSIONS)).not.toEqual([]);
      const soFar = refused.length;
      await expect.poll(() => refused.length).toBeGreaterThan(soFar);
    }
    await ask(standby, 'select pg_promote()');
    if (!isReachedFirst) proxy.switchTo(standby);
    await expect.poll(() => acknowledged.length).toBeGreaterThan(before + 20);
    end.abort();
    await Promise.all(writing);

    const away = { status: 503, code: 'ERROR', error: 'UNAVAILABLE' };
    for (const answer of refused) expect(answer).toMatchObject(away);
    for (const { headers } of refused) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    const rows = await ask(standby, "select title from articles where title like '% 号第 %'");
    const titles = rows.map((row) => row['title']);
    expect(acknowledged.filter((title) => !titles.includes(title))).toEqual([]);
    expect(new Set(titles).size).toBe(titles.length);
    expect((await server.get('/healthz')).status).toBe(200);
    const found = done(await server.post('/api/page/pagelist', { pageSize: 1 }));
    expect(found.total).toBe(titles.length);
  } finally {
    await server.close();
    await postgres.end();
  }
}

describe.each([
  ['after its promotion', false, []],
  ['before its promotion', true, ['long']],
] as const)('connections reach the standby %s', (_, isReachedFirst, tags) => {
  test(
    'failover under load loses nothing acknowledged, with 503 meanwhile',
    { tags: [...tags], timeout: TEST_MS + 60_000 * ROUNDS },
    async () => {
      for (let round = 0; round < ROUNDS; round++) {
        await expect(failOver(isReachedFirst)).resolves.toBeUndefined();
        tally('failovers to a standby');
      }
    },
  );
});
