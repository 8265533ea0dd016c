import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startPostgres } from '../../tests/postgres/start.ts';
import { createPasswords } from '../../src/lib/server/auth/passwords.ts';
import { NEWEST_VERSION } from '../../src/lib/server/db/migrate.ts';
import { openPostgres } from '../../src/lib/server/db/postgres/postgres.ts';
import { openSqlite } from '../../src/lib/server/db/sqlite/sqlite.ts';
import { rebuildIfNeeded } from '../../src/lib/server/search/rebuild.ts';
import { INDEX_VERSION } from '../../src/lib/server/search/text/tokens.ts';
import { loadArticles, settleCounters, type SitePlan } from './fill.ts';
import type { Loader } from './loader.ts';
import { PASSWORD } from './people.ts';
import { openPostgresLoader } from './postgres-loader.ts';
import { openSqliteLoader } from './sqlite-loader.ts';
import { readStock } from './stock.ts';

export type Engine = 'sqlite' | 'postgres';

/** Increment when the generator changes its result; stored databases are then generated again. */
const SITE_VERSION = 1;
const SEED = 20_260_101;
const UNTIL = Date.UTC(2026, 10, 1);
const POSTGRES_SETTINGS = ['max_wal_size=4GB', 'checkpoint_timeout=30min', 'shared_buffers=256MB'];

const MIN_REPORTED_SECONDS = 0.5;
const SILENT = { info: () => {}, warn: () => {} };

type Report = (step: string, count: number) => void;

/** A generated site; `env` are the settings with which a server opens it. */
export interface Site {
  folder: string;
  env: Record<string, string>;
  /** Stops the site's database server, if it has one. */
  close(): Promise<void>;
}

export interface SiteOptions {
  engine: Engine;
  articles: number;
  data: string;
  corpus: string;
  /** Whether to pause; the next call continues. */
  isOver?: () => boolean;
}

/** Opens a generated site; generates it when missing. Returns null if `isOver` before it is complete. */
export async function openSite(options: SiteOptions): Promise<Site | null> {
  const { engine, articles, data, isOver = () => false } = options;
  const folder = join(data, `${engine}-${articles}`);
  const stampFile = join(folder, 'stamp');
  const stamp = [SITE_VERSION, NEWEST_VERSION, INDEX_VERSION, SEED].join('.');
  if (!existsSync(stampFile) || readFileSync(stampFile, 'utf8') !== stamp) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(stampFile, stamp);
  }
  const postgres =
    engine === 'postgres' ? await startPostgres(POSTGRES_SETTINGS, join(folder, 'postgres')) : undefined;
  const site: Site = {
    folder,
    env: { DATA_DIR: folder, ...(postgres && { DATABASE_URL: postgres.url }) },
    close: async () => postgres?.end(),
  };
  const isComplete = existsSync(join(folder, 'complete')) || (await generate(site, options, isOver));
  if (isComplete) return site;
  await site.close();
  return null;
}

async function generate(
  { folder, env }: Site,
  options: SiteOptions,
  isOver: () => boolean,
): Promise<boolean> {
  const report = reporter(options);
  const file = join(folder, 'moye.sqlite');
  const url = env['DATABASE_URL'];
  const open = () => (url ? openPostgres(url, { connections: 2, log: SILENT }) : openSqlite(file));
  // Creates the tables.
  await (await open()).close();
  const kept = join(folder, 'deferred.json');
  const loader = url ? await openPostgresLoader(url, kept) : openSqliteLoader(file, kept);
  try {
    if (!(await loadAll(loader, options, isOver, report))) return false;
  } finally {
    await loader.close();
  }
  const db = await open();
  try {
    if (!existsSync(join(folder, 'counted'))) {
      await settleCounters(db);
      writeFileSync(join(folder, 'counted'), '');
      report('counters', 0);
    }
    let isIndexed = true;
    const indexed = await rebuildIfNeeded(db, () => (isIndexed = !isOver()));
    report('search index', indexed);
    if (!isIndexed) return false;
  } finally {
    await db.close();
  }
  writeFileSync(join(folder, 'complete'), '');
  return true;
}

async function loadAll(
  loader: Loader,
  { articles, data, corpus }: SiteOptions,
  isOver: () => boolean,
  report: Report,
): Promise<boolean> {
  const plan: SitePlan = { articles, seed: SEED, until: UNTIL };
  const pieces = await readStock(join(data, 'stock.json'), corpus);
  const passwordHash = await createPasswords().hash(PASSWORD);
  const before = await loader.count();
  report('preparation', 0);
  const isLoaded = await loadArticles(loader, plan, { pieces, passwordHash }, isOver);
  report('articles', (await loader.count()) - before);
  if (!isLoaded) return false;
  for (const { name, run } of await loader.steps()) {
    if (isOver()) return false;
    await run();
    report(name, 0);
  }
  return true;
}

/** Prints the duration of each step, and its rate. */
function reporter({ engine, articles }: SiteOptions): Report {
  let since = performance.now();
  return (step, count) => {
    const seconds = (performance.now() - since) / 1000;
    since = performance.now();
    if (seconds < MIN_REPORTED_SECONDS) return;
    const rate = count > 0 ? `, ${count} articles, ${Math.round(count / seconds)} per second` : '';
    process.stderr.write(`${engine} ${articles}: ${step} ${seconds.toFixed(1)} s${rate}\n`);
  };
}
