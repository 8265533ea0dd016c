import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import lighthouse from 'lighthouse';
import { createApp } from '../src/lib/server/app.ts';
import { readConfig } from '../src/lib/server/config.ts';
import { browserArguments, findExecutable } from '../tests/e2e/browser.ts';
import { inlineScriptWeight, putOnScale, weightOf } from '../tests/e2e/weigh.ts';
import { freePort, serveProduct } from './processes.ts';
import { seeded } from './seed.ts';
import { median, type Row } from './stats.ts';

/** 3,000 characters, 6 code blocks; the test of the budget weighs the same (tests/e2e/weight.test.ts). */
const ARTICLE = new URL('../tests/fixtures/weight/article.md', import.meta.url);
const ROUNDS = 3;
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'];
/** What a reader waits for, by the names of Lighthouse's audits. */
const TIMINGS = {
  'largest-contentful-paint': 'largest contentful paint, ms',
  'total-blocking-time': 'total blocking time, ms',
  'cumulative-layout-shift': 'layout shift',
};

/** Section `weight`: bytes and requests of public pages, and what Lighthouse says of them on its default phone. */
export async function benchWeight(dataFolder: string, corpus: string): Promise<Row[]> {
  // A copy of its own: an article is published into it.
  const folder = await seeded('few', join(dataFolder, 'weight'), corpus);
  const paths = await publishArticle(folder);
  const product = await serveProduct(folder);
  try {
    return [...(await weigh(product.url, paths)), ...(await judge(product.url, paths))];
  } finally {
    await product.stop();
  }
}

type Paths = Record<'home' | 'article' | 'tag' | 'profile', string>;

async function publishArticle(folder: string): Promise<Paths> {
  const app = await createApp(readConfig({ DATA_DIR: folder, LOG_LEVEL: 'error' }));
  try {
    const { auth, users, articles } = app.services;
    const username = '林间';
    const bio = '写字的人，住在山里。偶尔写代码。';
    const id =
      (await users.find(username))?._id ??
      (await auth.addUser({ username, password: 'weighed-author', gender: 'x', bio }));
    const content = await readFile(ARTICLE, 'utf8');
    const fields = { title: '把博客搬进一个文件', content, tags: ['数据库', '自建'], type: '' };
    const made = await articles.create(
      { ...fields, status: 'normal', secret: false },
      { id, username, signinId: '' },
    );
    return {
      home: '/home',
      article: `/detail/${made.id}`,
      tag: `/tag/detail/${encodeURIComponent('标签1')}`,
      profile: `/user/info/${encodeURIComponent('作者1')}`,
    };
  } finally {
    await app.close();
  }
}

const exact = (what: string, value: number, goal?: Row['goal']): Row => ({
  what,
  ratio: value,
  spread: [value, value],
  ...(goal ? { goal } : {}),
});

async function weigh(url: string, paths: Paths): Promise<Row[]> {
  const browser = await chromium.launch({ executablePath: await findExecutable(), args: browserArguments() });
  const rows: Row[] = [];
  try {
    for (const [name, path] of Object.entries(paths)) {
      const page = await browser.newPage();
      rows.push(...(await weighPage(page, name, url + path)));
      if (name === 'article') rows.push(...(await weighIslands(page)));
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
    exact(`${name}: inline script, bytes brotli`, await inlineScriptWeight(page), { atMost: 2_500 }),
    exact(`${name}: script requests`, arrivals.filter(({ type }) => type === 'script').length, { atMost: 0 }),
    exact(`${name}: HTML and CSS, bytes brotli`, pageBytes, { atMost: 22_000 }),
    exact(`${name}: requests besides images`, arrivals.length, { atMost: 3 }),
  ];
}

async function weighIslands(page: Page): Promise<Row[]> {
  const scale = putOnScale(page);
  const weightAfter = async (interact: () => Promise<void>) => {
    scale.tare();
    await interact();
    await page.waitForLoadState('networkidle');
    // What an island loads in turn.
    await page.waitForTimeout(1_000);
    return weightOf(await scale.arrivals(), 'script', 'stylesheet');
  };
  const header = await weightAfter(() =>
    page.getByRole('banner').getByRole('link', { name: '写文章' }).hover(),
  );
  const comments = await weightAfter(() =>
    page.getByRole('heading', { name: '评论' }).scrollIntoViewIfNeeded(),
  );
  return [
    exact('header island, bytes brotli', header, { atMost: 75_000 }),
    exact('comment island besides, bytes brotli', comments, { atMost: 15_000 }),
  ];
}

async function judge(url: string, paths: Paths): Promise<Row[]> {
  const port = await freePort();
  const browser = await chromium.launch({
    executablePath: await findExecutable(),
    args: [...browserArguments(), `--remote-debugging-port=${port}`],
  });
  try {
    const rows: Row[] = [];
    for (const [name, path] of Object.entries(paths)) rows.push(...(await judgePage(name, url + path, port)));
    return rows;
  } finally {
    await browser.close();
  }
}

async function judgePage(name: string, url: string, port: number): Promise<Row[]> {
  const values = new Map<string, number[]>();
  const faults = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    const result = await lighthouse(url, { port, logLevel: 'error', onlyCategories: CATEGORIES });
    if (!result) throw new Error(`Lighthouse has nothing to say of ${url}`);
    const { categories, audits } = result.lhr;
    const note = (key: string, value: number) => values.set(key, [...(values.get(key) ?? []), value]);
    for (const key of CATEGORIES) {
      const category = categories[key];
      note(key, Math.round((category?.score ?? 0) * 100));
      for (const { id, weight } of category?.auditRefs ?? [])
        if (weight > 0 && (audits[id]?.score ?? 1) < 0.9) faults.add(id);
    }
    for (const key of Object.keys(TIMINGS)) note(key, audits[key]?.numericValue ?? Number.NaN);
  }
  const row = (key: string, what: string, goal?: Row['goal']): Row => {
    const all = values.get(key) ?? [];
    return {
      what,
      ratio: median(all),
      spread: [Math.min(...all), Math.max(...all)],
      ...(goal ? { goal } : {}),
    };
  };
  const note = faults.size > 0 ? { note: [...faults].join(' ') } : {};
  return [
    ...CATEGORIES.map((key) => ({ ...row(key, `${name}: Lighthouse ${key}`, { atLeast: 100 }), ...note })),
    ...Object.entries(TIMINGS).map(([key, what]) => row(key, `${name}: ${what}`)),
  ];
}
