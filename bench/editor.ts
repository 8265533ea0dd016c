import { existsSync, readFileSync, rmSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from '@playwright/test';
import { createApp, type App } from '../src/lib/server/app.ts';
import { readConfig } from '../src/lib/server/config/config.ts';
import { browserArguments, findExecutable } from '../tests/e2e/browser.ts';
import { keepOffServers, letLoose, serveProduct, type Served } from './processes.ts';
import { quantile, type Row } from './stats.ts';

const AUTHOR = { username: '写作者', password: 'measured-author' };
const SIZES = [1_000, 20_000, 100_000, 200_000];
/** Characters left free for typing during the measurement; an article holds at most 200,000. */
const ROOM = 500;
const KEYS = 60;
const PREVIEWS = 10;
/**
 * Odd, so the median is one of the rounds; with an even number it would be the slower one of the middle two.
 */
const ROUNDS = 3;
/** A fast typist; long enough for the preview to be drawn between two keys. */
const BETWEEN_KEYS_MS = 180;
const SETTLED_MS = 2_500;

interface Measured {
  key: number;
  longTasks: number;
  preview: number;
}

/**
 * Section `editor`: the time from a key press to the frame that shows it, and to the preview that shows it,
 * in articles of growing length. Goals are absolute times, because authors feel them directly.
 */
export async function benchEditor(dataFolder: string, corpus: string): Promise<Row[]> {
  const folder = join(dataFolder, 'editor');
  rmSync(folder, { recursive: true, force: true });
  const ids = await publish(folder, await readText(corpus));
  const product = await serveProduct(folder);
  // This section measures no load: a browser draws with several processes, as an author's browser does.
  letLoose();
  const browser = await chromium.launch({
    executablePath: await findExecutable({ isWhole: true }),
    args: browserArguments(),
  });
  try {
    const rounds: Measured[][] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const measured: Measured[] = [];
      for (const id of ids) measured.push(await measure(browser, product, id));
      rounds.push(measured);
    }
    return SIZES.flatMap((_, index) => report(rounds, index));
  } finally {
    await browser.close();
    await product.stop();
    keepOffServers();
  }
}

/**
 * Text of the articles in `corpus`, or of the guides when it does not exist. Pictures are removed, so none is
 * downloaded.
 */
async function readText(corpus: string): Promise<string> {
  const root = existsSync(corpus) ? corpus : new URL('../src/lib/server/guides', import.meta.url).pathname;
  const names = (await Array.fromAsync(glob('**/*.md', { cwd: root }))).sort();
  const texts = names.map((name) => readFileSync(join(root, name), 'utf8').replace(/^---\n.*?\n---\n/s, ''));
  const text = texts.join('\n\n').replace(/!\[[^\]]*\]\([^)]*\)|<img[^>]*>/g, '');
  return text.repeat(Math.ceil(Math.max(...SIZES) / text.length));
}

async function publish(folder: string, text: string): Promise<string[]> {
  const app: App = await createApp(readConfig({ DATA_DIR: folder, LOG_LEVEL: 'error', RATE_LIMIT: 'off' }));
  try {
    const { auth, articles } = app.services;
    const id = await auth.addUser({ ...AUTHOR, gender: 'x', bio: '' });
    const viewer = { id, username: AUTHOR.username, signinId: '', origin: '' };
    const fields = { tags: ['长文'], type: '', status: 'draft' as const, secret: false };
    const ids: string[] = [];
    for (const size of SIZES) {
      const content = text.slice(0, size - ROOM);
      ids.push((await articles.create({ ...fields, title: `${size} 字`, content }, viewer)).id);
    }
    return ids;
  } finally {
    await app.close();
  }
}

async function measure(browser: Browser, product: Served, id: string): Promise<Measured> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  try {
    const response = await fetch(`${product.url}/api/signin`, {
      method: 'POST',
      body: new URLSearchParams(AUTHOR),
    });
    const { data } = (await response.json()) as { data: { token: string; refresh_token: string } };
    const cookies = {
      user: encodeURIComponent(AUTHOR.username),
      token: data.token,
      refreshToken: data.refresh_token,
    };
    await context.addCookies(
      Object.entries(cookies).map(([name, value]) => ({ name, value, url: product.url })),
    );
    const page = await context.newPage();
    await page.addInitScript(watchKeys);
    await page.goto(`${product.url}/edit/${id}`);
    await page.getByRole('textbox', { name: '正文' }).click();
    await page.locator('.preview .prose > *').first().waitFor();
    // Starts a new paragraph: text typed into an HTML tag, for example, would not show in the preview.
    for (const key of ['Control+End', 'Enter', 'Enter']) await page.keyboard.press(key);
    await page.waitForTimeout(SETTLED_MS);
    return { ...(await typeKeys(page)), preview: await timePreviews(page) };
  } finally {
    await context.close();
  }
}

/** Records key latencies and long tasks. Runs in the page. */
function watchKeys(): void {
  const noted = { keys: [] as number[], longTasks: 0, preview: Promise.resolve(0) };
  Object.assign(globalThis, { noted });
  const afterFrame = (done: () => void) =>
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener('message', done);
      port1.start();
      port2.postMessage(null);
    });
  addEventListener(
    'keydown',
    ({ timeStamp }) => afterFrame(() => noted.keys.push(performance.now() - timeStamp)),
    true,
  );
  new PerformanceObserver((list) => (noted.longTasks += list.getEntries().length)).observe({
    type: 'longtask',
  });
}

async function typeKeys(page: Page): Promise<Omit<Measured, 'preview'>> {
  await page.evaluate(() => Object.assign(noted, { keys: [], longTasks: 0 }));
  for (let count = 0; count < KEYS; count++) {
    await page.keyboard.press('abcdefghij'[count % 10] ?? 'a');
    await page.waitForTimeout(BETWEEN_KEYS_MS);
  }
  const { keys, longTasks } = await page.evaluate(() => noted);
  return { key: quantile(keys, 0.9), longTasks };
}

async function timePreviews(page: Page): Promise<number> {
  const times: number[] = [];
  for (let count = 0; count < PREVIEWS; count++) {
    await page.waitForTimeout(SETTLED_MS / 2);
    // Must precede the key: an evaluation that is not awaited may start after it.
    await page.evaluate(awaitPreview);
    await page.keyboard.press('k');
    times.push(await page.evaluate(() => noted.preview));
  }
  return quantile(times, 0.5);
}

/** Records how long the preview takes to show the next key. Runs in the page. */
function awaitPreview(): void {
  const root = document.querySelector('.preview-body');
  noted.preview = new Promise<number>((resolve, reject) => {
    setTimeout(() => reject(new Error('the preview did not follow a key')), 30_000);
    const begin = ({ timeStamp }: KeyboardEvent) => {
      const observer = new MutationObserver(() => {
        observer.disconnect();
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - timeStamp)));
      });
      if (root) observer.observe(root, { childList: true, subtree: true, characterData: true });
    };
    addEventListener('keydown', begin, { capture: true, once: true });
  });
}

function report(rounds: readonly Measured[][], index: number): Row[] {
  const size = SIZES[index] ?? 0;
  const valuesOf = (read: (measured: Measured) => number, at = index) =>
    rounds.map((round) => round[at]).flatMap((measured) => (measured ? [read(measured)] : []));
  const row = (what: string, read: (measured: Measured) => number, atMost: number, unit: string): Row[] => {
    const values = valuesOf(read);
    const first = quantile(valuesOf(read, 0), 0.5);
    const middle = quantile(values, 0.5);
    const spread: [number, number] = [Math.min(...values), Math.max(...values)];
    const name = `${what}, ${size.toLocaleString('en')} characters`;
    const ratio: Row = {
      what: `${name} / ${(SIZES[0] ?? 0).toLocaleString('en')}`,
      ratio: middle / first,
      spread: [spread[0] / first, spread[1] / first],
    };
    return [
      { what: name, ratio: middle, spread, goal: { atMost }, unit },
      ...(index > 0 && first > 0 ? [ratio] : []),
    ];
  };
  return [
    ...row('key → frame, p90', ({ key }) => key, 32, 'ms'),
    ...row('long tasks while typing', ({ longTasks }) => longTasks, 0, 'tasks'),
    ...row('key → preview, p50', ({ preview }) => preview, 300, 'ms'),
  ];
}

declare global {
  /** Set by `watchKeys` in the page. */
  var noted: { keys: number[]; longTasks: number; preview: Promise<number> };
}
