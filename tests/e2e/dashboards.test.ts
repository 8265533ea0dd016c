import type { Page } from '@playwright/test';
import { describe, expect } from 'vitest';
import { test as base } from './fixtures.ts';
import type { Site } from './site.ts';
import { sizes } from './visit.ts';

let accounts = 0;
const test = base
  /** A separate account for each test, so tests do not see each other's articles. */
  .extend('owner', async ({ site }) => (await site.join(`作者${++accounts}`)).viewer)
  .extend('username', ({ owner }) => owner.username)
  /** Writes `count` articles, one per day. */
  .extend(
    'write',
    ({ site, owner }) =>
      (count: number, fields: Parameters<Site['write']>[1] = {}) =>
        Promise.all(
          Array.from({ length: count }, (_, index) =>
            site.write(owner, {
              title: `第 ${index + 1} 篇`,
              create_time: Date.UTC(2026, 2, 1) + index * 86_400_000,
              ...fields,
            }),
          ),
        ),
  );

const rows = (page: Page) =>
  page.locator('main ol[role=list]').getByRole('listitem').filter({ hasText: '编辑' });
const status = (page: Page) => page.locator('main output');
const dialog = (page: Page) => page.getByRole('alertdialog');
async function remove(page: Page, title: string) {
  await page.getByRole('button', { name: `删除《${title}》` }).click();
  await dialog(page).getByRole('button', { name: '删除' }).click();
}

describe('a visitor', () => {
  test.for(['/user/list?page=2', '/user/draft', '/comment/list?tab=sent'])(
    '%s leads to the sign-in page and back',
    { tags: ['long'] },
    async (path, { site }) => {
      const answer = await fetch(site.url + path, { redirect: 'manual' });
      expect(answer.status).toBe(302);
      expect(answer.headers.get('location')).toBe(`/signin?redirect=${encodeURIComponent(path)}`);
    },
  );

  test(
    'the pages are neither cached nor indexed, and contain no user data',
    { tags: ['long'] },
    async ({ guest, write }) => {
      await write(1, { title: '只有本人看得到的题目', secret: true });
      for (const path of ['/user/list', '/user/draft', '/comment/list']) {
        const answer = await guest.context.request.get(path);
        expect(answer.headers()['cache-control']).toBe('private, no-store');
        const html = await answer.text();
        expect(html).toContain('<meta name="robots" content="noindex"');
        expect(html).not.toContain('只有本人看得到的题目');
      }
    },
  );

  test(
    'signing out in another tab removes the list and leads to the sign-in page',
    { tags: ['long'] },
    async ({ guest, page, write }) => {
      await write(1);
      await page.goto('/user/list');
      await rows(page).first().waitFor();
      await guest.context.clearCookies();
      const other = await guest.tab();
      await other.goto('/changelog');
      await other.evaluate(() => new BroadcastChannel('moye-session').postMessage('changed'));
      await page.waitForURL(/\/signin\?redirect=%2Fuser%2Flist$/);
      expect(await page.getByText('第 1 篇').count()).toBe(0);
    },
  );
});

describe('my articles', () => {
  test(
    'are grouped by year in the site’s time zone, newest first, private ones marked',
    { tags: ['long'] },
    async ({ site, page, owner }) => {
      await site.write(owner, { title: '新年第一刻', create_time: Date.UTC(2025, 11, 31, 16), secret: true });
      await site.write(owner, { title: '旧年最后一刻', create_time: Date.UTC(2025, 11, 31, 15, 59, 59) });
      await site.write(owner, { title: '别人看不到的草稿', status: 'draft' });
      await page.goto('/user/list');
      const of = (year: string) => page.getByRole('region', { name: year }).getByRole('listitem');
      await of('2026').waitFor();
      expect(await of('2026').allInnerTexts()).toEqual([expect.stringMatching(/新年第一刻\s*私密\s*01-01/)]);
      expect(await of('2025').allInnerTexts()).toEqual([expect.stringMatching(/旧年最后一刻\s*12-31/)]);
      await expect.poll(() => status(page).textContent()).toBe('共 2 篇');
      expect(await page.getByText('别人看不到的草稿').count()).toBe(0);
      await page.getByRole('link', { name: '编辑《新年第一刻》' }).waitFor();
    },
  );

  test(
    'are shown ten per page, each with a URL for Back, reload and a new tab',
    { tags: ['long'] },
    async ({ guest, page, write }) => {
      await write(23);
      await page.goto('/user/list');
      await page.getByText('第 23 篇').waitFor();
      expect(await rows(page).count()).toBe(10);
      await page.getByRole('link', { name: '下一页' }).click();
      await page.getByText('第 13 篇').waitFor();
      expect(new URL(page.url()).search).toBe('?page=2');
      expect(await status(page).textContent()).toBe('共 23 篇 · 第 2 页，共 3 页');
      await expect
        .poll(() => status(page).evaluate((element) => element === document.activeElement))
        .toBe(true);
      await page.getByRole('link', { name: '第 3 页' }).click();
      await page.getByText('第 3 篇').waitFor();
      await page.reload();
      await page.getByText('第 3 篇').waitFor();
      await page.goBack();
      await page.getByText('第 13 篇').waitFor();
      await page.goBack();
      await page.getByText('第 23 篇').waitFor();
      const opened = guest.context.waitForEvent('page');
      await page.getByRole('link', { name: '第 2 页' }).click({ button: 'middle' });
      const tab = await opened;
      await tab.getByText('第 13 篇').waitFor();
      expect(new URL(page.url()).search).toBe('');
    },
  );

  test('a page beyond the last is the last', { tags: ['long'] }, async ({ page, write }) => {
    await write(11);
    await page.goto('/user/list?page=99');
    await page.getByText('第 1 篇').waitFor();
    expect(await rows(page).count()).toBe(1);
    await expect.poll(() => new URL(page.url()).search).toBe('?page=2');
  });

  test('can be all, only public or only private', { tags: ['long'] }, async ({ page, write }) => {
    await write(2);
    await write(1, { title: '日记', secret: true });
    await page.goto('/user/list');
    await page.getByText('第 1 篇').waitFor();
    await page.getByRole('link', { name: '私密' }).click();
    await expect.poll(() => status(page).textContent()).toBe('共 1 篇');
    expect(await rows(page).allInnerTexts()).toEqual([expect.stringContaining('日记')]);
    await page.getByRole('link', { name: '公开' }).click();
    await expect.poll(() => status(page).textContent()).toBe('共 2 篇');
    expect(await page.getByText('日记').count()).toBe(0);
    await page.goBack();
    await page.getByText('日记').waitFor();
  });

  test(
    'are deleted after confirmation; an emptied last page falls back to the previous one',
    { tags: ['long'] },
    async ({ page, write }) => {
      await write(11);
      await page.goto('/user/list?page=2');
      await page.getByRole('button', { name: '删除《第 1 篇》' }).click();
      await dialog(page).getByRole('button', { name: '取消' }).click();
      expect(await rows(page).count()).toBe(1);
      // The message disappears after some seconds, so the wait starts before the deletion.
      const told = page.getByText('已删除').waitFor();
      await remove(page, '第 1 篇');
      await told;
      await page.getByText('第 11 篇').waitFor();
      expect(await rows(page).count()).toBe(10);
      expect(await status(page).textContent()).toBe('共 10 篇');
      await expect.poll(() => new URL(page.url()).search).toBe('');
      await remove(page, '第 11 篇');
      await expect.poll(() => status(page).textContent()).toBe('共 9 篇');
    },
  );

  test(
    'a double click on 删除 asks once, and an already deleted one disappears with the reason',
    { tags: ['long'] },
    async ({ site, page, owner, write }) => {
      const [id = ''] = await write(1);
      await page.goto('/user/list');
      await page.getByRole('button', { name: '删除《第 1 篇》' }).dblclick();
      await dialog(page).waitFor();
      expect(await dialog(page).count()).toBe(1);
      await site.app.services.articles.remove(id, owner);
      await dialog(page).getByRole('button', { name: '删除' }).click();
      await page.getByText('文章不存在或已被删除').waitFor();
      await page.getByText('还没有写过文章').waitFor();
    },
  );

  test('without any there is a message and a link to write one', { tags: ['long'] }, async ({ page }) => {
    await page.goto('/user/list');
    await page.getByText('还没有写过文章').waitFor();
    const links = await page.getByRole('main').getByRole('link', { name: '写文章' }).all();
    expect(await Promise.all(links.map((link) => link.getAttribute('href')))).toEqual(['/write', '/write']);
  });

  test('a page that fails to load says so in place, keeps the previous one and loads on 重试', async ({
    guest,
    page,
    write,
  }) => {
    await write(11);
    guest.forgive(/ERR_FAILED|Failed to fetch|网络不通/);
    await page.goto('/user/list');
    await page.getByText('第 11 篇').waitFor();
    await page.route('**/api/page/limitpagelist', (route) => route.abort());
    await page.getByRole('link', { name: '下一页' }).click();
    await page.getByRole('alert').filter({ hasText: '网络不通' }).waitFor();
    expect(await page.getByText('第 11 篇').isVisible()).toBe(true);
    await page.unroute('**/api/page/limitpagelist');
    await page.getByRole('button', { name: '重试' }).click();
    await page.getByText('第 1 篇', { exact: true }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });
});

describe('my drafts', () => {
  test(
    'are listed by last edit, with title or first words, and link to the editor',
    { tags: ['long'] },
    async ({ site, page, owner }) => {
      const old = await site.write(owner, { title: '很久以前', content: '', status: 'draft' });
      await site.write(owner, { title: '', content: '## 没有题目\n\n只有**几个**字', status: 'draft' });
      await site.write(owner, { title: '已经发布', content: '正文' });
      await site.app.services.articles.edit(
        { id: old, title: '刚刚改过', content: '', tags: [], status: 'draft', secret: false, type: '' },
        owner,
      );
      await page.goto('/user/draft');
      await rows(page).first().waitFor();
      expect(await rows(page).allInnerTexts()).toEqual([
        expect.stringContaining('刚刚改过'),
        expect.stringMatching(/无标题\s*没有题目 只有几个字/),
      ]);
      expect(await page.getByRole('link', { name: '编辑《刚刚改过》' }).getAttribute('href')).toBe(
        `/edit/${old}`,
      );
      await remove(page, '刚刚改过');
      await expect.poll(() => status(page).textContent()).toBe('共 1 篇草稿');
      await remove(page, '无标题');
      await page.getByText('没有草稿').waitFor();
    },
  );

  test('stay usable when there are hundreds', { tags: ['long'] }, async ({ page, write }) => {
    await write(300, { status: 'draft', content: '写了一半'.repeat(50) });
    await page.setViewportSize(sizes.phone);
    await page.goto('/user/draft');
    await expect.poll(() => status(page).textContent()).toBe('共 300 篇草稿');
    expect(await rows(page).count()).toBe(300);
  });
});
