import { once } from 'node:events';
import { cpSync, rmSync } from 'node:fs';
import { Agent, request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { oneOf, randomFrom } from '../tests/trial.ts';
import { openReader } from '../src/lib/server/db/sqlite/sqlite.ts';
import { articleUrl, feedUrl, homeUrl, tagUrl, userUrl } from '../src/lib/shared/urls.ts';
import { ask, metric, signIn } from './client.ts';
import { serveProduct, stopAll, type Served } from './processes.ts';
import { author, AUTHORS, seeded, TAGS } from './seed.ts';
import type { Row } from './stats.ts';

const CACHE_MB = 64;
/** Reads before the measured part, which fill the cache. */
const FILLING_READS = 40_000;
const MINUTES = 20;
/** Of ten requests nine are reads and one is a comment, of which there is one a second. */
const COMMENTS_A_MINUTE = 60;
const READS_A_COMMENT = 9;
const READERS = 8;
const SEED = 34;

/** Shares of the reads; most readers of lists stay on the first pages. */
const SHARES = { articles: 0.7, lists: 0.12, tags: 0.07, profiles: 0.06, feeds: 0.05 };
type Kind = keyof typeof SHARES;
const KINDS = Object.keys(SHARES) as Kind[];
const LIST_PAGES = 100;

type Chooser = (random: () => number) => number;

/** Returns a function that picks an index below `count` with the odds 1 / (index + 1). */
function zipf(count: number): Chooser {
  const sums = new Float64Array(count);
  let sum = 0;
  for (let index = 0; index < count; index++) sums[index] = sum += 1 / (index + 1);
  return (random) => {
    const wanted = random() * sum;
    let [low, high] = [0, count - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

/**
 * Section `day`: share of reads that the page cache answers, at 100,000 articles with PAGE_CACHE_MB=64, while
 * one comment a second and one article a minute are published. The requests of 20 minutes of such a day are
 * sent in order and as fast as they are answered.
 */
export async function benchDay(data: string, corpus: string): Promise<Row[]> {
  const folder = join(data, 'day');
  rmSync(folder, { recursive: true, force: true });
  cpSync(await seeded('many', data, corpus), folder, { recursive: true });
  const server = await serveProduct(folder, { PAGE_CACHE_MB: String(CACHE_MB) });
  try {
    return await replay(server, join(folder, 'moye.sqlite'));
  } finally {
    await stopAll([server]);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function replay(server: Served, file: string): Promise<Row[]> {
  const random = randomFrom(SEED);
  const day = await openDay(server, file, random);
  const reads: Record<Kind, number[]> = { articles: [], lists: [], tags: [], profiles: [], feeds: [] };
  const misses: typeof reads = structuredClone(reads);
  for (const kind of KINDS) await day.read(kind, Math.round(FILLING_READS * SHARES[kind]), true);
  for (let minute = 0; minute < MINUTES; minute++) {
    await day.publish(minute);
    for (const kind of KINDS) {
      const count = Math.round(COMMENTS_A_MINUTE * READS_A_COMMENT * SHARES[kind]);
      const before = await metric(server, 'moye_page_cache_misses_total');
      await day.read(kind, count);
      const after = await metric(server, 'moye_page_cache_misses_total');
      reads[kind].push(count);
      misses[kind].push(after - before);
    }
  }
  const entries = await metric(server, 'moye_page_cache_entries');
  const note = `${CACHE_MB} MB hold ${entries} pages; articles by Zipf's law`;
  const all = (counts: typeof reads) =>
    Array.from({ length: MINUTES }, (_, minute) =>
      KINDS.reduce((sum, kind) => sum + (counts[kind][minute] ?? 0), 0),
    );
  const what = (kind: string) => `${kind} answered from the cache / all, in a replayed day`;
  return [
    { what: what('reads'), ...hitRatio(all(reads), all(misses)), goal: { atLeast: 0.98 }, note },
    ...KINDS.map((kind) => ({ what: what(`reads of ${kind}`), ...hitRatio(reads[kind], misses[kind]) })),
  ];
}

function hitRatio(reads: readonly number[], misses: readonly number[]): Pick<Row, 'ratio' | 'spread'> {
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
  const ratios = reads.map((count, index) => 1 - (misses[index] ?? 0) / count);
  return { ratio: 1 - sum(misses) / sum(reads), spread: [Math.min(...ratios), Math.max(...ratios)] };
}

async function openDay(server: Served, file: string, random: () => number) {
  const ids = await shuffledIds(file, random);
  const ranks = zipf(ids.length);
  const [pages, tags, authors] = [zipf(LIST_PAGES), zipf(TAGS), zipf(AUTHORS)];
  const tokens = await Promise.all(
    Array.from({ length: AUTHORS }, (_, index) => {
      const { username, password } = author(index);
      return signIn(server, username, password);
    }),
  );
  const agent = new Agent({ keepAlive: true, maxSockets: READERS });
  const tagName = () => `标签${tags(random)}`;
  const userName = () => author(authors(random)).username;
  const article = () => ids[ranks(random)] ?? '';
  const feed = () => {
    const subjects = [
      { kind: 'site' } as const,
      { kind: 'user', name: userName() } as const,
      { kind: 'tag', name: tagName() } as const,
    ];
    return feedUrl(oneOf(subjects, random), 'rss');
  };
  const paths: Record<Kind, () => string> = {
    articles: () => articleUrl(article()),
    lists: () => homeUrl('', 1 + pages(random)),
    tags: () => tagUrl(tagName()),
    profiles: () => userUrl(userName()),
    feeds: feed,
  };
  let comments = 0;
  const comment = () =>
    ask(
      server,
      '/api/comment/create',
      { page_id: article(), content: `第 ${++comments} 条评论` },
      oneOf(tokens, random),
    );
  return {
    /** Sends `count` reads, `READERS` at a time, and unless `isQuiet` after every ninth a comment. */
    async read(kind: Kind, count: number, isQuiet = false): Promise<void> {
      let left = count;
      const reader = async () => {
        while (left > 0) {
          const isNinth = --left % READS_A_COMMENT === 0;
          await get(server.url + paths[kind](), agent);
          if (isNinth && !isQuiet) await comment();
        }
      };
      await Promise.all(Array.from({ length: READERS }, reader));
    },
    async publish(minute: number): Promise<void> {
      const fields = {
        title: `新的一篇 ${minute}`,
        content: `第 ${minute} 分钟发表。\n\n`.repeat(20),
        status: 'normal',
        secret: 'false',
        'tags[0]': tagName(),
        'tags[1]': tagName(),
      };
      const { id } = await ask<{ id: string }>(server, '/api/page/new', fields, oneOf(tokens, random));
      ids[ranks(random)] = id;
    },
  };
}

/** Returns the ids of all articles in an order that says nothing about their age: the most read first. */
async function shuffledIds(file: string, random: () => number): Promise<string[]> {
  const database = openReader(file);
  const rows = database.prepare('select id from articles where is_public = 1 order by id').all();
  database.close();
  return rows
    .map(({ id }) => ({ id: String(id), place: random() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ id }) => id);
}

/** Reads a page as a browser requests it, again if the server is busy. @throws unless the status is 200 */
async function get(url: string, agent: Agent): Promise<void> {
  for (;;) {
    const sent = request(url, { agent, headers: { 'Accept-Encoding': 'br, gzip' } }).end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    for await (const _ of answer);
    if (answer.statusCode === 200) return;
    if (answer.statusCode !== 503) throw new Error(`${url} answered ${answer.statusCode}`);
  }
}
