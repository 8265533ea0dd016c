import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { startPostgres } from '../tests/postgres/start.ts';
import { memorySettings } from '../tools/project.mjs';
import { measure, RUN } from './measure.ts';
import { keepOffServers, letLoose, memoryOf, serveProduct } from './processes.ts';
import { asLine } from './report.ts';
import { openSite, type Engine, type Site } from './site/site.ts';
import { figureOf, type Row } from './stats.ts';

const REINDEX = fileURLToPath(new URL('./bare/reindex.ts', import.meta.url));
const TOKEN_SECRET = 'operations-operations-operations';
const MAX_PEAK_MB = 300;
const IDLE_MS = 5_000;
const ENGINES: readonly Engine[] = ['sqlite', 'postgres'];

interface Options {
  articles: number;
  minutes: number;
}

interface Subject {
  engine: Engine;
  site: Site;
  articles: number;
  /** Folder for what the commands write. */
  work: string;
}

/**
 * Section `operations`: backup, restore, move, doctor and a new search index of a generated site, as articles
 * per second and peak memory of the command; start and idle memory of its server compared with an empty
 * site's. The part is an engine.
 */
export async function benchOperations(
  data: string,
  corpus: string,
  part: string | undefined,
  { articles, minutes }: Options,
): Promise<Row[]> {
  const end = performance.now() + minutes * 60_000;
  const work = join(data, 'operations');
  const rows: Row[] = [];
  for (const engine of ENGINES.filter((name) => part === undefined || name === part)) {
    const isOver = () => performance.now() > end;
    const site = await openSite({ engine, articles, data, corpus, isOver });
    if (!site) {
      process.stderr.write(`${engine}: not complete yet, run again to continue\n`);
      continue;
    }
    rmSync(work, { recursive: true, force: true });
    mkdirSync(work, { recursive: true });
    try {
      const subject = { engine, site, articles, work };
      rows.push(...(await serverRows(subject)), ...(await commandRows(subject)));
    } finally {
      await site.close();
      rmSync(work, { recursive: true, force: true });
    }
  }
  return rows;
}

async function commandRows({ engine, site, articles, work }: Subject): Promise<Row[]> {
  const rows: Row[] = [];
  const env = { ...site.env, TOKEN_SECRET };
  const run = async (name: string, command: readonly string[], more: Record<string, string> = {}) => {
    const { code, peakMb, seconds, output } = await measure(command, { ...env, ...more });
    if (code !== 0) throw new Error(`${engine}: ${name} ended with ${code}: ${output}`);
    const what = `${engine}: ${name} of ${articles.toLocaleString('en')} articles`;
    const found: Row[] = [
      {
        what: `${what}: peak memory`,
        ...figureOf([peakMb]),
        unit: 'MB',
        goal: { atMost: MAX_PEAK_MB },
      },
      {
        what: `${what}: articles per second`,
        ...figureOf([articles / seconds]),
        note: `${seconds.toFixed(1)} s`,
      },
    ];
    process.stderr.write(`${found.map(asLine).join('\n')}\n`);
    rows.push(...found);
  };
  const moye = (...words: string[]) => [RUN, 'moye', ...words];
  const archive = join(work, 'site.tar.zst');
  letLoose();
  try {
    await run('backup', moye('backup', archive));
    const restored = await newDatabase(site, join(work, 'restored'));
    await run('restore', moye('restore', archive), restored.env);
    await restored.drop();
    rmSync(archive);
    if (engine === 'sqlite') await moveInto((to) => run('move to PostgreSQL', moye('move', ...to)), site);
    await run('doctor', moye('doctor'));
    await run('new search index', [REINDEX], memorySettings());
    return rows;
  } finally {
    keepOffServers();
  }
}

async function moveInto(move: (options: string[]) => Promise<void>, { folder }: Site): Promise<void> {
  const postgres = await startPostgres(['max_wal_size=4GB', 'checkpoint_timeout=30min']);
  try {
    await move(['--from', `sqlite:${join(folder, 'moye.sqlite')}`, '--to', postgres.url]);
  } finally {
    await postgres.end();
  }
}

/** Settings of an empty site on the engine of `site`. */
async function newDatabase({ env }: Site, folder: string) {
  mkdirSync(folder, { recursive: true });
  const url = env['DATABASE_URL'];
  const query = async (text: string) => {
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query(text);
    await client.end();
  };
  const name = 'beside';
  if (url) await query(`drop database if exists ${name}`);
  if (url) await query(`create database ${name}`);
  const place = url && new URL(url);
  if (place) place.pathname = `/${name}`;
  return {
    env: { DATA_DIR: folder, ...(place && { DATABASE_URL: place.href }) },
    async drop() {
      rmSync(folder, { recursive: true });
      if (url) await query(`drop database ${name}`);
    },
  };
}

async function serverRows({ engine, site, articles, work }: Subject): Promise<Row[]> {
  const empty = await newDatabase(site, join(work, 'empty'));
  const many = await idle(site.env);
  const none = await idle(empty.env);
  await empty.drop();
  const count = articles.toLocaleString('en');
  return [
    {
      what: `${engine}: process start → healthy, ${count} articles`,
      ...figureOf([many.seconds]),
      unit: 's',
      goal: { atMost: 1 },
      note: `empty: ${none.seconds.toFixed(2)} s`,
    },
    {
      what: `${engine}: memory of an idle server at ${count} articles / of an empty site`,
      ...figureOf([many.megabytes / none.megabytes]),
      goal: { atMost: 1.2 },
      note: `${Math.round(many.megabytes)} MB`,
    },
  ];
}

async function idle(env: Record<string, string>): Promise<{ seconds: number; megabytes: number }> {
  const serve = () => serveProduct(env['DATA_DIR'] ?? '', { ...env, TOKEN_SECRET });
  // The first start fills the system's file cache and migrates.
  await (await serve()).stop();
  const started = performance.now();
  const server = await serve();
  const seconds = (performance.now() - started) / 1000;
  await delay(IDLE_MS);
  const megabytes = memoryOf(server);
  await server.stop();
  return { seconds, megabytes };
}
