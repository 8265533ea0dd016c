import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { describe, expect } from 'vitest';
import { test as base } from './fixtures.ts';
import { inlineScriptWeight, putOnScale, weighIslands, weightOf } from './weigh.ts';

/** What a page may weigh, in bytes over the wire. */
const BUDGET = {
  script: 2_500,
  htmlAndCss: 22_000,
  /** The document and its style sheets; images are not counted. */
  requests: 3,
  headerIsland: 75_000,
  commentIsland: 15_000,
};
const IMAGES = ['image', 'other'];

const test = base
  .extend('article', { scope: 'file', auto: true }, async ({ site, author }) => {
    // 3,000 characters, 6 code blocks.
    const content = await readFile(new URL('../fixtures/weight/article.md', import.meta.url), 'utf8');
    const fields = { content, tags: ['数据库', '自建'] };
    for (let index = 0; index < 10; index++)
      await site.write(author, { ...fields, title: `把博客搬进一个文件（${index}）` });
    return site.write(author, { ...fields, title: '把博客搬进一个文件（10）' });
  })
  // It weighs from the first request on.
  .extend('scale', { auto: true }, ({ page }) => putOnScale(page));

const settled = (page: Page) => page.waitForLoadState('networkidle');

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

  test('loads no script and no font, and nothing from elsewhere', async ({ site, page, scale }) => {
    await page.mouse.wheel(0, 300);
    // Who reads to the end touches nothing.
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await settled(page);
    const arrivals = await scale.arrivals();
    expect(arrivals.filter(({ type }) => type === 'script' || type === 'font')).toEqual([]);
    expect(new Set(arrivals.map(({ url }) => new URL(url).origin))).toEqual(new Set([site.url]));
  });

  test('weighs at most 22 KB with its styles, in three requests', async ({ site, scale }) => {
    const arrivals = (await scale.arrivals()).filter(({ type }) => !IMAGES.includes(type));
    const sheets = arrivals.filter(({ type }) => type === 'stylesheet');
    // The styles of code come with an article that has some.
    expect(sheets).toHaveLength(/^\/detail\//.test(new URL(arrivals[0]?.url ?? site.url).pathname) ? 2 : 1);
    expect(arrivals.length).toBeLessThanOrEqual(BUDGET.requests);
    expect(weightOf(arrivals, 'document', 'stylesheet')).toBeLessThanOrEqual(BUDGET.htmlAndCss);
  });
});

test('the header costs at most 75 KB, the comments 15 KB more', async ({ page, article, scale }) => {
  await page.goto(`/detail/${article}`);
  await settled(page);
  const { header, comments } = await weighIslands(page, scale);
  // Nothing at all would mean that nothing was weighed.
  expect(header).toBeGreaterThan(0);
  expect(header).toBeLessThanOrEqual(BUDGET.headerIsland);
  expect(comments).toBeGreaterThan(0);
  expect(comments).toBeLessThanOrEqual(BUDGET.commentIsland);
});
