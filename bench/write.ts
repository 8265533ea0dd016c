import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openReader } from '../src/lib/server/db/sqlite/sqlite.ts';
import { ask, signIn } from './client.ts';
import { throughput } from './load.ts';
import { output, serveProduct, stopAll, type Served } from './processes.ts';
import { readArticles } from './plain-markdown.ts';
import { author, seeded } from './seed.ts';
import { figureOf, ratioOf, type Row } from './stats.ts';

const TRANSACTIONS = fileURLToPath(new URL('./bare/transactions.ts', import.meta.url));
const GUIDES = fileURLToPath(new URL('../src/lib/server/guides', import.meta.url));
const ROUNDS = 7;
const SECONDS = 1;
const WRITERS = 8;
const COMMENT = '字'.repeat(60);
const PUBLISHES = 200;
const SAVED_BYTES = 20_000;
const SAVES = 50;
/** Pages that readers opened before an author edits; an edit must check all of them for invalidation. */
const PAGES_READ = 150;

interface Article {
  _id: string;
  title: string;
  content: string;
  tags: string[];
}

interface Desk {
  server: Served;
  file: string;
  token: string;
  articles: Article[];
}

/**
 * Section `write`: acknowledged (and therefore durable) comments and edits compared with single-row
 * transactions of bare SQLite; edits with the page cache compared with none; whether a published change is
 * visible to the next request; and the time to save an article of 20 KB.
 */
export async function benchWrite(data: string, corpus: string): Promise<Row[]> {
  const seed = await seeded('few', data, corpus);
  const desks: Desk[] = [];
  const open = async (name: string, env: Record<string, string>): Promise<Desk> => {
    const folder = join(data, 'write', name);
    rmSync(folder, { recursive: true, force: true });
    cpSync(seed, folder, { recursive: true });
    const desk = await openDesk(folder, env);
    desks.push(desk);
    return desk;
  };
  try {
    const cached = await open('cached', {});
    const uncached = await open('uncached', { PAGE_CACHE_MB: '0' });
    const bare = join(data, 'write', 'bare.sqlite');
    rmSync(bare, { force: true });
    return [
      await commentsAgainst(cached, bare),
      ...(await editsAgainst(cached, uncached, bare)),
      await publishesSeen(cached),
      await savesOf(articleOf(corpus, SAVED_BYTES), cached),
    ];
  } finally {
    await stopAll(desks.map(({ server }) => server));
    rmSync(join(data, 'write'), { recursive: true, force: true });
  }
}

async function openDesk(folder: string, env: Record<string, string>): Promise<Desk> {
  const server = await serveProduct(folder, env);
  const { username, password } = author(0);
  const token = await signIn(server, username, password);
  const own = { type: 'create_user', content: username, pageSize: '50' };
  const { result } = await ask<{ result: Article[] }>(server, '/api/page/limitpagelist', own, token);
  const articles = await Promise.all(
    result.map(({ _id }) => ask<Article>(server, '/api/page/editdetail', { id: _id }, token)),
  );
  return { server, file: join(folder, 'moye.sqlite'), token, articles };
}

const bareRate = async (file: string): Promise<number> =>
  Number(
    await output('server', [process.execPath, TRANSACTIONS, file, String(SECONDS), String(COMMENT.length)]),
  );

async function commentsAgainst(desk: Desk, bare: string): Promise<Row> {
  const load = {
    url: `${desk.server.url}/api/comment/create`,
    connections: WRITERS,
    seconds: SECONDS,
    headers: { Authorization: `Bearer ${desk.token}` },
    body: new URLSearchParams({ page_id: desk.articles[0]?._id ?? '', content: COMMENT }).toString(),
  };
  const before = countComments(desk);
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let round = 0; round <= ROUNDS; round++) {
    const rates = [await throughput(load), await bareRate(bare)] as const;
    if (round > 0) [ours, theirs].forEach((kept, index) => kept.push(rates[index] ?? Number.NaN));
  }
  // Refused calls also have status 200, so the comments are counted in the database.
  const added = countComments(desk) - before;
  const acknowledged = ours.reduce((sum, rate) => sum + rate * SECONDS, 0);
  if (added < acknowledged) throw new Error(`${added} comments kept of ${Math.round(acknowledged)}`);
  return {
    what: 'comments acknowledged / single-row transactions of bare SQLite, per second',
    ...ratioOf(ours, theirs),
    note: `${WRITERS} connections; the same pragmas`,
  };
}

function countComments({ file }: Desk): number {
  const database = openReader(file);
  const row = database.prepare('select count(*) as number from comments').get();
  database.close();
  return Number(row?.['number']);
}

async function editsAgainst(cached: Desk, uncached: Desk, bare: string): Promise<Row[]> {
  const rates = { cached: [] as number[], uncached: [] as number[], bare: [] as number[] };
  for (let round = 0; round <= ROUNDS; round++) {
    const measured = {
      cached: await editRate(cached, round),
      uncached: await editRate(uncached, round),
      bare: await bareRate(bare),
    };
    if (round === 0) continue;
    for (const kind of ['cached', 'uncached', 'bare'] as const) rates[kind].push(measured[kind]);
  }
  const characters = Math.round(
    cached.articles.reduce((sum, { content }) => sum + content.length, 0) / cached.articles.length,
  );
  return [
    {
      what: 'edits acknowledged / single-row transactions of bare SQLite, per second',
      ...ratioOf(rates.cached, rates.bare),
      note: `${WRITERS} at once, ${characters} characters each: rendered and indexed again`,
    },
    {
      what: 'edits acknowledged per second with the page cache / without',
      ...ratioOf(rates.cached, rates.uncached),
      note: `after ${PAGES_READ} pages were read; the difference to 1 is the cost of invalidation`,
    },
  ];
}

/** Edits per second when every article of the author is changed once, after readers have filled the cache. */
async function editRate(desk: Desk, round: number): Promise<number> {
  await readPages(desk);
  const waiting = [...desk.articles];
  const writer = async (): Promise<void> => {
    for (let article = waiting.pop(); article; article = waiting.pop()) {
      await edit(desk, { ...article, content: `${article.content}\n\n改了 ${round} 次。` });
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: WRITERS }, writer));
  return desk.articles.length / ((performance.now() - started) / 1000);
}

async function readPages({ server, articles }: Desk): Promise<void> {
  const paths = [
    ...articles.map(({ _id }) => `/detail/${_id}`),
    ...Array.from({ length: 40 }, (_, index) => `/tag/detail/${encodeURIComponent(`标签${index}`)}`),
    ...Array.from({ length: PAGES_READ - 40 - articles.length }, (_, index) => `/home?page=${index + 1}`),
  ];
  for (const path of paths) await pageText(server, path);
}

async function pageText(server: Served, path: string): Promise<string> {
  const response = await fetch(server.url + path);
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return response.text();
}

async function edit({ server, token }: Desk, { _id, title, content, tags }: Article): Promise<void> {
  await ask(server, '/api/page/edit', { id: _id, ...publicFields({ title, content, tags }) }, token);
}

const publicFields = ({ title, content, tags }: Omit<Article, '_id'>): Record<string, string> => ({
  title,
  content,
  status: 'normal',
  secret: 'false',
  ...Object.fromEntries(tags.map((tag, index) => [`tags[${index}]`, tag])),
});

/**
 * Publishes and edits. Reads the affected page before each change, and checks it with the first request after
 * the change.
 */
async function publishesSeen(desk: Desk): Promise<Row> {
  const { server, token } = desk;
  const tags = ['标签1'];
  let seen = 0;
  for (let index = 0; index < PUBLISHES / 2; index++) {
    const draft = { title: `刚刚发布的第 ${index} 篇`, content: '一段正文。', tags };
    await pageText(server, '/home');
    const { id } = await ask<{ id: string }>(server, '/api/page/new', publicFields(draft), token);
    if ((await pageText(server, '/home')).includes(draft.title)) seen++;
    await pageText(server, `/detail/${id}`);
    const title = `刚刚改过的第 ${index} 篇`;
    await edit(desk, { _id: id, ...draft, title });
    if ((await pageText(server, `/detail/${id}`)).includes(title)) seen++;
  }
  const ratio = seen / PUBLISHES;
  return {
    what: 'published or edited articles shown by the next request / all',
    ratio,
    spread: [ratio, ratio],
    goal: { atLeast: 1 },
    note: `${seen} of ${PUBLISHES}, alternately on /home and the article's page`,
  };
}

/** Returns the article of the corpus, or of the guides, whose size is closest to `bytes`. */
function articleOf(corpus: string, bytes: number): string {
  const articles = readArticles(existsSync(corpus) ? corpus : GUIDES);
  const distance = (text: string) => Math.abs(Buffer.byteLength(text) - bytes);
  return articles.toSorted((one, other) => distance(one) - distance(other))[0] ?? '';
}

/** Saves one published article again and again, each time with another ending. */
async function savesOf(content: string, desk: Desk): Promise<Row> {
  const article = { title: '反复保存的文章', content, tags: ['标签1'] };
  const { id } = await ask<{ id: string }>(desk.server, '/api/page/new', publicFields(article), desk.token);
  const times: number[] = [];
  for (let index = 0; index < SAVES; index++) {
    const started = performance.now();
    await edit(desk, { _id: id, ...article, content: `${content}\n\n改了 ${index} 次。` });
    times.push(performance.now() - started);
  }
  return {
    what: 'save of a published article of 20 KB, p50',
    ...figureOf(times),
    goal: { atMost: 150 },
    unit: 'ms',
    note: `${Buffer.byteLength(content)} bytes, ${SAVES} saves one after another`,
  };
}
