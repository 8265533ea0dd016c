import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { articleIds, distinctPhrases, timed, WORDS } from './client.ts';
import { serveConstant } from './constant/build.ts';
import { measureGrowth, type Growth } from './growth.ts';
import { race } from './load.ts';
import { serveProduct, stopAll, type Served } from './processes.ts';
import { seeded, SIZES, type Size } from './seed.ts';
import type { Row } from './stats.ts';

const ROUNDS = 11;
const LOAD = { connections: 16, seconds: 2 };
const REQUESTS = 1500;
const GOAL = { atMost: 2 };

/**
 * Section `pages`, without the page cache: an article page compared with an Astro page that prints the same
 * text as a constant, and each kind of page with 100,000 articles compared with 1,000.
 */
export async function benchPages(data: string, corpus: string): Promise<Row[]> {
  const folders = { few: await seeded('few', data, corpus), many: await seeded('many', data, corpus) };
  const servers: Served[] = [];
  const open = async (size: 'few' | 'many'): Promise<Served> => {
    const server = await serveProduct(folders[size], { PAGE_CACHE_MB: '0' });
    servers.push(server);
    return server;
  };
  try {
    const few = await open('few');
    const rows = await againstConstant(few, data);
    const growths = await growthsOf({ few, many: await open('many') });
    for (const growth of growths) rows.push(...(await measureGrowth(growth, REQUESTS)));
    return rows;
  } finally {
    await stopAll(servers);
  }
}

async function againstConstant(product: Served, data: string): Promise<Row[]> {
  const page = `${product.url}/detail/${(await articleIds(product))[0]}`;
  // The page's own text: other characters with the same number of bytes cost more or less to encode.
  const text = await (await fetch(page)).text();
  const file = join(data, 'constant.html');
  writeFileSync(file, text);
  const constant = await serveConstant(file);
  try {
    const rival = {
      url: constant.url,
      ...LOAD,
      what: 'uncached article page / Astro page that prints a constant, requests per second',
      goal: { atLeast: 0.25 },
      note: `${Buffer.byteLength(text)} bytes a page`,
    };
    return await race({ url: page, ...LOAD }, [rival], ROUNDS);
  } finally {
    await constant.stop();
  }
}

/**
 * Kinds without a goal are informative only: the far end of a list, and counting the hits of a first-time
 * query, grow with the data.
 */
async function growthsOf(servers: { few: Served; many: Served }): Promise<Growth[]> {
  const ids = { few: await articleIds(servers.few), many: await articleIds(servers.many) };
  const phrases = await distinctPhrases(servers.few, REQUESTS * 2);
  const pick = <T>(items: readonly T[], index: number): T | undefined => items[index % items.length];
  const kind = (
    name: string,
    path: (index: number, size: 'few' | 'many') => string,
    goal?: Row['goal'],
  ): Growth => ({
    what: `${name}: % at 100,000 articles / at 1,000`,
    few: (index) => timed(servers.few.url + path(index, 'few')),
    many: (index) => timed(servers.many.url + path(index, 'many')),
    ...(goal && { goal }),
  });
  const lastPage = (size: Size) => SIZES[size] / 10;
  const search = (word = '') => `/home/${encodeURIComponent(word)}`;
  const resultPage = (index: number) => 1 + (Math.floor(index / WORDS.length) % 3);
  return [
    kind('list', (index) => `/home?page=${1 + (index % 20)}`, GOAL),
    kind('list, last pages', (index, size) => `/home?page=${lastPage(size) - (index % 20)}`),
    kind('detail', (index, size) => `/detail/${pick(ids[size], index * 7)}`, GOAL),
    kind('tag', (index) => `/tag/detail/${encodeURIComponent(`标签${index % 40}`)}`, GOAL),
    kind('profile', (index) => `/user/info/${encodeURIComponent(`作者${index % 20}`)}`, GOAL),
    kind('first search', (index) => search(pick(phrases, index))),
    kind('search', (index) => `${search(pick(WORDS, index))}?page=${resultPage(index)}`, GOAL),
  ];
}
