import type { Page } from '@playwright/test';
import { describe, expect } from 'vitest';
import { twoColours } from '../unit/files/pictures.ts';
import { looks } from './looks.ts';
import { violationsOf } from './axe.ts';
import { test as base } from './fixtures.ts';
import { sizes } from './visit.ts';

const BLOCK = '```js\nconst 甲 = 1;\n```\n\n';
const LONG = Array.from({ length: 40 }, (_, index) => `第 ${index} 行`).join('\n');

const test = base
  .extend('isReaders', { scope: 'file' }, true)
  .extend('picture', { scope: 'file' }, async ({ site, author }) => {
    const bytes = await twoColours(2_000, 1_500).png().toBuffer();
    return (await site.app.services.files.saveImage(author, bytes)).url;
  })
  .extend('article', { scope: 'file' }, ({ site, author, picture }) =>
    site.write(author, {
      cover: picture,
      content: `![山](${picture})\n\n${BLOCK.repeat(100)}\`\`\`\n${LONG}\n\`\`\``,
    }),
  );

const small = (page: Page) => page.getByRole('link', { name: '看大图：山' });
const large = (page: Page) => page.getByRole('dialog', { name: '山' });
const islands = (page: Page) => page.locator('astro-island[component-url*="ArticleTools"]');

describe('an enlarged picture', () => {
  test.for(looks(Object.values(sizes)))(
    'a tap shows it, Escape leads back to it at %o',
    { tags: ['long'] },
    async (viewport, { page, article, picture }) => {
      await page.setViewportSize(viewport);
      await page.goto(`/detail/${article}`);
      await small(page).click();
      await large(page).waitFor();
      const shown = large(page).getByRole('img', { name: '山' });
      await expect
        .poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth))
        .toBeGreaterThan(0);
      const box = await shown.boundingBox();
      expect(box?.width).toBeLessThanOrEqual(viewport.width);
      expect(box?.height).toBeLessThanOrEqual(viewport.height);
      expect(new URL(page.url()).pathname).toBe(`/detail/${article}`);
      expect(await large(page).getByRole('link', { name: '原图' }).getAttribute('href')).toContain(picture);
      await page.keyboard.press('Escape');
      await large(page).waitFor({ state: 'detached' });
      expect(await small(page).evaluate((link) => link === document.activeElement)).toBe(true);
    },
  );

  test(
    'Back and a click close it, and keep the reader in the article',
    { tags: ['long'] },
    async ({ page, article }) => {
      await page.goto('/tag/list');
      await page.goto(`/detail/${article}`);
      for (const close of [() => page.goBack(), () => page.mouse.click(10, 400)]) {
        await small(page).focus();
        await page.keyboard.press('Enter');
        await large(page).waitFor();
        const violations = await violationsOf(page, { include: 'dialog' });
        expect(violations).toEqual([]);
        await close();
        await large(page).waitFor({ state: 'detached' });
        // The enlarged picture adds a history entry. Closing it by a press removes that entry a moment later.
        await expect.poll(() => page.evaluate<unknown>(() => history.state)).toBeNull();
        expect(new URL(page.url()).pathname).toBe(`/detail/${article}`);
      }
      await page.goBack({ waitUntil: 'commit' });
      expect(new URL(page.url()).pathname).toBe('/tag/list');
    },
  );

  test(
    'another tab, and pages without script, show the picture’s file',
    { tags: ['long'] },
    async ({ visit, guest, page, article, picture }) => {
      // The browser's own page for an image file has inline styles.
      guest.forgive(/Applying inline style/);
      await page.goto(`/detail/${article}`);
      await small(page).hover();
      await islands(page).and(page.locator(':not([ssr])')).waitFor({ state: 'attached' });
      const [tab] = await Promise.all([
        guest.context.waitForEvent('page'),
        small(page).click({ modifiers: ['ControlOrMeta'] }),
      ]);
      await tab.waitForURL((url) => url.pathname === picture);
      expect(await large(page).count()).toBe(0);
      const { page: plain, forgive } = await visit({ javaScriptEnabled: false });
      forgive(/Applying inline style/);
      await plain.goto(`/detail/${article}`);
      await small(plain).click();
      await plain.waitForURL((url) => url.pathname === picture);
    },
  );
});

test('one island copies every code block, a folded one completely, and confirms it', async ({
  guest,
  page,
  article,
}) => {
  await guest.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`/detail/${article}`);
  expect(await islands(page).count()).toBe(1);
  const buttons = page.locator('.prose').getByRole('button', { name: '复制' });
  expect(await buttons.count()).toBe(101);
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  // Clicks before the island has loaded.
  await buttons.last().click();
  await page.getByRole('status').filter({ hasText: '已复制' }).waitFor({ state: 'attached' });
  expect((await clipboard()).trim()).toBe(LONG);
  expect(await page.locator('.prose').getByRole('button', { name: '已复制' }).count()).toBe(1);
  await buttons.first().click();
  await expect.poll(clipboard).toBe('const 甲 = 1;\n');
});

test('without a clipboard there is no button', { tags: ['long'] }, async ({ page, article }) => {
  await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'clipboard'));
  await page.goto(`/detail/${article}`);
  await page.locator('.prose').getByRole('button', { name: '复制' }).first().hover();
  await expect.poll(() => page.locator('.copy-button').count()).toBe(0);
});

test(
  'cards and covers use a copy no larger than their space',
  { tags: ['long'] },
  async ({ page, article, picture }) => {
    const taken = (path: string) =>
      page.goto(path).then(() =>
        page
          .locator(`main img[src="${picture}"]`)
          .first()
          .evaluate(async (image: HTMLImageElement) => {
            await image.decode();
            return new URL(image.currentSrc).search;
          }),
      );
    expect(await taken('/home')).toBe('?v=480.avif');
    expect(await taken(`/detail/${article}`)).toBe('?v=960.avif');
  },
);

describe('the key /', () => {
  const field = (page: Page) => page.getByRole('search').getByLabel('搜索标题或内容').locator('visible=true');
  const hasFocus = (page: Page) => field(page).evaluate((input) => input === document.activeElement);

  test.for(looks(Object.values(sizes)))(
    'leads to the search field, Escape leaves it, at %o',
    { tags: ['long'] },
    async (viewport, { page, article }) => {
      await page.setViewportSize(viewport);
      await page.goto(`/detail/${article}`);
      await page.keyboard.press('Control+/');
      await page.keyboard.press('/');
      await expect.poll(() => hasFocus(page)).toBe(true);
      expect(await field(page).inputValue()).toBe('');
      await page.keyboard.press('/');
      expect(await field(page).inputValue()).toBe('/');
      await page
        .locator('astro-island[component-url*="SearchSuggestions"]:not([ssr])')
        .first()
        .waitFor({ state: 'attached' });
      await page.keyboard.press('Escape');
      await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe(null);
    },
  );
});

test.for([true, false])(
  'a video is asked for by a click alone (scripts: %s)',
  { tags: ['long'] },
  async (javaScriptEnabled, { browser, site, author }) => {
    const article = await site.write(author, {
      title: '一支曲子',
      content: '<iframe src="//player.bilibili.com/player.html?bvid=BV1GJ411x7h7" title="一支曲子"></iframe>',
    });
    const context = await browser.newContext({ baseURL: site.url, javaScriptEnabled });
    const page = await context.newPage();
    const asked: string[] = [];
    await context.route(/^https:/, (route) => {
      asked.push(route.request().url());
      return route.fulfill({
        contentType: 'text/html; charset=utf-8',
        body: '<!doctype html><p>在放了</p>',
      });
    });
    await page.goto(`/detail/${article}`, { waitUntil: 'networkidle' });
    const frame = page.frameLocator('iframe[title="一支曲子"]');
    const play = frame.getByRole('link', { name: '播放：一支曲子' });
    await play.waitFor();
    expect(asked).toEqual([]);
    await play.click();
    await frame.getByText('在放了').waitFor();
    expect(asked).toEqual(['https://player.bilibili.com/player.html?bvid=BV1GJ411x7h7']);
    await context.close();
  },
);
