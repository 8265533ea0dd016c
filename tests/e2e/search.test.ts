import type { Locator, Page } from '@playwright/test';
import { describe, expect } from 'vitest';
import { openInputMethod } from './composition.ts';
import { test as base } from './fixtures.ts';
import { sizes } from './visit.ts';

const test = base.extend('stage', { scope: 'file', auto: true }, async ({ site, author }) => {
  const other = (await site.join('月色真美')).viewer;
  await site.write(author, { title: '线程池详解', tags: ['Java'], content: '## 参数\n\n线程池有七个参数。' });
  await site.write(other, { title: '线程与池子', tags: ['并发'], content: '参数很多，线程也多。' });
  await site.write(other, { title: '杂谈', tags: ['并发'], content: '这里讲线程池参数。' });
  await site.write(other, { title: '线程暗号', secret: true, tags: ['暗号标签'] });
});

describe('a search without script', () => {
  test(
    'shows separate counts, filters and sorts by links, and links to matching authors',
    { tags: ['long'] },
    async ({ visit }) => {
      const { page } = await visit({ javaScriptEnabled: false });
      const titles = () => page.locator('main article h2 a').allInnerTexts();
      await page.goto('/home/线程池参数');
      expect(await page.getByText('1 篇包含原文，另有 2 篇相关').isVisible()).toBe(true);
      expect(new Set(await titles())).toEqual(new Set(['线程池详解', '线程与池子', '杂谈']));
      await page.goto('/home/线程');
      const bar = page.getByRole('navigation', { name: '筛选与排序' });
      await bar.getByRole('link', { name: '月色真美' }).click();
      expect(new URL(page.url()).searchParams.get('author')).toBe('月色真美');
      expect(await titles()).toEqual(['线程与池子', '杂谈']);
      await bar.getByRole('link', { name: '最新' }).click();
      expect(await titles()).toEqual(['杂谈', '线程与池子']);
      await bar.getByRole('link', { name: '不再只看作者“月色真美”' }).click();
      expect(await titles()).toHaveLength(3);
      await page.goto('/home/月色真美');
      await page.getByRole('link', { name: '作者：月色真美' }).click();
      expect(decodeURIComponent(new URL(page.url()).pathname)).toBe('/user/info/月色真美');
    },
  );

  test('suggests a correction without results', { tags: ['long'] }, async ({ visit }) => {
    const { page } = await visit({ javaScriptEnabled: false });
    await page.goto('/home/县程池');
    await page.getByRole('link', { name: '线程池' }).click();
    expect(decodeURIComponent(new URL(page.url()).pathname)).toBe('/home/线程池');
    expect(await page.locator('main article h2').first().innerText()).toBe('线程池详解');
  });
});

describe('typed text', () => {
  test.beforeEach(async ({ page }) => {
    await page.setViewportSize(sizes.desktop);
    await page.goto('/changelog');
  });

  /** Returns the search field once suggestions are enabled. */
  const touched = async (page: Page): Promise<Locator> => {
    const field = page.getByLabel('搜索标题或内容').first();
    await field.focus();
    await page.getByRole('combobox').first().waitFor();
    return field;
  };

  test(
    'gets suggestions of titles, tags and authors; keys choose, Escape closes',
    { tags: ['long'] },
    async ({ page }) => {
      const field = await touched(page);
      const options = page.getByRole('option');
      await field.pressSequentially('线程');
      await expect.poll(() => options.allInnerTexts()).toEqual(['线程与池子', '线程池详解']);
      expect(await page.getByRole('combobox').first().getAttribute('aria-expanded')).toBe('true');
      await page.keyboard.press('Escape');
      await expect.poll(() => options.count()).toBe(0);
      expect(await field.inputValue()).toBe('线程');
      await field.fill('并');
      await expect.poll(() => options.allInnerTexts()).toEqual(['并发']);
      await page.keyboard.press('ArrowDown');
      expect(await page.getByRole('option', { selected: true }).innerText()).toBe('并发');
      expect(await field.getAttribute('aria-activedescendant')).toBe(
        await options.first().getAttribute('id'),
      );
      await page.keyboard.press('Enter');
      await page.waitForURL((url) => decodeURIComponent(url.pathname) === '/tag/detail/并发');
    },
  );

  test('gets authors by their display name, in suggestions and on the page', async ({ site, page }) => {
    const poet = (await site.join('wangwei')).viewer;
    await site.write(poet, { title: '鹿柴', content: '空山不见人' });
    const fields = { display_name: '摩诘居士', website: '', profile_links: [] };
    await site.app.services.ownProfile.change(poet, fields);
    const field = await touched(page);
    await field.pressSequentially('诘');
    await expect.poll(() => page.getByRole('option').allInnerTexts()).toEqual(['摩诘居士（@wangwei）']);
    await field.fill('摩诘居士');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => decodeURIComponent(url.pathname) === '/home/摩诘居士');
    await page.getByRole('link', { name: '作者：摩诘居士（@wangwei）' }).click();
    await page.waitForURL('**/user/info/wangwei');
  });

  test('gets suggestions after a composition, never during it', async ({ page }) => {
    const asked: string[] = [];
    page.on('request', (request) => {
      if (!request.url().endsWith('/api/page/suggest')) return;
      asked.push(new URLSearchParams(request.postData() ?? '').get('q') ?? '');
    });
    await page.clock.install();
    const pinyin = await openInputMethod(page);
    await touched(page);
    await pinyin.compose("yue'se");
    // Much longer than the delay before suggestions are requested.
    await page.clock.runFor(1_000);
    expect(asked).toEqual([]);
    await pinyin.commit('月色');
    await expect.poll(() => page.getByRole('option').allInnerTexts()).toEqual(['月色真美']);
    expect(asked).toEqual(['月色']);
  });

  test('is searched as usual without suggestions', { tags: ['long'] }, async ({ guest, page }) => {
    // Depending on the machine's speed, the browser may send the request before Enter leaves the page.
    guest.forgive(/net::ERR_FAILED/);
    const field = await touched(page);
    await page.route('**/api/page/suggest*', (route) => route.abort());
    await field.fill('线程池');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => decodeURIComponent(url.pathname) === '/home/线程池');
  });
});
