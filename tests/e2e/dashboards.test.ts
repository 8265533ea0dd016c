import type { Browser, Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from './browser.ts';
import { openSite, type Site } from './site.ts';
import { sizes, visit } from './visit.ts';

let site: Site;
let browser: Browser;

beforeAll(async () => {
  [site, browser] = [await openSite(), await launchBrowser()];
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});

/** An account of its own for a test: tests do not see each other's articles. */
let accounts = 0;
async function author() {
  const username = `作者${++accounts}`;
  const { viewer } = await site.join(username);
  const write = (count: number, fields: Parameters<Site['write']>[1] = {}) =>
    Promise.all(
      Array.from({ length: count }, (_, index) =>
        site.write(viewer, {
          title: `第 ${index + 1} 篇`,
          create_time: Date.UTC(2026, 2, 1) + index * 86_400_000,
          ...fields,
        }),
      ),
    );
  return { username, viewer, write };
}

/** Waits as long as a busy machine may need. */
const settles = <T>(read: () => T) => expect.poll(read, { timeout: 15_000 });
const rows = (page: Page) =>
  page.locator('main ol[role=list]').getByRole('listitem').filter({ hasText: '编辑' });
const status = (page: Page) => page.locator('main output');
const dialog = (page: Page) => page.getByRole('alertdialog');
async function remove(page: Page, title: string) {
  await page.getByRole('button', { name: `删除《${title}》` }).click();
  await dialog(page).getByRole('button', { name: '删除' }).click();
}

describe('who is not signed in', () => {
  test.each(['/user/list?page=2', '/user/draft', '/comment/list?tab=sent'])(
    '%s leads to the sign-in page and back',
    async (path) => {
      const answer = await fetch(site.url + path, { redirect: 'manual' });
      expect(answer.status).toBe(302);
      expect(answer.headers.get('location')).toBe(`/signin?redirect=${encodeURIComponent(path)}`);
    },
  );

  test('the pages are neither kept nor indexed, and hold nothing of their reader', async () => {
    const { username, write } = await author();
    await write(1, { title: '只有本人看得到的题目', secret: true });
    const reader = await visit(browser, site, { username });
    for (const path of ['/user/list', '/user/draft', '/comment/list']) {
      const answer = await reader.context.request.get(path);
      expect(answer.headers()['cache-control']).toBe('private, no-store');
      const html = await answer.text();
      expect(html).toContain('<meta name="robots" content="noindex"');
      expect(html).not.toContain('只有本人看得到的题目');
    }
    await reader.end();
  });

  test('signing out in another tab takes the list away and leads to the sign-in page', async () => {
    const { username, write } = await author();
    await write(1);
    const reader = await visit(browser, site, { username });
    await reader.page.goto('/user/list');
    await rows(reader.page).first().waitFor();
    await reader.context.clearCookies();
    const other = await reader.tab();
    await other.goto('/changelog');
    await other.evaluate(() => new BroadcastChannel('moye-session').postMessage('changed'));
    await reader.page.waitForURL(/\/signin\?redirect=%2Fuser%2Flist$/);
    expect(await reader.page.getByText('第 1 篇').count()).toBe(0);
    await reader.end();
  });
});

describe('my articles', () => {
  test('stand under their years in the time of the site, newest first, private ones marked', async () => {
    const { username, viewer } = await author();
    await site.write(viewer, { title: '新年第一刻', create_time: Date.UTC(2025, 11, 31, 16), secret: true });
    await site.write(viewer, { title: '旧年最后一刻', create_time: Date.UTC(2025, 11, 31, 15, 59, 59) });
    await site.write(viewer, { title: '别人看不到的草稿', status: 'draft' });
    const reader = await visit(browser, site, { username });
    await reader.page.goto('/user/list');
    const of = (year: string) => reader.page.getByRole('region', { name: year }).getByRole('listitem');
    await of('2026').waitFor();
    expect(await of('2026').allInnerTexts()).toEqual([expect.stringMatching(/新年第一刻\s*私密\s*01-01/)]);
    expect(await of('2025').allInnerTexts()).toEqual([expect.stringMatching(/旧年最后一刻\s*12-31/)]);
    await settles(() => status(reader.page).textContent()).toBe('共 2 篇');
    expect(await reader.page.getByText('别人看不到的草稿').count()).toBe(0);
    await reader.page.getByRole('link', { name: '编辑《新年第一刻》' }).waitFor();
    await reader.end();
  });

  test('come ten a page, each page with an address that Back, reload and a new tab understand', async () => {
    const { username, write } = await author();
    await write(23);
    const reader = await visit(browser, site, { username });
    const { page } = reader;
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
    const opened = reader.context.waitForEvent('page');
    await page.getByRole('link', { name: '第 2 页' }).click({ button: 'middle' });
    const tab = await opened;
    await tab.getByText('第 13 篇').waitFor();
    expect(new URL(page.url()).search).toBe('');
    await reader.end();
  });

  test('a page beyond the last is the last', async () => {
    const { username, write } = await author();
    await write(11);
    const reader = await visit(browser, site, { username });
    await reader.page.goto('/user/list?page=99');
    await reader.page.getByText('第 1 篇').waitFor();
    expect(await rows(reader.page).count()).toBe(1);
    await settles(() => new URL(reader.page.url()).search).toBe('?page=2');
    await reader.end();
  });

  test('can be all, only public or only private', async () => {
    const { username, write } = await author();
    await write(2);
    await write(1, { title: '日记', secret: true });
    const reader = await visit(browser, site, { username });
    const { page } = reader;
    await page.goto('/user/list');
    await page.getByText('第 1 篇').waitFor();
    await page.getByRole('link', { name: '私密' }).click();
    await settles(() => status(page).textContent()).toBe('共 1 篇');
    expect(await rows(page).allInnerTexts()).toEqual([expect.stringContaining('日记')]);
    await page.getByRole('link', { name: '公开' }).click();
    await settles(() => status(page).textContent()).toBe('共 2 篇');
    expect(await page.getByText('日记').count()).toBe(0);
    await page.goBack();
    await page.getByText('日记').waitFor();
    await reader.end();
  });

  test('are deleted after a question; the emptied last page falls back to the one before', async () => {
    const { username, write } = await author();
    await write(11);
    const reader = await visit(browser, site, { username });
    const { page } = reader;
    await page.goto('/user/list?page=2');
    await page.getByRole('button', { name: '删除《第 1 篇》' }).click();
    await dialog(page).getByRole('button', { name: '取消' }).click();
    expect(await rows(page).count()).toBe(1);
    // A notice is gone after some seconds.
    const told = page.getByText('已删除').waitFor();
    await remove(page, '第 1 篇');
    await told;
    await page.getByText('第 11 篇').waitFor();
    expect(await rows(page).count()).toBe(10);
    expect(await status(page).textContent()).toBe('共 10 篇');
    await settles(() => new URL(page.url()).search).toBe('');
    await remove(page, '第 11 篇');
    await settles(() => status(page).textContent()).toBe('共 9 篇');
    await reader.end();
  });

  test('a double click on 删除 asks once, and what is gone already disappears with the reason', async () => {
    const { username, viewer, write } = await author();
    const [id = ''] = await write(1);
    const reader = await visit(browser, site, { username });
    await reader.page.goto('/user/list');
    await reader.page.getByRole('button', { name: '删除《第 1 篇》' }).dblclick();
    await dialog(reader.page).waitFor();
    expect(await dialog(reader.page).count()).toBe(1);
    await site.app.services.articles.remove(id, viewer);
    await dialog(reader.page).getByRole('button', { name: '删除' }).click();
    await reader.page.getByText('文章不存在或已被删除').waitFor();
    await reader.page.getByText('还没有写过文章').waitFor();
    await reader.end();
  });

  test('without any there is a sentence and the way to write one', async () => {
    const { username } = await author();
    const reader = await visit(browser, site, { username });
    await reader.page.goto('/user/list');
    await reader.page.getByText('还没有写过文章').waitFor();
    const links = await reader.page.getByRole('main').getByRole('link', { name: '写文章' }).all();
    expect(await Promise.all(links.map((link) => link.getAttribute('href')))).toEqual(['/write', '/write']);
    await reader.end();
  });

  test('a page that does not arrive says so in place, keeps the one before and comes on 重试', async () => {
    const { username, write } = await author();
    await write(11);
    const reader = await visit(browser, site, { username });
    reader.forgive(/ERR_FAILED|Failed to fetch|网络不通/);
    const { page } = reader;
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
    await reader.end();
  });
});

describe('my drafts', () => {
  test('stand with the one edited last first, known by title or first words, and lead to the editor', async () => {
    const { username, viewer } = await author();
    const old = await site.write(viewer, { title: '很久以前', content: '', status: 'draft' });
    await site.write(viewer, { title: '', content: '## 没有题目\n\n只有**几个**字', status: 'draft' });
    await site.write(viewer, { title: '已经发布', content: '正文' });
    await site.app.services.articles.edit(
      { id: old, title: '刚刚改过', content: '', tags: [], status: 'draft', secret: false, type: '' },
      viewer,
    );
    const reader = await visit(browser, site, { username });
    await reader.page.goto('/user/draft');
    await rows(reader.page).first().waitFor();
    expect(await rows(reader.page).allInnerTexts()).toEqual([
      expect.stringContaining('刚刚改过'),
      expect.stringMatching(/无标题\s*没有题目 只有几个字/),
    ]);
    expect(await reader.page.getByRole('link', { name: '编辑《刚刚改过》' }).getAttribute('href')).toBe(
      `/edit/${old}`,
    );
    await remove(reader.page, '刚刚改过');
    await settles(() => status(reader.page).textContent()).toBe('共 1 篇草稿');
    await remove(reader.page, '无标题');
    await reader.page.getByText('没有草稿').waitFor();
    await reader.end();
  });

  test('stay usable when there are hundreds', async () => {
    const { username, write } = await author();
    await write(300, { status: 'draft', content: '写了一半'.repeat(50) });
    const reader = await visit(browser, site, { username, viewport: sizes.phone });
    await reader.page.goto('/user/draft');
    await settles(() => status(reader.page).textContent()).toBe('共 300 篇草稿');
    expect(await rows(reader.page).count()).toBe(300);
    await reader.end();
  });
});
