import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from '@playwright/test';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { launchBrowser } from './browser.ts';
import { openSite, type Site } from './site.ts';
import { sizes, visit, type Visit } from './visit.ts';

/** The avatar menu of the header, DESIGN.md §4 "Chrome". */
let site: Site;
let browser: Browser;
let guest: Visit;
let page: Page;

beforeAll(async () => {
  site = await openSite();
  browser = await launchBrowser();
  await site.join('林间');
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});
beforeEach(() => open());
afterEach(() => guest.end());

async function open(options: Parameters<typeof visit>[2] = {}): Promise<void> {
  guest = await visit(browser, site, options);
  page = guest.page;
}
async function reopen(options: Parameters<typeof visit>[2]): Promise<void> {
  await guest.end();
  await open(options);
}
const signedIn = (size: keyof typeof sizes = 'desktop') =>
  reopen({ username: '林间', viewport: sizes[size] });

const header = () => page.getByRole('banner');
const account = () => header().getByRole('button', { name: /^账户/ });
const item = (name: string) => header().getByRole('link', { name, exact: true });
const leave = () => header().getByRole('button', { name: '退出' });
const here = () => decodeURIComponent(new URL(page.url()).pathname);
/** The header's island has come. */
const hydrated = () => account().and(page.locator('[aria-controls]')).waitFor();

describe('the avatar menu', () => {
  const pages = {
    我的主页: '/user/info/林间',
    我的文章: '/user/list',
    我的草稿: '/user/draft',
    我的评论: '/comment/list',
  };
  const isOpen = () => item('我的草稿').isVisible();

  beforeEach(async () => {
    await signedIn();
    await page.goto('/changelog');
    await hydrated();
  });

  test('leads to the own pages', async () => {
    await account().click();
    for (const [name, path] of Object.entries(pages))
      expect(decodeURIComponent((await item(name).getAttribute('href')) ?? '')).toBe(path);
    expect(await account().getAttribute('aria-expanded')).toBe('true');
    expect(await account().getAttribute('aria-label')).toBe('账户，林间');
  });

  test('opens on hover and closes 300 ms after the pointer has left, unless it comes back', async () => {
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await account().hover();
    await expect.poll(isOpen).toBe(true);
    await item('我的草稿').hover();
    await page.mouse.move(300, 600);
    await page.clock.runFor(299);
    expect(await isOpen()).toBe(true);
    await item('我的草稿').hover();
    await page.clock.runFor(1000);
    expect(await isOpen()).toBe(true);
    await page.mouse.move(300, 600);
    await page.clock.runFor(300);
    await expect.poll(isOpen).toBe(false);
  });

  test('a press of the mouse keeps open what hovering has opened; a press elsewhere closes it', async () => {
    await account().hover();
    await account().click();
    expect(await isOpen()).toBe(true);
    await page.mouse.click(300, 600);
    expect(await isOpen()).toBe(false);
  });

  test('works by keyboard alone', async () => {
    await header().getByRole('link', { name: '没有未读评论' }).focus();
    await page.keyboard.press('Tab');
    expect(await isOpen()).toBe(true);
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => item('我的主页').evaluate((link) => link === document.activeElement)).toBe(true);
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => leave().evaluate((link) => link === document.activeElement)).toBe(true);
    await page.keyboard.press('Escape');
    expect(await isOpen()).toBe(false);
    expect(await account().evaluate((button) => button === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    expect(await isOpen()).toBe(true);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL('/user/list');
  });

  test('tabbing on closes it', async () => {
    await account().focus();
    expect(await isOpen()).toBe(true);
    await page.keyboard.press('Shift+Tab');
    expect(await isOpen()).toBe(false);
  });

  test('opens and closes by touch', async () => {
    await reopen({ username: '林间', viewport: sizes.phone, hasTouch: true, isMobile: true });
    await page.goto('/changelog');
    await hydrated();
    await account().tap();
    await expect.poll(isOpen).toBe(true);
    await account().tap();
    await expect.poll(isOpen).toBe(false);
    await account().tap();
    await item('我的草稿').tap();
    await page.waitForURL('/user/draft');
  });

  test('退出 stays on a page that is for everybody, in all tabs', async () => {
    // What a page asked by itself may meet the end of the sign-in.
    guest.forgive(/402/);
    const other = await guest.tab();
    await other.goto('/tag/list');
    await other.getByRole('button', { name: /^账户，/ }).waitFor();
    await account().click();
    const told = page.getByRole('status').filter({ hasText: '已退出登录' }).waitFor();
    await leave().click();
    await told;
    await header().getByRole('link', { name: '登录' }).waitFor();
    expect(here()).toBe('/changelog');
    await other.getByRole('banner').getByRole('link', { name: '登录' }).waitFor();
    expect((await guest.context.cookies()).map(({ name }) => name)).toEqual([]);
  });

  test('退出 leads home from a page that is nothing to a visitor', async () => {
    // What a page asked by itself may meet the end of the sign-in.
    guest.forgive(/402/);
    await page.goto('/user/draft');
    await hydrated();
    await account().click();
    await leave().click();
    await page.waitForURL('/home');
    await header().getByRole('link', { name: '登录' }).waitFor();
    expect(await account().isVisible()).toBe(false);
  });

  test('退出 leads home also where a part of the page comes only then and would rather sign in', async () => {
    guest.forgive(/402/);
    const [code, home] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route(/DraftDashboard/, (route) => code.promise.then(() => route.continue()));
    await page.route('**/home', (route) => home.promise.then(() => route.continue()));
    // A page that is being left answers no questions; it can still tell.
    await page.addInitScript(() => {
      const tell = (records: MutationRecord[]) =>
        records.forEach(({ target }) => console.info((target as Element).getAttribute('component-url')));
      new MutationObserver(tell).observe(document, { subtree: true, attributeFilter: ['ssr'] });
    });
    await page.goto('/user/draft', { waitUntil: 'commit' });
    await hydrated();
    await account().click();
    const left = page.waitForRequest('**/home');
    await leave().click();
    await left;
    const places: string[] = [];
    page.on('request', (request) => {
      if (request.isNavigationRequest()) places.push(new URL(request.url()).pathname);
    });
    const shown = page.waitForEvent('console', (message) => message.text().includes('DraftDashboard'));
    code.resolve();
    await shown;
    home.resolve();
    await page.waitForURL('/home');
    await header().getByRole('link', { name: '登录' }).waitFor();
    expect(places).toEqual([]);
  });
});

describe('nothing is in the way of anybody', () => {
  test.each(['light', 'dark'])('axe finds nothing in the %s header, closed and open', async (theme) => {
    await signedIn();
    await page.goto('/home');
    await page.evaluate((value) => localStorage.setItem('theme', value), theme);
    for (const size of [sizes.desktop, sizes.phone]) {
      await page.setViewportSize(size);
      await page.goto('/changelog');
      await hydrated();
      const check = async () =>
        (await new AxeBuilder({ page }).analyze()).violations.map(({ id, nodes }) => [id, nodes[0]?.html]);
      expect(await check()).toEqual([]);
      await account().click();
      expect(await check()).toEqual([]);
      if (size !== sizes.phone) continue;
      await page.getByRole('button', { name: '菜单' }).click();
      expect(await check()).toEqual([]);
    }
  });
});
