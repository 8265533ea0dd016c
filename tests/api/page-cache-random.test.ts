import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp, type App } from '../../src/lib/server/app.ts';
import { readConfig } from '../../src/lib/server/config/config.ts';
import { startServer } from '../../src/lib/server/start.ts';
import { createStorage, ENGINE, type TestStorage } from '../engine.ts';
import { amount, oneOf, randomFrom, SEED, tally } from '../trial.ts';
import { clientOf, done, type Answer, type Person } from './server.ts';

/**
 * Concurrent clients write and read the same few pages. Every text names its subject
 * and version (`〔篇3·17〕`), so each page reveals the state it was rendered from. That state must not be
 * older than the last write acknowledged before the request, and must not have been hidden at that time.
 * After each round every page is compared with the page of a server without a cache. On PostgreSQL there are
 * two nodes, and each call goes to either.
 */
const DIST = fileURLToPath(new URL('../../dist', import.meta.url));
const SITE = 'http://site.example';
const CLIENTS = 8;
const ROUNDS = amount('TRUST_ROUNDS', 1, 10);
const CALLS_A_ROUND = 1000;
const TAGS = ['诗', '画', '茶'];

type Client = ReturnType<typeof clientOf>;

/**
 * A text that changes; `shown[v]` tells whether version v is public. Versions are written one after another.
 */
interface Subject {
  name: string;
  shown: boolean[];
  /** Last acknowledged version. */
  acknowledged: number;
}

interface Author {
  person: Person;
  bio: Subject;
  articles: Article[];
}
interface Article {
  id: string;
  title: Subject;
  comment: Subject;
  commentId: string;
}

let dataDir: string;
let storage: TestStorage;
const closing: (() => Promise<void>)[] = [];
/** Servers with a page cache. */
const nodes: Client[] = [];
let uncached: Client;
let numbers: () => { hits: number; misses: number }[];

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'moye-random-'));
  storage = await createStorage(dataDir);
  const open = async (megabytes: string) => {
    const settings = {
      ...storage.settings,
      PORT: '0',
      SITE_URL: SITE,
      RATE_LIMIT: 'off',
      LOG_LEVEL: 'silent',
    };
    const app = await createApp(readConfig({ ...settings, PAGE_CACHE_MB: megabytes }));
    const running = await startServer(app, DIST);
    closing.push(async () => {
      await running.stop();
      await app.close();
    });
    return { app, client: clientOf(`http://127.0.0.1:${running.port}`) };
  };
  const apps: App[] = [];
  for (let node = 0; node < (ENGINE === 'postgres' ? 2 : 1); node++) {
    const { app, client } = await open('64');
    apps.push(app);
    nodes.push(client);
  }
  numbers = () => apps.map(({ pageCache }) => pageCache?.numbers() ?? { hits: 0, misses: 0 });
  uncached = (await open('0')).client;
});
afterAll(async () => {
  for (const close of closing) await close();
  await storage?.remove();
  await rm(dataDir, { recursive: true, force: true });
});

const subject = (name: string): Subject => ({ name, shown: [true], acknowledged: 0 });
const mark = ({ name }: Subject, version: number) => `〔${name}·${version}〕`;

/** Writes the next version of a subject, public or hidden; returns null if the machine was too busy. */
async function advance(subject: Subject, isShown: boolean, write: (text: string) => Promise<Answer>) {
  const version = subject.shown.push(isShown) - 1;
  const answer = await write(mark(subject, version));
  if (answer.status === 503) return null;
  subject.acknowledged = version;
  return { data: done(answer) };
}

function fieldsOf(article: Article, title: string, isShown: boolean, random: () => number) {
  const tags = TAGS.filter(() => random() < 0.5);
  return {
    id: article.id,
    title,
    content: `${title} 正文 ${random()}`,
    tags: tags.length > 0 ? tags : TAGS.slice(0, 1),
    status: isShown || random() < 0.5 ? 'normal' : 'draft',
    secret: String(!isShown),
  };
}

async function write(author: Author, random: () => number): Promise<void> {
  const { token } = author.person;
  const cached = oneOf(nodes, random);
  const article = author.articles[Math.floor(random() * author.articles.length)];
  if (!article) return;
  const kind = random();
  const isVisible = article.title.shown.at(-1) === true;
  if (kind < 0.15) {
    await advance(author.bio, true, (bio) => cached.post('/api/user/updatebio', { bio }, token));
  } else if (kind < 0.6 || !isVisible) {
    const isShown = random() < 0.75;
    await advance(article.title, isShown, async (title) => {
      if (title === '') throw new Error('a title names its version');
      const fields = { ...fieldsOf(article, title, isShown, random), status: isShown ? 'normal' : 'draft' };
      return cached.post('/api/page/edit', fields, token);
    });
  } else if (article.commentId === '') {
    const made = await advance(article.comment, true, (content) =>
      cached.post('/api/comment/create', { content, page_id: article.id }, token),
    );
    article.commentId = made?.data._id ?? '';
  } else {
    const removed = await advance(article.comment, false, () =>
      cached.post('/api/comment/delete', { id: article.commentId }, token),
    );
    if (removed) article.commentId = '';
  }
}

const pathsOf = (authors: readonly Author[]) => [
  '/home',
  '/tag/list',
  ...TAGS.map((tag) => `/tag/detail/${encodeURIComponent(tag)}`),
  ...authors.map(({ person }) => `/user/info/${encodeURIComponent(person.username)}`),
  ...authors.flatMap(({ articles }) => articles.map(({ id }) => `/detail/${id}`)),
  `/home/${encodeURIComponent('正文')}`,
  // Calls, with their fields as a query string.
  '/api/page/pagelist',
  ...TAGS.map((tag) => `/api/page/pagelist?type=tag&content=${tag}`),
  ...authors.map(({ person }) => `/api/page/pagelist?type=create_user&content=${person.username}`),
  '/api/page/searchpage?keywords=正文',
  ...authors.flatMap(({ articles }) => articles.map(({ id }) => `/api/page/detail?id=${id}`)),
  '/api/tag/taglist',
  '/api/tag/alltags',
  '/api/page/feed',
  ...TAGS.map((tag) => `/api/page/feed?kind=tag&name=${tag}`),
  ...authors.map(({ person }) => `/api/page/feed?kind=user&name=${person.username}`),
  ...authors.flatMap(({ articles }) => articles.map(({ id }) => `/api/page/file?id=${id}`)),
];

/** Returns a visitor's response for a page, or for a call with its fields in the query string. */
function ask(client: Client, path: string): Promise<{ status: number; text: string }> {
  if (!path.startsWith('/api/')) return client.send(path);
  const [call = '', query] = path.split('?');
  return client.post(call, Object.fromEntries(new URLSearchParams(query)));
}

/** Reads a page and describes contents that were not valid at any time during the read. */
async function read(
  node: Client,
  path: string,
  subjects: readonly Subject[],
  authors: readonly Author[],
): Promise<string[]> {
  const since = new Map(subjects.map((it) => [it.name, it.acknowledged]));
  const { status, text } = await ask(node, path);
  // Refused because the machine is busy: no page.
  if (status === 503) return [];
  const wrong: string[] = [];
  const versions = new Map<string, Set<number>>();
  for (const [, name = '', version] of text.matchAll(/〔([^·〕]+)·(\d+)〕/g))
    versions.set(name, (versions.get(name) ?? new Set()).add(Number(version)));
  for (const it of subjects) {
    const from = since.get(it.name) ?? 0;
    for (const version of versions.get(it.name) ?? []) {
      if (version < from) wrong.push(`${path} shows ${it.name} as of ${version}, acknowledged was ${from}`);
      if (it.shown[version] !== true) wrong.push(`${path} shows the hidden ${it.name} of ${version}`);
    }
    const mayBeHidden = it.shown.slice(from).includes(false);
    if (!versions.has(it.name) && !mayBeHidden && isExpectedOn(path, it, authors))
      wrong.push(`${path} (${status}) does not show ${it.name}, which was there all the time`);
  }
  return wrong;
}

/** Whether a page names the subject whenever it is public. */
function isExpectedOn(path: string, it: Subject, authors: readonly Author[]): boolean {
  return authors.some(
    ({ person, bio, articles }) =>
      (bio === it && path === `/user/info/${encodeURIComponent(person.username)}`) ||
      articles.some(({ id, title }) => title === it && shownOn(id).includes(path)),
  );
}

const shownOn = (id: string) => [
  '/home',
  `/detail/${id}`,
  '/api/page/feed',
  '/api/page/pagelist',
  `/api/page/detail?id=${id}`,
];

/** The cache stores comment lists as bytes, and separately for viewers who see marks. */
async function compareComments(cached: Client, authors: readonly Author[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const { person, articles } of authors) {
    const asked = articles.flatMap(({ id }) => [undefined, person.token].map((token) => ({ id, token })));
    for (const { id, token } of asked) {
      const list = (client: Client) => client.post('/api/comment/getpagecommentlist', { page_id: id }, token);
      const [first, again, fresh] = [await list(cached), await list(cached), await list(uncached)];
      if (first.text !== fresh.text || again.text !== fresh.text)
        wrong.push(`the comments of ${id} are not what a server without a cache answers`);
    }
  }
  return wrong;
}

async function comparePages(cached: Client, paths: readonly string[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const path of paths) {
    const [first, fresh] = [await ask(cached, path), await ask(uncached, path)];
    const again = await ask(cached, path);
    if (first.text !== fresh.text || again.text !== fresh.text || first.status !== fresh.status)
      wrong.push(`${path} is not what a server without a cache shows`);
  }
  return wrong;
}

async function openAuthors(): Promise<Author[]> {
  const [cached] = nodes as [Client];
  return Promise.all(
    Array.from({ length: 4 }, async (_, index) => {
      const person = await cached.join(`作者${index}`);
      const bio = subject(`简介${index}`);
      done(await cached.post('/api/user/updatebio', { bio: mark(bio, 0) }, person.token));
      const articles: Article[] = [];
      for (const serial of [0, 1]) {
        const title = subject(`篇${index}${serial}`);
        const id = await cached.write(person, { title: mark(title, 0), content: '正文', tags: TAGS });
        const comment: Subject = { ...subject(`留言${index}${serial}`), shown: [false] };
        articles.push({ id, title, comment, commentId: '' });
      }
      return { person, bio, articles };
    }),
  );
}

test(
  'a page shows every write acknowledged before its request',
  { timeout: 300_000 + ROUNDS * 20_000 },
  async () => {
    const authors = await openAuthors();
    const subjects = authors.flatMap(({ bio, articles }) => [
      bio,
      ...articles.flatMap(({ title, comment }) => [title, comment]),
    ]);
    const paths = pathsOf(authors);
    const wrong: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      let calls = 0;
      const client = async (index: number) => {
        const random = randomFrom(SEED * 100_000 + round * 100 + index);
        // Each author writes with one client; the other clients only read.
        const author = authors[index];
        while (calls++ < CALLS_A_ROUND) {
          if (author && random() < 0.5) await write(author, random);
          else wrong.push(...(await read(oneOf(nodes, random), oneOf(paths, random), subjects, authors)));
        }
      };
      await Promise.all(Array.from({ length: CLIENTS }, (_, index) => client(index)));
      tally('calls by eight clients', calls, wrong.length);
      for (const node of nodes) {
        wrong.push(...(await comparePages(node, paths)));
        wrong.push(...(await compareComments(node, authors)));
      }
      expect(wrong).toEqual([]);
    }
    // Proves that the cache was in use.
    for (const { hits, misses } of numbers()) {
      expect(hits).toBeGreaterThan(100 * ROUNDS);
      expect(misses).toBeGreaterThan(100 * ROUNDS);
    }
  },
);
