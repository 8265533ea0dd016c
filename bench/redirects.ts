import { cpSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { articleUrl } from '../src/lib/shared/urls.ts';
import { createApp } from '../src/lib/server/app.ts';
import { readConfig } from '../src/lib/server/config/config.ts';
import { putPaths } from '../src/lib/server/redirects/path-queries.ts';
import { articleIds, timed } from './client.ts';
import { measureGrowth, type Growth } from './growth.ts';
import { serveProduct, stopAll, type Served } from './processes.ts';
import { seeded } from './seed.ts';
import type { Row } from './stats.ts';

const SIZES = { few: 1_000, many: 1_000_000 };
type Size = keyof typeof SIZES;
const REQUESTS = 2_000;
/**
 * A cached page takes a fraction of a millisecond: with 2,000 requests, one garbage collection pause decides
 * the slowest 20.
 */
const CACHED_REQUESTS = 20_000;
const BATCH_SIZE = 5_000;
/** Spreads requests over the index, with the same number of digits at both sizes. */
const STEP = 7_919;
const HIT = { atMost: 2 };
/** Ratio up to which the two servers count as equally fast. */
const UNCHANGED = { atMost: 1.25 };

const pathOf = (number: number): string => `/2020/01/02/${String(number).padStart(7, '0')}`;

/**
 * Section `redirects`: 1,000,000 former addresses compared with 1,000, on the same 1,000 articles. Measures
 * an address that redirects to an article, an unknown address, and ordinary pages, uncached and cached.
 */
export async function benchRedirects(data: string, corpus: string): Promise<Row[]> {
  const source = await seeded('few', data, corpus);
  const folders = { few: await filled(source, data, 'few'), many: await filled(source, data, 'many') };
  const rows: Row[] = [];
  for (const [how, settings] of [
    ['uncached', { PAGE_CACHE_MB: '0' }],
    ['cached', {}],
  ] as const) {
    const servers: Served[] = [];
    try {
      for (const size of ['few', 'many'] as const) servers.push(await serveProduct(folders[size], settings));
      const [few, many] = servers;
      if (!few || !many) throw new Error('two servers are needed');
      const ids = await articleIds(few);
      const article = (index: number) => articleUrl(ids[(index * 7) % ids.length] ?? '');
      const ordinary = growth(
        `article, ${how}`,
        { few, many },
        (index) => timedAt(article(index)),
        UNCHANGED,
      );
      rows.push(...(await measureGrowth(ordinary, how === 'cached' ? CACHED_REQUESTS : REQUESTS)));
      if (how === 'cached') continue;
      const hit = growth('former address', { few, many }, (index, size) => {
        return redirected(pathOf((index * STEP) % SIZES[size]), 301);
      });
      const miss = growth('unknown address', { few, many }, (index) => redirected(`/nobody/${index}`, 302));
      rows.push(...(await measureGrowth(hit, REQUESTS)), ...(await measureGrowth(miss, REQUESTS)));
    } finally {
      await stopAll(servers);
    }
  }
  return rows;
}

type Ask = (server: Served) => Promise<number>;

function growth(
  what: string,
  { few, many }: Record<Size, Served>,
  ask: (index: number, size: Size) => Ask,
  goal: Row['goal'] = HIT,
): Growth {
  return {
    what: `${what}: % at 1,000,000 former addresses / at 1,000`,
    few: (index) => ask(index, 'few')(few),
    many: (index) => ask(index, 'many')(many),
    ...(goal && { goal }),
  };
}

const timedAt =
  (path: string): Ask =>
  ({ url }) =>
    timed(url + path);

/** Returns the milliseconds until the response; throws unless it is a redirect with `status`. */
const redirected =
  (path: string, status: number): Ask =>
  async ({ url }) => {
    const started = performance.now();
    const response = await fetch(url + path, { redirect: 'manual' });
    await response.arrayBuffer();
    if (response.status !== status) throw new Error(`${path} answered ${response.status}`);
    return performance.now() - started;
  };

/** Returns a copy of the site `source` with that many former addresses; created once and kept. */
async function filled(source: string, data: string, size: Size): Promise<string> {
  const folder = join(data, `redirects-${size}`);
  const done = join(folder, 'filled');
  if (existsSync(done)) return folder;
  rmSync(folder, { recursive: true, force: true });
  cpSync(source, folder, { recursive: true });
  const app = await createApp(readConfig({ DATA_DIR: folder, LOG_LEVEL: 'error' }));
  try {
    const articles = await app.db.read
      .selectFrom('articles')
      .select('id')
      .where('is_public', '=', 1)
      .execute();
    for (let from = 0; from < SIZES[size]; from += BATCH_SIZE) {
      const numbers = Array.from(
        { length: Math.min(BATCH_SIZE, SIZES[size] - from) },
        (_, index) => from + index,
      );
      const rows = numbers.map((number) => {
        return { path: pathOf(number), article_id: articles[number % articles.length]?.id ?? '' };
      });
      await app.db.write((trx) => putPaths(trx, rows));
    }
  } finally {
    await app.close();
  }
  writeFileSync(done, '');
  return folder;
}
