import type { Page } from '@playwright/test';
import { describe, expect } from 'vitest';
import { looks } from './looks.ts';
import { test as base } from './fixtures.ts';
import { sizes } from './visit.ts';

/** The header of every page; docs/pages.md. */
const test = base
  .extend('article', { scope: 'file' }, ({ site, author }) =>
    site.write(author, { title: '并发编程', content: '关于线程池。' }),
  )
  .extend('reader', { scope: 'file' }, async ({ site }) => (await site.join('路人甲')).viewer)
  .extend(
    'comment',
    ({ site, article, reader }) =>
      (content: string) =>
        site.app.services.comments.create(
          { page_id: article, content, reply_user: '', reply_content: '', request_id: '' },
          reader,
        ),
  )
  .extend('header', ({ page }) => page.getByRole('banner'))
  .extend('search', ({ header }) => header.getByLabel('搜索标题或内容').first());

const here = (page: Page) => decodeURIComponent(new URL(page.url()).pathname);

describe('navigation', () => {
  const sections = {
    首页: '/home',
    标签: '/tag/list',
    留言: '/comment/list',
    实验室: '/lab/list',
    更新日志: '/changelog',
  };

  test('links to every section and marks the current one; the logo leads home', async ({ page, header }) => {
    await page.goto('/tag/list');
    const nav = page.getByRole('navigation', { name: '主导航' });
    const links = nav.getByRole('link');
    expect(await links.allInnerTexts()).toEqual(Object.keys(sections));
    for (const [name, path] of Object.entries(sections))
      expect(await nav.getByRole('link', { name }).getAttribute('href')).toBe(path);
    expect(await nav.locator('[aria-current=page]').innerText()).toBe('标签');
    expect(await header.getByRole('link', { name: '墨页' }).getAttribute('href')).toBe('/');
  });

  test('is folded into a menu on a phone, with search and the theme; Escape and a press elsewhere close it', async ({
    page,
  }) => {
    await page.setViewportSize(sizes.phone);
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

  test.for(looks(['phone', 'tablet', 'desktop'] as const))(
    'search and 写文章 are reachable on a %s',
    async (size, { page, header }) => {
      await page.setViewportSize(sizes[size]);
      await page.goto('/changelog');
      expect(await header.getByRole('link', { name: '写文章' }).isVisible()).toBe(true);
      if (size !== 'desktop')
        await page
          .getByRole('button', { name: size === 'phone' ? '菜单' : '搜索' })
          .first()
          .click();
      const field = page.getByLabel('搜索标题或内容').locator('visible=true');
      expect(await field.getAttribute('placeholder')).toBe('搜索标题或内容');
      await field.fill('线程池');
      await field.press('Enter');
      await page.waitForURL((url) => decodeURIComponent(url.pathname) === '/home/线程池');
    },
  );
});

describe('search', () => {
  test('the icon searches; white space alone does nothing', async ({ page, header, search }) => {
    await page.goto('/changelog');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    for (const text of ['', '  \u3000 ']) {
      await search.fill(text);
      await search.press('Enter');
      await header.getByRole('button', { name: '搜索' }).first().click();
    }
    expect(asked.filter((url) => url.includes('/home'))).toEqual([]);
    expect(here(page)).toBe('/changelog');
    await search.fill('线程池');
    await header.getByRole('button', { name: '搜索' }).first().click();
    await page.waitForURL((url) => decodeURIComponent(url.pathname) === '/home/线程池');
  });

  test('写文章 shrinks to its icon while the field has the focus, and keeps its name', async ({
    page,
    header,
    search,
  }) => {
    await page.goto('/changelog');
    const write = header.getByRole('link', { name: '写文章' });
    const width = async () => (await write.boundingBox())?.width ?? 0;
    const wide = await width();
    await search.focus();
    await expect.poll(width).toBeLessThan(wide / 1.5);
    expect(await write.isVisible()).toBe(true);
    await search.blur();
    await expect.poll(width).toBe(wide);
  });
});

describe('a visitor', () => {
  test('is offered to sign in and return, before and after hydration', async ({ page, article, header }) => {
    await page.goto(`/detail/${article}#UI-comments`);
    const link = header.getByRole('link', { name: '登录' });
    expect(await link.getAttribute('href')).toBe(
      `/signin?redirect=${encodeURIComponent(`/detail/${article}`)}`,
    );
    expect(await header.getByRole('button', { name: /^账户/ }).isVisible()).toBe(false);
    await link.hover();
    const whole = encodeURIComponent(`/detail/${article}#UI-comments`);
    await expect.poll(() => link.getAttribute('href')).toBe(`/signin?redirect=${whole}`);
    await link.click();
    await page.waitForURL(`/signin?redirect=${whole}`);
    expect(await header.count()).toBe(0);
  });
});

describe('the bell', () => {
  test.override('username', ({ author }) => author.username);

  test('shows the number of unread comments at once, also in the title', async ({
    site,
    author,
    guest,
    page,
    comment,
    header,
  }) => {
    const bell = (name: string) => header.getByRole('link', { name, exact: true });
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
