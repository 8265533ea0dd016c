import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { clean } from '../tests/clean-texts.ts';
import { startPostgres } from '../tests/postgres/start.ts';
import { EMPTY_HEAD } from '../src/lib/server/articles/core/authored-queries.ts';
import type { Database } from '../src/lib/server/db/database.ts';
import { openPostgres } from '../src/lib/server/db/postgres/postgres.ts';
import { openSqlite } from '../src/lib/server/db/sqlite/sqlite.ts';
import { createPostgresSearch } from '../src/lib/server/search/postgres/postgres-search.ts';
import { forgetIndex, rebuildIfNeeded } from '../src/lib/server/search/rebuild.ts';
import type { SearchIndex } from '../src/lib/server/search/search.ts';
import { createSqliteSearch } from '../src/lib/server/search/sqlite/sqlite-search.ts';
import { MINUTE_MS, SECOND_MS } from '../src/lib/contract/rules/units.ts';
import { isText, readParagraphs } from './paragraphs.ts';
import { figureOf, quantile, type Row } from './stats.ts';

const PARAGRAPHS = 1_200;
const PARAGRAPHS_EACH = 9;
const AUTHORS = 20;
const TAGS = 40;
const BATCH_SIZE = 500;
const QUERIES = 400;
const ROUNDS = 4;

interface Engine {
  db: Database;
  search: SearchIndex;
  /** Articles indexed per second. */
  rate: number;
  bytes: number;
}

/**
 * Compares search on PostgreSQL with SQLite over the same `count` articles of real text: first searches,
 * the time to build the index, and its size.
 */
export async function searchOnEngines(data: string, corpus: string, count: number): Promise<Row[]> {
  const folder = join(data, 'engines');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const server = await startPostgres();
  const file = join(folder, 'moye.sqlite');
  const paragraphs = chosenFrom((await readParagraphs(corpus)).filter(isText));
  const engines: Engine[] = [];
  try {
    for (const db of [await openSqlite(file), await openPostgres(server.url, { connections: 6, log: QUIET })])
      engines.push(await prepare(db, file, paragraphs, count));
    const [sqlite, postgres] = engines as [Engine, Engine];
    return await compare(sqlite, postgres, paragraphs, count);
  } finally {
    for (const { db, search } of engines) {
      await search.close();
      await db.close();
    }
    await server.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

const QUIET = { info: () => {}, warn: () => {} };

async function prepare(
  db: Database,
  file: string,
  paragraphs: readonly string[],
  count: number,
): Promise<Engine> {
  await fill(db, paragraphs, count);
  await db.write(forgetIndex);
  const started = performance.now();
  await rebuildIfNeeded(db, (indexed) => {
    if (indexed % 10_000 === 0) process.stderr.write(`\rindexing ${indexed}/${count} on ${db.engine} `);
    return true;
  });
  const rate = (count * SECOND_MS) / (performance.now() - started);
  process.stderr.write('\n');
  const search = db.engine === 'sqlite' ? createSqliteSearch(db, file) : createPostgresSearch(db);
  const { rows } = await (
    db.engine === 'sqlite'
      ? sql<{ bytes: number }>`select sum(pgsize) as bytes from dbstat where name like 'search%'`
      : sql<{ bytes: number }>`select sum(pg_total_relation_size(c.oid))::float8 as bytes from pg_class as c
          where relkind = 'r' and relname like 'search%'`
  ).execute(db.read);
  return { db, search, rate, bytes: rows[0]?.bytes ?? 0 };
}

function chosenFrom(paragraphs: readonly string[]): string[] {
  const step = Math.max(1, Math.floor(paragraphs.length / PARAGRAPHS));
  return paragraphs.filter((_, index) => index % step === 0).slice(0, PARAGRAPHS);
}

const textOf = (paragraphs: readonly string[], index: number): string =>
  Array.from(
    { length: PARAGRAPHS_EACH },
    (_, part) => paragraphs[(index * (1 + 13 * part) + 5 * part) % paragraphs.length],
  ).join('\n\n');

async function fill(db: Database, paragraphs: readonly string[], count: number): Promise<void> {
  const authors = Array.from({ length: AUTHORS }, (_, index) => ({
    id: `author-${index}`,
    username: clean(`作者${index}`),
    username_key: `作者${index}`,
    password_hash: '',
    gender: 'x' as const,
    bio: clean(''),
    avatar: '',
    create_time: 0,
  }));
  await db.write((trx) => trx.insertInto('users').values(authors).execute());
  for (let from = 0; from < count; from += BATCH_SIZE) {
    const indexes = Array.from({ length: Math.min(BATCH_SIZE, count - from) }, (_, at) => from + at);
    await db.write(async (trx) => {
      // SQLite limits the number of values of a statement.
      for (let at = 0; at < indexes.length; at += 100) {
        const some = indexes.slice(at, at + 100);
        await trx
          .insertInto('articles')
          .values(some.map((index) => rowOf(paragraphs, index)))
          .execute();
        await trx
          .insertInto('article_bodies')
          .values(some.map((index) => bodyOf(paragraphs, index)))
          .execute();
      }
    });
    process.stderr.write(`\rseeding ${from}/${count} on ${db.engine} `);
  }
  process.stderr.write('\n');
}

const idOf = (index: number): string => index.toString(16).padStart(24, '0');

function rowOf(paragraphs: readonly string[], index: number) {
  const time = Date.UTC(2020, 0, 1) + index * MINUTE_MS;
  return {
    ...EMPTY_HEAD,
    id: idOf(index),
    author_id: `author-${index % AUTHORS}`,
    title: `第 ${index} 篇：${textOf(paragraphs, index).replace(/\s+/g, ' ').slice(0, 24)}`,
    tags: JSON.stringify([`标签${index % TAGS}`, `标签${(index * 3 + 1) % TAGS}`]),
    type: '',
    status: 'normal' as const,
    secret: 0 as const,
    is_public: 1 as const,
    is_page: 0 as const,
    was_published: 1 as const,
    create_time: time,
    update_time: time,
    excerpt: '',
    has_more: 0 as const,
    summary: '',
    saved_by: '',
    address: '',
    moderation: '' as const,
    wanted_secret: 0 as const,
  };
}

const bodyOf = (paragraphs: readonly string[], index: number) => ({
  article_id: idOf(index),
  content: '',
  html: new Uint8Array(),
  toc: '[]',
  text: textOf(paragraphs, index),
  renderer_version: 1,
});

async function compare(
  sqlite: Engine,
  postgres: Engine,
  paragraphs: readonly string[],
  count: number,
): Promise<Row[]> {
  const times = { sqlite: [] as number[], postgres: [] as number[] };
  let different = 0;
  for (const [index, keywords] of queriesFrom(paragraphs, QUERIES).entries()) {
    const answers: string[] = [];
    for (const [name, { search }] of Object.entries({ sqlite, postgres })) {
      const started = performance.now();
      const page = await search.search({ keywords, page: 1, pageSize: 10 });
      // The first searches load dictionaries.
      if (index >= 20) times[name as keyof typeof times].push(performance.now() - started);
      answers.push(JSON.stringify(page));
    }
    if (answers[0] !== answers[1]) different += 1;
  }
  const size = count.toLocaleString('en');
  const first = (
    [
      ['p50', 0.5],
      ['p99', 0.99],
    ] as const
  ).map(([name, q]) => ({
    what: `first search on PostgreSQL / on SQLite, ${name} at ${size} articles`,
    ...ratioIn(times, q),
    ...(name === 'p99' && { goal: { atMost: 5 } }),
    note: `${quantile(times.postgres, q).toFixed(1)} ms and ${quantile(times.sqlite, q).toFixed(1)} ms`,
  }));
  return [
    ...first,
    {
      what: `queries with another answer on PostgreSQL than on SQLite, of ${QUERIES}`,
      ...figureOf([different]),
      goal: { atMost: 0 },
      unit: ' queries',
    },
    {
      what: `articles indexed per second on PostgreSQL, of ${size}`,
      ...figureOf([postgres.rate]),
      goal: { atLeast: 1_000 },
      unit: '/s',
      note: `${Math.round(sqlite.rate)}/s on SQLite`,
    },
    {
      what: `size of the index on PostgreSQL / on SQLite, ${size} articles`,
      ...figureOf([postgres.bytes / sqlite.bytes]),
      goal: { atMost: 2 },
      note: `${Math.round(postgres.bytes / count)} and ${Math.round(sqlite.bytes / count)} bytes an article`,
    },
  ];
}

function ratioIn(times: { sqlite: number[]; postgres: number[] }, q: number): Pick<Row, 'ratio' | 'spread'> {
  const size = Math.floor(times.sqlite.length / ROUNDS);
  const ratios = Array.from({ length: ROUNDS }, (_, round) => {
    const part = (values: readonly number[]) => quantile(values.slice(round * size, (round + 1) * size), q);
    return part(times.postgres) / part(times.sqlite);
  });
  return {
    ratio: quantile(times.postgres, q) / quantile(times.sqlite, q),
    spread: [Math.min(...ratios), Math.max(...ratios)],
  };
}

/** Returns distinct queries: Chinese phrases, Latin words, and pieces cut anywhere. */
function queriesFrom(paragraphs: readonly string[], count: number): string[] {
  const queries = new Set<string>();
  for (let index = 0; queries.size < count; index += 1) {
    const text = paragraphs[(index * 7) % paragraphs.length] ?? '';
    const pattern = [/\p{Script=Han}{2,6}/gu, /[A-Za-z]{4,12}/g, /[^\s]{1,12}/gu][index % 3] as RegExp;
    const runs = text.match(pattern) ?? [];
    const run = runs[Math.floor(index / 3) % Math.max(runs.length, 1)];
    if (run) queries.add(run);
    if (index > 100 * count) break;
  }
  return [...queries];
}
