import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '../tests/postgres/start.ts';
import { articleIds, ask, signIn } from './client.ts';
import { race, type Load } from './load.ts';
import { hasNginx, serveProxy } from './nginx.ts';
import { COMMENT_PATH, commentLoad, commentsTogether, marksWhileSaving } from './node-writes.ts';
import { keepOffServers, letLoose, output, serveProduct, stopAll, type Served } from './processes.ts';
import { author, AUTHORS, seeded } from './seed.ts';
import { figureOf, quantile, type Row } from './stats.ts';

const CLI = fileURLToPath(new URL('../src/lib/cli/moye.ts', import.meta.url));
const TOKEN_SECRET = 'a secret that both nodes of a benchmark know';
const ROUNDS = 5;
/** Fewer connections than pages that may wait for one address: requests of the last round may still wait. */
const LOAD = { connections: 16, seconds: 4 };
const WRITES = 5_000;
/** Maximum delay until B must show a write that A has acknowledged. */
const MAX_DELAY_MS = 250;
const POLL_INTERVAL_MS = 5;
const TIMEOUT_MS = 10_000;

/**
 * Section `nodes`: two nodes on one PostgreSQL with durable commits. Measures comments committed together
 * and one by one, calls that do not wait for saves, requests per second behind nginx with both nodes and with
 * one, and how soon B shows random writes on A. All processes share the machine's cores.
 */
export async function benchNodes(data: string, corpus: string): Promise<Row[]> {
  const seed = await seeded('few', data, corpus);
  // A database from an earlier run may have an older schema; a start migrates it.
  await (await serveProduct(seed)).stop();
  const folder = join(data, 'nodes');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  letLoose();
  const postgres = await startPostgres(['fsync=on', 'full_page_writes=on']);
  keepOffServers();
  const running: Served[] = [];
  const start = async (serving: Promise<Served>): Promise<Served> => {
    const served = await serving;
    running.push(served);
    return served;
  };
  try {
    await output('server', [
      process.execPath,
      CLI,
      'move',
      '--from',
      `sqlite:${join(seed, 'moye.sqlite')}`,
      '--to',
      postgres.url,
    ]);
    const env = { DATABASE_URL: postgres.url, TOKEN_SECRET };
    const a = await start(serveProduct(folder, env, '/healthz', 'any'));
    const single = await start(serveProduct(folder, { ...env, WRITES_PER_COMMIT: '1' }, '/healthz', 'any'));
    const rows = [...(await commentsTogether(a, single, ROUNDS)), ...(await marksWhileSaving(a))];
    await single.stop();
    const b = await start(serveProduct(folder, env, '/healthz', 'any'));
    rows.push(...(await writesSeen(a, b)));
    if (!hasNginx) return rows;
    const one = await start(serveProxy(join(folder, 'one'), [a]));
    const two = await start(serveProxy(join(folder, 'two'), [a, b]));
    return [...(await bothAgainstOne(one, two)), ...rows];
  } finally {
    await stopAll(running);
    await postgres.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function bothAgainstOne(one: Served, two: Served): Promise<Row[]> {
  const [id = ''] = await articleIds(one);
  const page = { path: `/detail/${id}/true`, load: LOAD };
  const comment = { path: COMMENT_PATH, load: { ...LOAD, ...(await commentLoad(one)) } };
  const against = (
    { path, load }: { path: string; load: Omit<Load, 'url'> },
    what: string,
    goal?: Row['goal'],
  ) =>
    race(
      { ...load, url: two.url + path },
      [
        {
          ...load,
          url: one.url + path,
          what: `${what}, 2 nodes / 1 node`,
          ...(goal && { goal }),
          note: 'nodes, PostgreSQL, nginx and the load generator share two cores',
        },
      ],
      ROUNDS,
    );
  return [
    ...(await against(page, 'uncached article pages per second')),
    ...(await against(comment, 'comments acknowledged per second', { atLeast: 1 })),
  ];
}

interface Written {
  path: string;
  mark: string;
}

/** Makes random writes on A and waits for each on B; writers do not share pages. */
async function writesSeen(a: Served, b: Served): Promise<Row[]> {
  const lags: number[] = [];
  const late = { reads: 0, stale: 0 };
  let left = WRITES;
  const work = async (index: number): Promise<void> => {
    const write = await writerOn(a, index);
    while (left-- > 0) {
      const { path, mark } = await write();
      const acknowledged = performance.now();
      const shows = async () => {
        const isLate = performance.now() - acknowledged >= MAX_DELAY_MS;
        const isShown = (await pageOf(b, path)).includes(mark);
        if (isLate) late.reads++;
        if (isLate && !isShown) late.stale++;
        return isShown;
      };
      while (!(await shows())) {
        if (performance.now() - acknowledged > TIMEOUT_MS) throw new Error(`${path} never shows ${mark}`);
        await delay(POLL_INTERVAL_MS);
      }
      lags.push(performance.now() - acknowledged);
      await delay(Math.max(0, Math.ceil(MAX_DELAY_MS - (performance.now() - acknowledged)) + 1));
      await shows();
    }
  };
  await Promise.all(Array.from({ length: AUTHORS }, (_, index) => work(index)));
  const shares: [name: string, share: number][] = [
    ['p50', 0.5],
    ['p99', 0.99],
  ];
  return [
    {
      what: `stale reads on B that begin ${MAX_DELAY_MS} ms or more after A's acknowledgement`,
      ratio: late.stale,
      spread: [late.stale, late.stale],
      goal: { atMost: 0 },
      unit: 'reads',
      note: `of ${late.reads}, after ${WRITES} random edits, comments and new bios`,
    },
    ...shares.map(([name, share]) => ({
      what: `write acknowledged by A → page that shows it sent by B, ${name}`,
      ...figureOf(lags),
      ratio: quantile(lags, share),
      unit: 'ms',
      note: `polled every ${POLL_INTERVAL_MS} ms by ${AUTHORS} clients; response time included`,
    })),
  ];
}

/**
 * Returns a function with which one author writes on A. Each write is of a random kind and contains a unique
 * mark.
 */
async function writerOn(a: Served, index: number): Promise<() => Promise<Written>> {
  const { username, password } = author(index);
  const token = await signIn(a, username, password);
  const fields = { content: '一段正文。', status: 'normal', secret: 'false', 'tags[0]': '标签1' };
  const { id } = await ask<{ id: string }>(
    a,
    '/api/page/new',
    { ...fields, title: `第 ${index} 人的` },
    token,
  );
  const [article, profile] = [`/detail/${id}`, `/user/info/${encodeURIComponent(username)}`];
  let count = 0;
  return async () => {
    const mark = `【${index}之${++count}】`;
    const kinds = [
      async () => {
        await ask(a, '/api/page/edit', { id, ...fields, title: `题${mark}` }, token);
        return Math.random() < 0.5 ? article : profile;
      },
      async () => {
        await ask(a, '/api/comment/create', { page_id: id, content: `评${mark}` }, token);
        return article;
      },
      async () => {
        await ask(a, '/api/user/updatebio', { bio: `我${mark}` }, token);
        return profile;
      },
    ];
    const path = await kinds[Math.floor(Math.random() * kinds.length)]?.();
    return { path: path ?? article, mark };
  };
}

async function pageOf(server: Served, path: string): Promise<string> {
  const response = await fetch(server.url + path);
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return response.text();
}
