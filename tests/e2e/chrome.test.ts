import type { Browser, Page } from '@playwright/test';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Viewer } from '../../src/lib/server/auth/auth-service.ts';
import { launchBrowser } from './browser.ts';
import { openSite, type Site } from './site.ts';
import { sizes, visit, type Visit } from './visit.ts';

/** The header of every page, DESIGN.md §4 "Chrome". */
let site: Site;
let browser: Browser;
let guest: Visit;
let page: Page;
let author: Viewer;
let reader: Viewer;
let article: string;

beforeAll(async () => {
  site = await openSite();
  browser = await launchBrowser();
  author = (await site.join('林间')).viewer;
  reader = (await site.join('路人甲')).viewer;
  article = await site.write(author, { title: '并发编程', content: '关于线程池。' });
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
const here = () => decodeURIComponent(new URL(page.url()).pathname);
const comment = (content: string) =>
  site.app.services.comments.create(
    { page_id: article, content, reply_user: '', reply_content: '', request_id: '' },
    reader,
  );

describe('navigation', () => {
  const sections = {
    首页: '/home',
    标签: '/tag/list',
    留言: '/comment/list',
    实验室: '/lab/list',
    更新日志: '/changelog',
  };

  test('leads to every section and tells where one is; the mark leads home', async () => {
    await page.goto('/tag/list');
    const nav = page.getByRole('navigation', { name: '主导航' });
    const links = nav.getByRole('link');
    expect(await links.allInnerTexts()).toEqual(Object.keys(sections));
    for (const [name, path] of Object.entries(sections))
      expect(await nav.getByRole('link', { name }).getAttribute('href')).toBe(path);
    expect(await nav.locator('[aria-current=page]').innerText()).toBe('标签');
    expect(await header().getByRole('link', { name: '墨页' }).getAttribute('href')).toBe('/');
  });

  test('is folded into a menu on a phone, with search and the theme; Escape and a press elsewhere close it', async () => {
    await reopen({ viewport: sizes.phone });
    await page.goto('/home');
    const menu = page.getByRole('navigation', { name: '菜单' });
    expect(await page.getByRole('navigation', { name: '主导航' }).isVisible()).toBe(false);
    const opener = page.getByRole('button', { name: '菜单' });
    await opener.click();
    expect(await menu.getByRole('link').allInnerTexts()).toEqual(Object.keys(sections));
    await page.keyboard.press('Escape');
    expect(await menu.isVisible()).toBe(false);
    await opener.click();
    await page.mouse.click(200, 700);
    expect(await menu.isVisible()).toBe(false);
    await opener.click();
    await menu.getByRole('link', { name: '更新日志' }).click();
    await page.waitForURL('/changelog');
  });

  test.each(['phone', 'tablet', 'desktop'] as const)(
    'search and 写文章 are reachable on a %s',
    async (size) => {
      await reopen({ viewport: sizes[size] });
      await page.goto('/changelog');
      expect(await header().getByRole('link', { name: '写文章' }).isVisible()).toBe(true);
      if (size !== 'desktop')
        await page
          .getByRole('button', { name: size === 'phone' ? '菜单' : '搜索' })
          .first()
          .click();
      const field = page.getByRole('searchbox', { name: '搜索标题或内容' }).locator('visible=true');
      expect(await field.getAttribute('placeholder')).toBe('搜索标题或内容');
      await field.fill('线程池');
      await field.press('Enter');
      await page.waitForURL((url) => decodeURIComponent(url.pathname) === '/home/线程池');
    },
  );
});

describe('search', () => {
  const field = () => header().getByRole('searchbox').first();

  test('the icon searches; with nothing but white space nothing happens', async () => {
    await page.goto('/changelog');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    for (const text of ['', '  \u3000 ']) {
      await field().fill(text);
      await field().press('Enter');
      await header().getByRole('button', { name: '搜索' }).first().click();
    }
    expect(asked.filter((url) => url.includes('/home'))).toEqual([]);
    expect(here()).toBe('/changelog');
    await field().fill('线程池');
    await header().getByRole('button', { name: '搜索' }).first().click();
    await page.waitForURL((url) => decodeURIComponent(url.pathname) === '/home/线程池');
  });

  test('写文章 shrinks to its sign while the field has the focus, and keeps its name', async () => {
    await page.goto('/changelog');
    const write = header().getByRole('link', { name: '写文章' });
    const width = async () => (await write.boundingBox())?.width ?? 0;
    const wide = await width();
    await field().focus();
    await expect.poll(width).toBeLessThan(wide / 1.5);
    expect(await write.isVisible()).toBe(true);
    await field().blur();
    await expect.poll(width).toBe(wide);
  });
});

describe('a visitor', () => {
  test('is offered to sign in and to come back, before and after the island has come', async () => {
    await page.goto(`/detail/${article}#UI-comments`);
    const link = header().getByRole('link', { name: '登录' });
    expect(await link.getAttribute('href')).toBe(
      `/signin?redirect=${encodeURIComponent(`/detail/${article}`)}`,
    );
    expect(await account().isVisible()).toBe(false);
    await link.hover();
    const whole = encodeURIComponent(`/detail/${article}#UI-comments`);
    await expect.poll(() => link.getAttribute('href')).toBe(`/signin?redirect=${whole}`);
    await link.click();
    await page.waitForURL(`/signin?redirect=${whole}`);
    expect(await header().count()).toBe(0);
  });
});

describe('the bell', () => {
  const bell = (name: string) => header().getByRole('link', { name, exact: true });

  test('tells at once how many comments are unread, the title too', async () => {
    await signedIn();
    await page.goto('/changelog');
    const title = (await page.title()).replace(/^\(\d+\) /, '');
    await bell('没有未读评论').waitFor();
    expect(await page.title()).toBe(title);
    const first = await comment('第一条');
    await bell('有 1 条未读评论').waitFor();
    const second = await guest.tab();
    await second.goto('/tag/list');
    const last = await comment('第二条');
    await bell('有 2 条未读评论').waitFor();
    expect(await page.title()).toBe(`(2) ${title}`);
    await expect.poll(() => second.title()).toMatch(/^\(2\) /);
    expect(await bell('有 2 条未读评论').getAttribute('href')).toBe('/comment/list');
    await site.app.services.comments.markRead([first._id, last._id], author);
    await bell('没有未读评论').waitFor();
    await expect.poll(() => second.title()).not.toMatch(/^\(/);
    expect(await page.title()).toBe(title);
  });
});
