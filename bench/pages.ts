import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, serve, throughput, type Served } from './processes.ts';
import { seed } from './seed.ts';
import { quantile, ratioOf, type Row } from './stats.ts';

const MAIN = fileURLToPath(new URL('../src/lib/server/main.ts', import.meta.url));
const CONSTANT = fileURLToPath(new URL('./constant', import.meta.url));
const ROUNDS = 11;
const SECONDS = 2;
const CONNECTIONS = 16;
const SIZES = { few: 1_000, many: 100_000 };
const REQUESTS = 1500;
const WARM_UP = 60;

/** Kinds that only inform: a list's far end, and counting the hits of a query nobody has asked yet, grow with the data. */
const WITHOUT_GOAL = new Set(['list, last pages', 'search, asked for the first time']);

/** Words of a search: common and rare, Chinese and Latin, one and several. */
const WORDS = [
  '线程',
  '锁',
  'JVM 内存',
  'hashmap',
  '数据库事务',
  'C++',
  '缓存',
  '微服务 网关',
  'ashma',
  '面试',
];

/**
 * Section `pages`: an uncached article page against an Astro page that prints the same text as a constant; and each kind of page
 * at 100,000 articles against 1,000.
 */
export async function benchPages(dataFolder: string, corpus: string): Promise<Row[]> {
  const folders = { few: join(dataFolder, 'few'), many: join(dataFolder, 'many') };
  await seed(folders.few, SIZES.few, corpus);
  await seed(folders.many, SIZES.many, corpus);
  const open = async (folder: string) => {
    const port = await freePort();
    const env = {
      DATA_DIR: folder,
      RATE_LIMIT: 'off',
      LOG_LEVEL: 'error',
      SITE_URL: `http://127.0.0.1:${port}`,
    };
    return serve(MAIN, env, '/healthz');
  };
  const few = await open(folders.few);
  try {
    const rows = [await againstConstant(few, dataFolder)];
    const many = await open(folders.many);
    try {
      return [...rows, ...(await asDataGrows(few, many))];
    } finally {
      await many.stop();
    }
  } finally {
    await few.stop();
  }
}

async function againstConstant(product: Served, dataFolder: string): Promise<Row> {
  const page = `${product.url}/detail/${(await articleIds(product))[0]}`;
  // The page's own text: what has as many bytes but other characters costs less or more to encode.
  const text = await (await fetch(page)).text();
  const file = join(dataFolder, 'constant.html');
  writeFileSync(file, text);
  execFileSync(process.execPath, [astroBin(), 'build', '--root', CONSTANT], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const constant = await serve(join(CONSTANT, 'serve.ts'), { BODY: file }, '/');
  const rates = { ours: [] as number[], theirs: [] as number[] };
  try {
    await throughput(page, CONNECTIONS, SECONDS);
    await throughput(constant.url, CONNECTIONS, SECONDS);
    for (let round = 0; round < ROUNDS; round++) {
      rates.ours.push(await throughput(page, CONNECTIONS, SECONDS));
      rates.theirs.push(await throughput(constant.url, CONNECTIONS, SECONDS));
    }
  } finally {
    await constant.stop();
  }
  const what = 'uncached article page / Astro page that prints a constant, requests per second';
  return {
    what,
    ...ratioOf(rates.ours, rates.theirs),
    goal: { atLeast: 0.5 },
    note: `${Buffer.byteLength(text)} bytes a page`,
  };
}

const astroBin = () => fileURLToPath(new URL('../node_modules/astro/bin/astro.mjs', import.meta.url));

/** Latencies at both sizes, the two servers asked in turn so that the machine's moods fall on both. */
async function asDataGrows(few: Served, many: Served): Promise<Row[]> {
  const ids = { few: await articleIds(few), many: await articleIds(many) };
  const phrases = await distinctPhrases(few, REQUESTS + WARM_UP);
  const pick = <T>(items: readonly T[], index: number): T | undefined => items[index % items.length];
  const kinds: Record<string, (index: number, size: 'few' | 'many') => string> = {
    list: (index) => `/home?page=${1 + (index % 20)}`,
    'list, last pages': (index, size) => `/home?page=${SIZES[size] / 10 - (index % 20)}`,
    detail: (index, size) => `/detail/${pick(ids[size], index * 7)}`,
    tag: (index) => `/tag/detail/${encodeURIComponent(`标签${index % 40}`)}`,
    profile: (index) => `/user/info/${encodeURIComponent(`作者${index % 20}`)}`,
    'search, asked for the first time': (index) => `/home/${encodeURIComponent(pick(phrases, index) ?? '')}`,
    search: (index) =>
      `/home/${encodeURIComponent(pick(WORDS, index) ?? '')}?page=${1 + (Math.floor(index / WORDS.length) % 3)}`,
  };
  const rows: Row[] = [];
  for (const [kind, path] of Object.entries(kinds)) {
    const times = { few: [] as number[], many: [] as number[] };
    for (let index = 0; index < REQUESTS + WARM_UP; index++) {
      for (const [size, server] of [
        ['few', few],
        ['many', many],
      ] as const) {
        const time = await timed(server.url + path(index, size));
        if (index >= WARM_UP) times[size].push(time);
      }
    }
    for (const [name, q] of [
      ['p50', 0.5],
      ['p99', 0.99],
    ] as const) {
      const chunks = inChunks(times.few, times.many, 4, q);
      const ratio = quantile(times.many, q) / quantile(times.few, q);
      const goal = WITHOUT_GOAL.has(kind) ? {} : { goal: { atMost: 2 } };
      rows.push({ what: `${kind}: ${name} at 100,000 articles / at 1,000`, ratio, spread: chunks, ...goal });
    }
  }
  return rows;
}

function inChunks(
  few: readonly number[],
  many: readonly number[],
  count: number,
  q: number,
): [number, number] {
  const size = Math.floor(few.length / count);
  const ratios = Array.from({ length: count }, (_, index) => {
    const part = (values: readonly number[]) => quantile(values.slice(index * size, (index + 1) * size), q);
    return part(many) / part(few);
  });
  return [Math.min(...ratios), Math.max(...ratios)];
}

async function timed(url: string): Promise<number> {
  const started = performance.now();
  const response = await fetch(url);
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return performance.now() - started;
}

/** Different pieces of 2 to 5 characters from the articles' own text. */
async function distinctPhrases(server: Served, count: number): Promise<string[]> {
  const body = new URLSearchParams({ pageSize: '100' });
  const response = await fetch(`${server.url}/api/page/pagelist`, { method: 'POST', body });
  const { data } = (await response.json()) as { data: { result: { content: string }[] } };
  const runs = data.result.flatMap((article) => article.content.match(/\p{Script=Han}{5,}/gu) ?? []);
  const phrases = new Set(runs.map((run, index) => run.slice(0, 2 + (index % 4))));
  return [...phrases].slice(0, count);
}

async function articleIds(server: Served): Promise<string[]> {
  const pages = await Promise.all(
    [1, 3, 5, 7, 9].map(async (page) => {
      const body = new URLSearchParams({ page: String(page), pageSize: '100' });
      const response = await fetch(`${server.url}/api/page/pagelist`, { method: 'POST', body });
      const { data } = (await response.json()) as { data: { result: { _id: string }[] } };
      return data.result.map((article) => article._id);
    }),
  );
  return pages.flat();
}
