import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { describe, expect } from 'vitest';
import { test as base } from './fixtures.ts';
import { inlineScriptWeight, putOnScale, weighIslands, weightOf } from './weigh.ts';

/** Page budgets in bytes over the wire. */
const BUDGET = {
  script: 2_500,
  htmlAndCss: 24_000,
  /** The document and its style sheets, without images. */
  requests: 3,
  /** Fonts of a page with formulas of ordinary letters and signs; no other page loads a font. */
  mathFont: 60_000,
  headerIsland: 75_000,
  commentIsland: 15_000,
};
const IMAGES = ['image', 'other'];

const test = base
  .extend('article', { scope: 'file', auto: true }, async ({ site, author }) => {
    // 3,000 characters and 6 code blocks.
    const content = await readFile(new URL('../fixtures/weight/article.md', import.meta.url), 'utf8');
    const fields = { content, tags: ['数据库', '自建'] };
    for (let index = 0; index < 10; index++)
      await site.write(author, { ...fields, title: `把博客搬进一个文件（${index}）` });
    return site.write(author, { ...fields, title: '把博客搬进一个文件（10）' });
  })
  // Starts before the first request.
  .extend('scale', { auto: true }, ({ page }) => putOnScale(page));

const settled = (page: Page) => page.waitForLoadState('networkidle');

test('an article loads styles for code, formulas and diagrams only when needed', async ({
  site,
  author,
  page,
}) => {
  const styles = async (content: string) => {
    await page.goto(`/detail/${await site.write(author, { title: '样式', content })}`);
    const addresses = await page
      .locator('link[rel=stylesheet]')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
    return addresses.flatMap((address) => /(code|math|diagram)\./.exec(address)?.[1] ?? []);
  };
  expect(await styles('`行内`的 math、diagram 与 code-block，价格 $5')).toEqual([]);
  expect(await styles('$x$')).toEqual(['math']);
  expect(await styles('```js\n1\n```')).toEqual(['code']);
  expect(await styles('```mermaid\ngraph TD\nA-->B\n```')).toEqual(['code', 'diagram']);
});

test('an article with formulas loads a math font, in which brackets grow with their content', async ({
  site,
  author,
  page,
  scale,
}) => {
  const content = '$$\\left(\\frac{\\frac{a}{b}}{\\frac{c}{d}}\\right)$$\n\n设 $x_1$ 与 $\\sqrt{y}$';
  await page.goto(`/detail/${await site.write(author, { title: '公式', content })}`);
  await settled(page);
  const arrivals = await scale.arrivals();
  const fonts = arrivals.filter(({ type }) => type === 'font');
  expect(fonts.map(({ url }) => new URL(url).origin)).toEqual([site.url]);
  expect(weightOf(fonts, 'font')).toBeLessThanOrEqual(BUDGET.mathFont);
  expect(weightOf(arrivals, 'document', 'stylesheet')).toBeLessThanOrEqual(BUDGET.htmlAndCss);
  const [bracket = 0, fraction = 0] = await page
    .locator('math')
    .first()
    .evaluate((math) =>
      ['mo', 'mfrac'].map((name) => math.querySelector(name)?.getBoundingClientRect().height ?? 0),
    );
  expect(bracket).toBeGreaterThan(0.8 * fraction);
});

describe.each([
  ['the front page', () => '/home'],
  ['an article', (article: string) => `/detail/${article}`],
  ['a tag', () => '/tag/detail/数据库'],
  ['the list of tags', () => '/tag/list'],
  ['a profile', () => '/user/info/林间'],
  ['a search', () => '/home/搬家'],
])('%s, as a visitor sees it', (_name, pathOf) => {
  test.beforeEach(async ({ page, article }) => {
    await page.goto(pathOf(article));
    await settled(page);
  });

  test('carries at most 2.5 KB of script', async ({ page }) => {
    expect(await inlineScriptWeight(page)).toBeLessThanOrEqual(BUDGET.script);
  });

  test('loads no script and no font, and nothing from other origins', async ({ site, page, scale }) => {
    await page.mouse.wheel(0, 300);
    // Scrolling to the end is no interaction that hydrates islands.
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await settled(page);
    const arrivals = await scale.arrivals();
    expect(arrivals.filter(({ type }) => type === 'script' || type === 'font')).toEqual([]);
    expect(new Set(arrivals.map(({ url }) => new URL(url).origin))).toEqual(new Set([site.url]));
  });

  test('weighs at most 24 KB with its styles, in three requests', async ({ scale }) => {
    const arrivals = (await scale.arrivals()).filter(({ type }) => !IMAGES.includes(type));
    const sheets = arrivals.filter(({ type }) => type === 'stylesheet');
    // Only the article contains code.
    expect(
      sheets.map(({ url }) => /\/(\w+)\.[^/]*$/.exec(url)?.[1]).filter((name) => name !== 'Shell'),
    ).toEqual(_name === 'an article' ? ['code'] : []);
    expect(arrivals.length).toBeLessThanOrEqual(BUDGET.requests);
    expect(weightOf(arrivals, 'document', 'stylesheet')).toBeLessThanOrEqual(BUDGET.htmlAndCss);
  });
});

test('the header costs at most 75 KB, the comments 15 KB more', async ({ page, article, scale }) => {
  await page.goto(`/detail/${article}`);
  await settled(page);
  const { header, comments } = await weighIslands(page, scale);
  // Guards against a measurement that weighed nothing.
  expect(header).toBeGreaterThan(0);
  expect(header).toBeLessThanOrEqual(BUDGET.headerIsland);
  expect(comments).toBeGreaterThan(0);
  expect(comments).toBeLessThanOrEqual(BUDGET.commentIsland);
});
