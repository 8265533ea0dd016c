import type { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openReader } from '../src/lib/server/db/sqlite/sqlite.ts';
import { ask, distinctPhrases, WORDS } from './client.ts';
import { measureGrowth, type Probe } from './growth.ts';
import { serveProduct, stopAll, type Served } from './processes.ts';
import { searchOnEngines } from './search-engines.ts';
import { seeded, SIZES, type Size } from './seed.ts';
import { ratioOf, type Row } from './stats.ts';

const REQUESTS = 600;
/** Number of phrases for which suggestions are requested and that are then searched for, once each. */
const TYPED = 300;
/** LIKE has no syntax for several words, so these queries are single words. */
const LIKE_WORDS = WORDS.filter((word) => !word.includes(' '));
const LIKE_ROUNDS = 3;
const SETTLE_MS = 50;

const named = (size: Size): string => SIZES[size].toLocaleString('en');

/** Number of articles that are compared on both engines. */
const ENGINE_SIZES: Record<string, number> = { engines: 100_000, million: 1_000_000 };

/**
 * Section `search`: searches over the API with 10,000 and 100,000 articles compared with 1,000, repeated and
 * first-time; and compared with SQL's LIKE over the same texts. Parts `engines` and `million`: PostgreSQL
 * compared with SQLite; the section includes the first.
 */
export async function benchSearch(data: string, corpus: string, part?: string): Promise<Row[]> {
  if (part !== undefined) return searchOnEngines(data, corpus, ENGINE_SIZES[part] ?? Number(part));
  const servers: Served[] = [];
  const rows: Row[] = [];
  try {
    // Seeds all databases before the first request: seeding takes so long that open connections would be
    // closed.
    const folders: Record<Size, string> = {
      few: await seeded('few', data, corpus),
      some: await seeded('some', data, corpus),
      many: await seeded('many', data, corpus),
    };
    const open = async (size: Size): Promise<Served> => {
      const server = await serveProduct(folders[size]);
      servers.push(server);
      return server;
    };
    const few = await open('few');
    const phrases = await distinctPhrases(few, REQUESTS * 4);
    for (const [turn, size] of (['some', 'many'] as const).entries()) {
      const many = await open(size);
      // Each size gets phrases that were not searched for with 1,000 articles before.
      const own = phrases.filter((_, index) => index % 2 === turn);
      rows.push(...(await growthsOf({ few, many }, own, named(size))));
    }
    const many = servers.at(-1);
    if (many) rows.push(await suggestionsBeside(many, phrases, named('many')));
    for (const [index, size] of (['few', 'some', 'many'] as const).entries()) {
      const server = servers[index];
      if (server) rows.push(await againstLike(server, folders[size], named(size)));
    }
  } finally {
    await stopAll(servers);
  }
  return [...rows, ...(await searchOnEngines(data, corpus, ENGINE_SIZES['engines'] ?? 0))];
}

async function growthsOf(
  { few, many }: { few: Served; many: Served },
  phrases: readonly string[],
  size: string,
): Promise<Row[]> {
  const asking =
    (server: Served, words: readonly string[]): Probe =>
    (index) =>
      searchTime(server, words[index % words.length] ?? '');
  const both = (words: readonly string[]) => ({ few: asking(few, words), many: asking(many, words) });
  const again = { what: `search: % at ${size} articles / at 1,000`, ...both(WORDS) };
  const first = {
    what: `first search: % at ${size} articles / at 1,000`,
    ...both(phrases),
  };
  return [...(await measureGrowth(again, REQUESTS)), ...(await measureGrowth(first, REQUESTS))];
}

async function searchTime(server: Served, keywords: string): Promise<number> {
  const started = performance.now();
  await ask(server, '/api/page/searchpage', { keywords });
  return performance.now() - started;
}

/** Compares the suggestions for a text with a search for it, both for the first time. */
async function suggestionsBeside(server: Served, phrases: readonly string[], size: string): Promise<Row> {
  const times = { suggested: [] as number[], searched: [] as number[] };
  for (const phrase of phrases.slice(0, TYPED)) {
    // Appends a character of every title, so the text is new to both.
    const asked = `${phrase} 第`;
    const started = performance.now();
    await ask(server, '/api/page/suggest', { q: asked });
    times.suggested.push(performance.now() - started);
    times.searched.push(await searchTime(server, asked));
  }
  return {
    what: `suggestions / first search, p50 at ${size} articles`,
    ...ratioOf(times.suggested, times.searched),
    goal: { atMost: 0.5 },
  };
}

/**
 * Counts the hits and reads the newest ten, as a results page does. LIKE queries the database directly; the
 * product is called over HTTP.
 */
async function againstLike(server: Served, folder: string, size: string): Promise<Row> {
  const database = openReader(join(folder, 'moye.sqlite'));
  const like = prepareLike(database);
  const times = { ours: [] as number[], theirs: [] as number[] };
  try {
    for (let round = 0; round < LIKE_ROUNDS; round++) {
      // Appends a character in each round, so the product's searches are first-time searches too.
      for (const word of LIKE_WORDS) {
        const asked = `${word}${'的是在'[round] ?? ''}`;
        times.theirs.push(like(asked));
        // The query blocked this process. It learns only now that the server has closed an idle connection.
        await delay(SETTLE_MS);
        times.ours.push(await searchTime(server, asked));
      }
    }
  } finally {
    database.close();
  }
  return {
    what: `SQL LIKE '%…%' / first search, p50 at ${size} articles`,
    ...ratioOf(times.theirs, times.ours),
    note: 'LIKE in process, newest first; search over HTTP, best match first, highlighted',
  };
}

function prepareLike(database: DatabaseSync): (word: string) => number {
  const from = `from articles join article_bodies on article_id = id where is_public = 1 and (title like ? or text like ?)`;
  const count = database.prepare(`select count(*) ${from}`);
  const page = database.prepare(`select id, title, excerpt ${from} order by create_time desc limit 10`);
  return (word) => {
    const pattern = `%${word}%`;
    const started = performance.now();
    count.get(pattern, pattern);
    page.all(pattern, pattern);
    return performance.now() - started;
  };
}
