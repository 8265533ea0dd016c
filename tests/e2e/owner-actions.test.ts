import type { Browser } from '@playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Viewer } from '../../src/lib/server/auth/auth-service.ts';
import { launchBrowser } from './browser.ts';
import { openSite, type Site } from './site.ts';
import { sizes, visit } from './visit.ts';

let site: Site;
let browser: Browser;
let author: Viewer;

beforeAll(async () => {
  [site, browser] = [await openSite(), await launchBrowser()];
  author = (await site.join('林间')).viewer;
  await site.join('路人甲');
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});

test.each(Object.entries(sizes))(
  'the author edits and deletes an article on its page (%s)',
  async (_, viewport) => {
    const id = await site.write(author, { title: '写错了的文章' });
    const mine = await visit(browser, site, { username: '林间', viewport });
    const { page } = mine;
    await page.goto('/changelog');
    await page.goto(`/detail/${id}`);
    const edit = page.getByRole('link', { name: '编辑《写错了的文章》' });
    await edit.waitFor();
    expect(await edit.getAttribute('href')).toBe(`/edit/${id}`);
    await page.getByRole('button', { name: '删除《写错了的文章》' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: '删除' }).click();
    await page.waitForURL('**/user/list');
    await page.getByText('已删除').waitFor();
    await page.getByText('还没有写过文章').waitFor();
    await page.goBack();
    expect(new URL(page.url()).pathname).toBe('/changelog');
    await mine.end();
  },
);

test('a deleted draft leads to the drafts', async () => {
  const id = await site.write(author, { title: '不写了', status: 'draft' });
  const mine = await visit(browser, site, { username: '林间' });
  await mine.page.goto(`/detail/${id}`);
  await mine.page.getByRole('button', { name: '删除《不写了》' }).click();
  await mine.page.getByRole('alertdialog').getByRole('button', { name: '删除' }).click();
  await mine.page.waitForURL('**/user/draft');
  await mine.page.getByText('没有草稿').waitFor();
  expect(await mine.page.getByText('不写了').count()).toBe(0);
  await mine.end();
});

test('other readers get neither, and visitors not even its script', async () => {
  const id = await site.write(author, { title: '别人的文章' });
  const visitor = await visit(browser, site);
  const scripts: string[] = [];
  visitor.page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(request.url());
  });
  await visitor.page.goto(`/detail/${id}`, { waitUntil: 'networkidle' });
  expect(scripts.filter((url) => url.includes('OwnerActions'))).toEqual([]);
  await visitor.end();

  const reader = await visit(browser, site, { username: '路人甲' });
  const loaded = reader.page.waitForResponse(/OwnerActions/);
  await reader.page.goto(`/detail/${id}`, { waitUntil: 'networkidle' });
  await loaded;
  for (const name of ['编辑', '删除'])
    expect(await reader.page.locator('main header').getByText(name).count()).toBe(0);
  await reader.end();
});
