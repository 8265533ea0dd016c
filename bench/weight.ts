import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import lighthouse from 'lighthouse';
import sharp from 'sharp';
import { createApp, type App } from '../src/lib/server/app.ts';
import { readConfig } from '../src/lib/server/config/config.ts';
import { browserArguments, findExecutable } from '../tests/e2e/browser.ts';
import { inlineScriptWeight, putOnScale, weighIslands, weightOf } from '../tests/e2e/weigh.ts';
import { freePort, keepOffServers, letLoose, serveProduct } from './processes.ts';
import { seeded } from './seed.ts';
import { median, type Row } from './stats.ts';

/** 3,000 characters and 6 code blocks; the budget test weighs the same article (tests/e2e/weight.test.ts). */
const ARTICLE = new URL('../tests/fixtures/weight/article.md', import.meta.url);
const AUTHOR = '林间';
const ROUNDS = 3;
/** Attempts before a Lighthouse run counts as having no result. */
const MAX_ATTEMPTS = 3;
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'];
const TIMINGS: { audit: string; what: string; unit?: string }[] = [
  { audit: 'largest-contentful-paint', what: 'largest contentful paint', unit: 'ms' },
  { audit: 'total-blocking-time', what: 'total blocking time', unit: 'ms' },
  { audit: 'cumulative-layout-shift', what: 'cumulative layout shift' },
];

/** Section `weight`: bytes and requests of public pages, and Lighthouse's results on its default phone. */
export async function benchWeight(dataFolder: string, corpus: string): Promise<Row[]> {
  // A separate copy, because an article is published into it.
  const folder = await seeded('few', join(dataFolder, 'weight'), corpus);
  const paths = await publishArticle(folder);
  const product = await serveProduct(folder);
  try {
    return [...(await weigh(product.url, paths)), ...(await judge(product.url, paths))];
  } finally {
    await product.stop();
  }
}

type Paths = Record<'home' | 'article' | 'tag' | 'tags' | 'profile' | 'log', string>;

/** Publishes the article once per folder, by an author with an avatar. */
async function publishArticle(folder: string): Promise<Paths> {
  const app = await createApp(readConfig({ DATA_DIR: folder, LOG_LEVEL: 'error' }));
  try {
    const { users, articles } = app.services;
    const id = (await users.find(AUTHOR))?._id ?? (await addAuthor(app));
    const own = { of: 'author', authorId: id } as const;
    const { result } = await articles.list(own, { page: 1, pageSize: 10 });
    return {
      home: '/home',
      article: `/detail/${result[0]?.id}`,
      tag: `/tag/detail/${encodeURIComponent('标签1')}`,
      tags: '/tag/list',
      profile: `/user/info/${encodeURIComponent(AUTHOR)}`,
      log: '/changelog',
    };
  } finally {
    await app.close();
  }
}

async function addAuthor({ services: { auth, files, articles } }: App): Promise<string> {
  const bio = '写字的人，住在山里。偶尔写代码。';
  const id = await auth.addUser({ username: AUTHOR, password: 'weighed-author', gender: 'x', bio });
  const ground = { width: 256, height: 256, channels: 3, background: '#2c4a84' } as const;
  const avatar = await sharp({ create: ground }).png().toBuffer();
  await files.saveAvatar({ id }, `data:image/png;base64,${avatar.toString('base64')}`);
  const parts = (await readFile(ARTICLE, 'utf8')).split(/\n(?=## )/);
  const fields = { tags: ['数据库', '自建'], type: '', status: 'normal' as const, secret: false };
  for (let days = 0; days < 10; days++) {
    const title = days === 0 ? '把博客搬进一个文件' : `把博客搬进一个文件（${days}）`;
    // Each starts with a different part, because identical articles would make the author's page compress
    // better than a real one. They are too old to be shown on /home.
    const content = [...parts.slice(days % parts.length), ...parts.slice(0, days % parts.length)].join('\n');
    const create_time = Date.UTC(2019, 11, 31 - days);
    await articles.create(
      { ...fields, title, content, create_time },
      { id, username: AUTHOR, signinId: '', origin: '' },
    );
  }
  return id;
}

/** A deterministic count with an upper bound `atMost`. */
const exact = (what: string, value: number, atMost: number, unit?: string): Row => ({
  what,
  ratio: value,
  spread: [value, value],
  goal: { atMost },
  ...(unit === undefined ? {} : { unit }),
});
const kilobytes = (what: string, bytes: number, atMost: number): Row =>
  exact(what, bytes / 1_000, atMost, 'KB');

async function weigh(url: string, paths: Paths): Promise<Row[]> {
  const browser = await chromium.launch({
    executablePath: await findExecutable({ isWhole: true }),
    args: browserArguments(),
  });
  const rows: Row[] = [];
  try {
    for (const [name, path] of Object.entries(paths)) {
      const page = await browser.newPage();
      rows.push(...(await weighPage(page, name, url + path)));
      if (name === 'article') rows.push(...(await islandRows(page)));
      await page.close();
    }
  } finally {
    await browser.close();
  }
  return rows;
}

async function weighPage(page: Page, name: string, url: string): Promise<Row[]> {
  const scale = putOnScale(page);
  await page.goto(url, { waitUntil: 'networkidle' });
  const arrivals = (await scale.arrivals()).filter(({ type }) => type !== 'image' && type !== 'other');
  const pageBytes = weightOf(arrivals, 'document', 'stylesheet');
  return [
    kilobytes(`${name}: inline script, brotli`, await inlineScriptWeight(page), 2.5),
    exact(`${name}: script requests`, arrivals.filter(({ type }) => type === 'script').length, 0),
    kilobytes(`${name}: HTML and CSS, brotli`, pageBytes, 24),
    exact(`${name}: requests without images`, arrivals.length, 3),
  ];
}

async function islandRows(page: Page): Promise<Row[]> {
  const { header, comments } = await weighIslands(page, putOnScale(page));
  return [
    kilobytes('header island, brotli', header, 75),
    kilobytes('comment island, additional, brotli', comments, 15),
  ];
}

async function judge(url: string, paths: Paths): Promise<Row[]> {
  const port = await freePort();
  // Nothing is compared here. Threads of a browser on one core wait for each other, which Lighthouse counts
  // as work of the page (median blocking time 110–330 ms; 0–40 ms with all cores).
  letLoose();
  const browser = await chromium.launch({
    executablePath: await findExecutable({ isWhole: true }),
    args: [...browserArguments(), `--remote-debugging-port=${port}`],
  });
  try {
    const rows: Row[] = [];
    // A browser that has just started is slow, which would distort the first page.
    await lighthouse(url + paths.home, { port, logLevel: 'error', onlyCategories: CATEGORIES });
    for (const [name, path] of Object.entries(paths)) rows.push(...(await judgePage(name, url + path, port)));
    return rows;
  } finally {
    await browser.close();
    keepOffServers();
  }
}

/** Returns Lighthouse's report of a page. Retries, because it occasionally returns no trace and no score. */
async function lighthouseOf(url: string, port: number) {
  for (let tries = 0; tries < MAX_ATTEMPTS; tries++) {
    const result = await lighthouse(url, { port, logLevel: 'error', onlyCategories: CATEGORIES });
    if (result && CATEGORIES.every((key) => typeof result.lhr.categories[key]?.score === 'number'))
      return result.lhr;
  }
  throw new Error(`Lighthouse has nothing to say of ${url}`);
}

async function judgePage(name: string, url: string, port: number): Promise<Row[]> {
  const values = new Map<string, number[]>();
  const faults = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    const { categories, audits } = await lighthouseOf(url, port);
    const note = (key: string, value: number) => values.set(key, [...(values.get(key) ?? []), value]);
    for (const key of CATEGORIES) {
      const category = categories[key];
      note(key, Math.round((category?.score ?? 0) * 100));
      for (const { id, weight } of category?.auditRefs ?? [])
        if (weight > 0 && (audits[id]?.score ?? 1) < 0.9) faults.add(id);
    }
    for (const { audit } of TIMINGS) note(audit, audits[audit]?.numericValue ?? Number.NaN);
  }
  const row = (key: string, what: string): Row => {
    const all = values.get(key) ?? [];
    return { what: `${name}: ${what}`, ratio: median(all), spread: [Math.min(...all), Math.max(...all)] };
  };
  const note = faults.size > 0 ? { note: [...faults].join(' ') } : {};
  return [
    ...CATEGORIES.map((key) => ({ ...row(key, `Lighthouse ${key}`), goal: { atLeast: 100 }, ...note })),
    ...TIMINGS.map(({ audit, what, unit }) => ({ ...row(audit, what), ...(unit ? { unit } : {}) })),
  ];
}
