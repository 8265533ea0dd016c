import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startPostgres } from '../../tests/postgres/start.ts';
import { createPasswords } from '../../src/lib/server/auth/passwords.ts';
import { rebuildIfNeeded } from '../../src/lib/server/search/rebuild.ts';
import { keepOffServers, letLoose } from '../processes.ts';
import { openDatabase, writeAtLeisure } from './database.ts';
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

/** Seconds and articles of each step so far, which several runs may have shared. */
type Steps = Record<string, { seconds: number; articles: number }>;
type Report = (step: string, count: number) => void;

/** A generated site; `env` are the settings with which a server opens it. */
export interface Site {
  folder: string;
  env: Record<string, string>;
  steps: Steps;
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

/**
 * Opens a generated site; generates it when missing, and migrates it. Returns null if `isOver` before it is
 * complete.
 */
export async function openSite(options: SiteOptions): Promise<Site | null> {
  const { engine, articles, data, isOver = () => false } = options;
  const folder = join(data, `${engine}-${articles}`);
  // Next to the folder, which servers make private, because PostgreSQL may run as another user.
  const database = `${folder}-database`;
  const stampFile = join(folder, 'stamp');
  const stamp = [SITE_VERSION, SEED].join('.');
  if (!existsSync(stampFile) || readFileSync(stampFile, 'utf8') !== stamp) {
    for (const old of [folder, database]) rmSync(old, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(stampFile, stamp);
  }
  letLoose();
  const postgres = engine === 'postgres' ? await startPostgres(POSTGRES_SETTINGS, database) : undefined;
  const site: Site = {
    folder,
    env: { DATA_DIR: folder, ...(postgres && { DATABASE_URL: postgres.url }) },
    steps: {},
    close: async () => postgres?.end(),
  };
  try {
    const isComplete = await generate(site, options, isOver);
    site.steps = readSteps(folder);
    if (isComplete) return site;
  } catch (error) {
    await site.close();
    throw error;
  } finally {
    keepOffServers();
  }
  await site.close();
  return null;
}

async function generate(
  { folder, env }: Site,
  options: SiteOptions,
  isOver: () => boolean,
): Promise<boolean> {
  const report = reporter(folder, options);
  // Creates the tables, or migrates them.
  await (await openDatabase(env)).close();
  const loaded = join(folder, 'loaded');
  if (!existsSync(loaded)) {
    const kept = join(folder, 'deferred.json');
    const url = env['DATABASE_URL'];
    const loader = url
      ? await openPostgresLoader(url, kept)
      : openSqliteLoader(join(folder, 'moye.sqlite'), kept);
    try {
      if (!(await loadAll(loader, options, isOver, report))) return false;
    } finally {
      await loader.close();
    }
    writeFileSync(loaded, '');
  }
  const db = await openDatabase(env);
  try {
    const counted = join(folder, 'counted');
    if (!existsSync(counted)) {
      await writeAtLeisure(env, db, (write) => settleCounters(db, write));
      writeFileSync(counted, '');
      report('counters', 0);
    }
    let isIndexed = true;
    const indexed = await rebuildIfNeeded(db, () => (isIndexed = !isOver()));
    if (indexed > 0) report('search index', indexed);
    return isIndexed;
  } finally {
    await db.close();
  }
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

/** Prints the duration of each step, and its rate; adds them to the site's file of steps. */
function reporter(folder: string, { engine, articles }: SiteOptions): Report {
  let since = performance.now();
  return (step, count) => {
    const seconds = (performance.now() - since) / 1000;
    since = performance.now();
    const steps = readSteps(folder);
    const known = steps[step] ?? { seconds: 0, articles: 0 };
    steps[step] = { seconds: known.seconds + seconds, articles: known.articles + count };
    writeFileSync(join(folder, STEPS_FILE), JSON.stringify(steps));
    if (seconds < MIN_REPORTED_SECONDS) return;
    const rate = count > 0 ? `, ${count} articles, ${Math.round(count / seconds)} per second` : '';
    process.stderr.write(`${engine} ${articles}: ${step} ${seconds.toFixed(1)} s${rate}\n`);
  };
}

const STEPS_FILE = 'steps.json';

function readSteps(folder: string): Steps {
  const file = join(folder, STEPS_FILE);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Steps) : {};
}
