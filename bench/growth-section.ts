import { setTimeout as delay } from 'node:timers/promises';
import { signIn } from './client.ts';
import { CALLS, PAGES, UNREAD, WHOLE, type GrownSite, type Kind } from './growth-kinds.ts';
import { measureGrowth } from './growth.ts';
import { memoryOf, serveProduct, stopAll, type Served } from './processes.ts';
import { author } from './site/people.ts';
import { diceOf } from './site/random.ts';
import { openSite, type Engine, type Site } from './site/site.ts';
import { sizesOf } from './site/sizes.ts';
import { asLine } from './report.ts';
import { figureOf, type Row } from './stats.ts';

const FEW = 1_000;
/** Enough for a p99 that three slow requests do not decide. */
const REQUESTS = 400;
const PHRASES = 2 * REQUESTS;
const GOAL = { atMost: 2 };
const IDLE_MS = 5_000;
const TOKEN_SECRET = 'growth-growth-growth-growth-growth';
const ENGINES: readonly Engine[] = ['sqlite', 'postgres'];

interface Options {
  articles: number;
  /** Minutes after which the generator pauses; the next run continues. */
  minutes: number;
}

/**
 * Section `growth`: a generated site of many articles compared with one of 1,000, by kind of request, without
 * the page cache; the start, the memory and the size of the database. The part is an engine, or an engine, a
 * slash and a pattern of kinds (`growth:sqlite/console`).
 */
export async function benchGrowth(
  data: string,
  corpus: string,
  part: string | undefined,
  { articles, minutes }: Options,
): Promise<Row[]> {
  const [engine, pattern = ''] = part?.split('/') ?? [];
  const end = performance.now() + minutes * 60_000;
  const rows: Row[] = [];
  for (const each of ENGINES.filter((name) => engine === undefined || name === engine)) {
    const open = (count: number) =>
      openSite({ engine: each, articles: count, data, corpus, isOver: () => performance.now() > end });
    const few = await open(FEW);
    const many = await open(articles);
    try {
      if (few && many) rows.push(...(await compare(each, { few, many }, articles, new RegExp(pattern))));
      else process.stderr.write(`${each}: not complete yet, run again to continue\n`);
    } finally {
      await few?.close();
      await many?.close();
    }
  }
  return rows;
}

type Sites = { few: Site; many: Site };

async function compare(engine: Engine, sites: Sites, articles: number, pattern: RegExp): Promise<Row[]> {
  const servers: Served[] = [];
  const rows: Row[] = [];
  const name = `${articles.toLocaleString('en')} articles / at ${FEW.toLocaleString('en')}`;
  try {
    const starts = { few: [] as number[], many: [] as number[] };
    const open = async (size: keyof Sites): Promise<Served> => {
      const started = performance.now();
      const server = await serveProduct(sites[size].folder, {
        ...sites[size].env,
        TOKEN_SECRET,
        PAGE_CACHE_MB: '0',
      });
      starts[size].push((performance.now() - started) / 1000);
      servers.push(server);
      return server;
    };
    // The first start of each fills the system's file cache.
    for (const size of ['few', 'many'] as const) await (await open(size)).stop();
    const few = await open('few');
    const many = await open('many');
    await delay(IDLE_MS);
    rows.push(
      {
        what: `${engine}: process start → healthy, ${articles.toLocaleString('en')} articles`,
        ...figureOf([starts.many.at(-1) ?? Number.NaN]),
        unit: 's',
        goal: { atMost: 1 },
        note: `with ${FEW.toLocaleString('en')}: ${starts.few.at(-1)?.toFixed(2)} s`,
      },
      {
        what: `${engine}: memory of an idle server at ${name}`,
        ...figureOf([memoryOf(many) / memoryOf(few)]),
        goal: { atMost: 1.2 },
        note: `${Math.round(memoryOf(many))} MB`,
      },
    );
    rows.push(...loadRows(engine, sites.many), ...(await sizeRows(engine, sites, articles)));
    const both = { few: await describe(few, FEW), many: await describe(many, articles) };
    const kinds: [string, Kind][] = Object.entries({ ...PAGES, ...CALLS, ...UNREAD, ...WHOLE });
    for (const [kind, send] of kinds.filter(([each]) => pattern.test(each))) {
      const growth = {
        what: `${engine}: ${kind}: % at ${name}`,
        few: (index: number) => send(both.few, index),
        many: (index: number) => send(both.many, index),
        ...(kind in WHOLE ? {} : { goal: GOAL }),
      };
      const found = await measureGrowth(growth, REQUESTS, { warmUp: 20, hasTimes: true });
      process.stderr.write(`${found.map(asLine).join('\n')}\n`);
      rows.push(...found);
    }
    return rows;
  } finally {
    await stopAll(servers);
  }
}

/** Rates of generating the site. */
function loadRows(engine: Engine, { steps }: Site): Row[] {
  const { articles, 'search index': index } = steps;
  const rate = (step: typeof articles) => figureOf([step ? step.articles / step.seconds : Number.NaN]);
  const others = Object.entries(steps).filter(([name]) => name !== 'articles' && name !== 'search index');
  const seconds = others.reduce((sum, [, step]) => sum + step.seconds, 0);
  return [
    {
      what: `${engine}: articles loaded with their comments, per second`,
      ...rate(articles),
      goal: { atLeast: 1_000 },
      note: `${articles?.seconds.toFixed(0)} s; indexes, constraints and counters ${seconds.toFixed(0)} s`,
    },
    {
      what: `${engine}: search index built, articles per second`,
      ...rate(index),
      goal: { atLeast: 1_000 },
    },
  ];
}

async function sizeRows(engine: Engine, sites: Sites, articles: number): Promise<Row[]> {
  const [few, many] = [await sizesOf(sites.few), await sizesOf(sites.many)];
  return (['all', 'search'] as const).map((part) => ({
    what: `${engine}: ${part === 'all' ? 'database' : 'search index'} per article, ${articles.toLocaleString('en')} articles`,
    ...figureOf([many[part] / articles / 1000]),
    unit: 'KB',
    note: `with ${FEW.toLocaleString('en')}: ${(few[part] / FEW / 1000).toFixed(1)} KB`,
  }));
}

/** Signs in and finds articles of all ages. */
async function describe(server: Served, articles: number): Promise<GrownSite> {
  const dice = diceOf(1, articles);
  const account = async (index: number) => {
    const { username, password } = author(index);
    return { username, token: await signIn(server, username, password) };
  };
  const found: { id: string; text: string }[] = [];
  const last = Math.floor(articles / 1000);
  for (let part = 0; part < last; part += Math.max(1, Math.floor(last / 5))) {
    const map = await (await fetch(`${server.url}/sitemap/articles-${part}.xml`)).text();
    for (const [, id = ''] of map.matchAll(/detail\/([0-9a-f]{24})/g)) found.push({ id, text: '' });
  }
  const ids = Array.from({ length: 400 }, () => found[dice.below(found.length)]?.id ?? '');
  const phrases = new Set<string>();
  for (const id of ids) {
    if (phrases.size >= PHRASES) break;
    const text = await (await fetch(`${server.url}/detail/${id}.md`)).text();
    for (const run of text.match(/\p{Script=Han}{5,}/gu) ?? []) phrases.add(run.slice(0, 2 + dice.below(4)));
  }
  return {
    server,
    articles,
    ids,
    discussed: await findDiscussed(server),
    phrases: [...phrases],
    operator: await account(0),
    author: await account(Math.max(1, Math.floor(articles / 800))),
  };
}

/** The eighteenth article (comments.ts); the sitemap lists articles in the order of their creation. */
async function findDiscussed(server: Served): Promise<string> {
  const map = await (await fetch(`${server.url}/sitemap/articles-0.xml`)).text();
  const ids = Array.from(map.matchAll(/detail\/([0-9a-f]{24})/g), ([, id = '']) => id);
  const number = (id: string) => Number.parseInt(id.slice(8), 16);
  return ids.find((id) => number(id) === 17) ?? ids[0] ?? '';
}
