import type { Page } from '@playwright/test';
import { describe, expect } from 'vitest';
import { looks } from './looks.ts';
import { violationsOf } from './axe.ts';
import { test as base } from './fixtures.ts';
import { sizes } from './visit.ts';

/** The avatar menu of the header; docs/pages.md. */
const test = base
  .extend('username', ({ author }) => author.username)
  .extend('menu', ({ page }) => {
    const header = page.getByRole('banner');
    const account = header.getByRole('button', { name: /^账户/ });
    const item = (name: string) => header.getByRole('link', { name, exact: true });
    return {
      header,
      account,
      item,
      leave: header.getByRole('button', { name: '退出' }),
      entries: () => header.locator('.account-item').allInnerTexts(),
      isOpen: () => item('我的草稿').isVisible(),
      /** Waits until the header's island is hydrated. */
      hydrated: () => account.and(page.locator('[aria-controls]')).waitFor(),
    };
  });

const here = (page: Page) => decodeURIComponent(new URL(page.url()).pathname);

describe('the avatar menu', () => {
  const pages = {
    我的主页: '/user/info/林间',
    我的文章: '/user/list',
    我的草稿: '/user/draft',
    我的评论: '/comment/list',
    设置: '/user/settings',
  };

  test.beforeEach(async ({ page, menu }) => {
    await page.goto('/changelog');
    await menu.hydrated();
  });

  test('links to the user’s own pages', { tags: ['long'] }, async ({ menu }) => {
    await menu.account.click();
    for (const [name, path] of Object.entries(pages))
      expect(decodeURIComponent((await menu.item(name).getAttribute('href')) ?? '')).toBe(path);
    expect(await menu.entries()).toEqual([...Object.keys(pages), '退出']);
    expect(await menu.account.getAttribute('aria-expanded')).toBe('true');
    expect(await menu.account.getAttribute('aria-label')).toBe('账户，林间');
  });

  test('leads staff to the console', async ({ site, visit }) => {
    await site.join('主事');
    await site.app.services.roles.set('主事', 'editor', null);
    const { page } = await visit({ username: '主事' });
    await page.goto('/changelog');
    const header = page.getByRole('banner');
    await header
      .getByRole('link', { name: '管理', exact: true, includeHidden: true })
      .waitFor({ state: 'attached' });
    await header.getByRole('button', { name: '账户，主事' }).click();
    expect(await header.locator('.account-item').allInnerTexts()).toEqual([
      ...Object.keys(pages),
      '管理',
      '退出',
    ]);
    await header.getByRole('link', { name: '管理', exact: true }).click();
    await page.waitForURL('/admin');
  });

  test('opens on hover and closes 300 ms after the pointer has left, unless it comes back', async ({
    page,
    menu,
  }) => {
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await menu.account.hover();
    await expect.poll(menu.isOpen).toBe(true);
    await menu.item('我的草稿').hover();
    await page.mouse.move(300, 600);
    await page.clock.runFor(299);
    expect(await menu.isOpen()).toBe(true);
    await menu.item('我的草稿').hover();
    await page.clock.runFor(1000);
    expect(await menu.isOpen()).toBe(true);
    await page.mouse.move(300, 600);
    await page.clock.runFor(300);
    await expect.poll(menu.isOpen).toBe(false);
  });

  test(
    'a click keeps a hovered menu open; a click elsewhere closes it',
    { tags: ['long'] },
    async ({ page, menu }) => {
      await menu.account.hover();
      await menu.account.click();
      expect(await menu.isOpen()).toBe(true);
      await page.mouse.click(300, 600);
      expect(await menu.isOpen()).toBe(false);
    },
  );

  test('Escape closes a hovered menu, wherever the focus is', { tags: ['long'] }, async ({ page, menu }) => {
    await menu.account.hover();
    await menu.item('我的草稿').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(menu.isOpen).toBe(false);
  });

  test('works by keyboard alone', { tags: ['long'] }, async ({ page, menu }) => {
    await menu.header.getByRole('link', { name: '没有未读评论' }).focus();
    await page.keyboard.press('Tab');
    expect(await menu.isOpen()).toBe(true);
    await page.keyboard.press('ArrowDown');
    await expect
      .poll(() => menu.item('我的主页').evaluate((link) => link === document.activeElement))
      .toBe(true);
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => menu.leave.evaluate((link) => link === document.activeElement)).toBe(true);
    await page.keyboard.press('Escape');
    expect(await menu.isOpen()).toBe(false);
    expect(await menu.account.evaluate((button) => button === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    expect(await menu.isOpen()).toBe(true);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL('/user/list');
  });

  test('tabbing on closes it', async ({ page, menu }) => {
    await menu.account.focus();
    expect(await menu.isOpen()).toBe(true);
    await page.keyboard.press('Shift+Tab');
    expect(await menu.isOpen()).toBe(false);
  });

  describe('on a phone', () => {
    test.override('window', { viewport: sizes.phone, hasTouch: true, isMobile: true });

    test('opens and closes by touch', { tags: ['long'] }, async ({ page, menu }) => {
      await menu.account.tap();
      await expect.poll(menu.isOpen).toBe(true);
      await menu.account.tap();
      await expect.poll(menu.isOpen).toBe(false);
      await menu.account.tap();
      await menu.item('我的草稿').tap();
      await page.waitForURL('/user/draft');
    });
  });

  test('退出 stays on a public page, in all tabs', async ({ guest, page, menu }) => {
    // Pending background calls may fail when the sign-in ends.
    guest.forgive(/402/);
    const other = await guest.tab();
    await other.goto('/tag/list');
    await other.getByRole('button', { name: /^账户，/ }).waitFor();
    await menu.account.click();
    const told = page.getByRole('status').filter({ hasText: '已退出登录' }).waitFor();
    await menu.leave.click();
    await told;
    await menu.header.getByRole('link', { name: '登录' }).waitFor();
    expect(here(page)).toBe('/changelog');
    await other.getByRole('banner').getByRole('link', { name: '登录' }).waitFor();
    expect((await guest.context.cookies()).map(({ name }) => name)).toEqual([]);
  });

  test('退出 leads home from a page for signed-in users', async ({ guest, page, menu }) => {
    // Pending background calls may fail when the sign-in ends.
    guest.forgive(/402/);
    await page.goto('/user/draft');
    await menu.hydrated();
    await menu.account.click();
    await menu.leave.click();
    await page.waitForURL('/home');
    await menu.header.getByRole('link', { name: '登录' }).waitFor();
    expect(await menu.account.isVisible()).toBe(false);
  });

  test('退出 leads straight home although another call is refused meanwhile', async ({
    guest,
    page,
    menu,
  }) => {
    guest.forgive(/402/);
    const [ended, refused] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route('**/getUnreadCommentNum', (route) => ended.promise.then(() => route.continue()));
    await page.route('**/api/signout', async (route) => {
      const response = await route.fetch();
      ended.resolve();
      await refused.promise;
      await route.fulfill({ response });
    });
    page.on('response', (response) => {
      if (response.status() === 402) refused.resolve();
    });
    await page.goto('/user/draft');
    await menu.hydrated();
    const places: string[] = [];
    page.on('request', (request) => {
      if (request.isNavigationRequest()) places.push(new URL(request.url()).pathname);
    });
    await menu.account.click();
    await menu.leave.click();
    await page.waitForURL('/home');
    expect(places).toEqual(['/home']);
  });

  test(
    '退出 leads home also when an island that hydrates then would redirect to sign in',
    { tags: ['long'] },
    async ({ guest, page, menu }) => {
      guest.forgive(/402/);
      const [code, home] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      await page.route(/DraftDashboard/, (route) => code.promise.then(() => route.continue()));
      await page.route('**/home', (route) => home.promise.then(() => route.continue()));
      // A page that is navigating away does not answer evaluations, but it can still log to the console.
      await page.addInitScript(() => {
        const tell = (records: MutationRecord[]) =>
          records.forEach(({ target }) => console.info((target as Element).getAttribute('component-url')));
        new MutationObserver(tell).observe(document, { subtree: true, attributeFilter: ['ssr'] });
      });
      await page.goto('/user/draft', { waitUntil: 'commit' });
      await menu.hydrated();
      await menu.account.click();
      const left = page.waitForRequest('**/home');
      // A click also waits for a navigation that begins meanwhile; this one is held.
      const pressed = menu.leave.click();
      await left;
      const places: string[] = [];
      page.on('request', (request) => {
        if (request.isNavigationRequest()) places.push(new URL(request.url()).pathname);
      });
      const shown = page.waitForEvent('console', (message) => message.text().includes('DraftDashboard'));
      code.resolve();
      await shown;
      home.resolve();
      await pressed;
      await page.waitForURL('/home');
      await menu.header.getByRole('link', { name: '登录' }).waitFor();
      expect(places).toEqual([]);
    },
  );
});

describe('accessibility of the header', () => {
  test.for(looks(['light', 'dark']))(
    'axe finds nothing in the %s header, closed and open',
    { tags: ['long'] },
    async (theme, { page, menu }) => {
      await page.goto('/home');
      await page.evaluate((value) => localStorage.setItem('theme', value), theme);
      for (const size of [sizes.desktop, sizes.phone]) {
        await page.setViewportSize(size);
        await page.goto('/changelog');
        await menu.hydrated();
        const check = () => violationsOf(page);
        expect(await check()).toEqual([]);
        await menu.account.click();
        expect(await check()).toEqual([]);
        if (size !== sizes.phone) continue;
        await page.getByRole('button', { name: '菜单' }).click();
        expect(await check()).toEqual([]);
      }
    },
  );
});
