import { AxeBuilder } from '@axe-core/playwright';
import { expect as expectPage, type Browser, type Page } from '@playwright/test';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Viewer } from '../../src/lib/server/auth/auth-service.ts';
import { launchBrowser } from './browser.ts';
import { deskOf } from './desk.ts';
import { openSite, type Site } from './site.ts';
import { sizes, visit, type Visit } from './visit.ts';

const PANEL = '摘要与封面';

let site: Site;
let browser: Browser;
let author: Viewer;
let current: Visit;
let page: Page;
let picture: Buffer;

beforeAll(async () => {
  site = await openSite();
  browser = await launchBrowser();
  author = (await site.join('林间')).viewer;
  await site.write(author, { title: '旧文', tags: ['随笔'] });
  picture = await sharp({ create: { width: 1600, height: 900, channels: 3, background: '#357' } })
    .jpeg()
    .toBuffer();
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});
beforeEach(async () => {
  current = await visit(browser, site, { username: '林间' });
  page = current.page;
});
afterEach(() => current.end());

const { title, button, open, write, pick, saved } = deskOf(() => page);
const description = () => page.getByRole('textbox', { name: '摘要' });
const cover = () => page.getByRole('img', { name: '现在的封面' });
const choose = (name = '山.jpg', mimeType = 'image/jpeg') =>
  page.getByLabel('选择封面').setInputFiles({ name, mimeType, buffer: picture });

/** An article as a reader finds it: what its head says, and whether anything on it moved. */
async function readers(path: string): Promise<Page> {
  const reader = await (await browser.newContext({ baseURL: site.url, viewport: sizes.phone })).newPage();
  await reader.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value);
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await reader.goto(path);
  return reader;
}
const shiftsOf = (reader: Page) => reader.evaluate(() => (window as unknown as { shifts: number[] }).shifts);

test('a description and a cover are written, published, seen by readers, and changed', async () => {
  await open();
  await title().fill('山居');
  await pick('随笔');
  await write('空山新雨后，天气晚来秋。');
  await page.locator('summary', { hasText: PANEL }).focus();
  await page.keyboard.press('Enter');
  await description().fill('王维的秋天');
  await expectPage(page.getByText('5 / 200')).toBeVisible();
  await choose();
  await expectPage(cover()).toBeVisible();
  await button('发布').click();
  await page.waitForURL(/\/detail\//);
  const path = new URL(page.url()).pathname.replace('/true', '');

  const reader = await readers(path);
  const head = (name: string) => reader.locator(`meta[name="${name}"], meta[property="${name}"]`);
  const address = await reader.locator('article img').first().getAttribute('src');
  await expectPage(head('description')).toHaveAttribute('content', '王维的秋天');
  await expectPage(head('og:image')).toHaveAttribute('content', new RegExp(`^http://.+${address}$`));
  await expectPage(reader.locator(`article img[src="${address}"]`)).toHaveJSProperty('complete', true);
  expect(await shiftsOf(reader)).toEqual([]);
  await reader.goto('/home');
  const card = reader.getByRole('article').filter({ hasText: '山居' });
  await expectPage(card.getByText('王维的秋天')).toBeVisible();
  await expectPage(card.locator(`img[src="${address}"]`)).toHaveJSProperty('complete', true);
  expect(await card.textContent()).not.toContain('天气晚来秋');
  expect(await shiftsOf(reader)).toEqual([]);

  await open(path.replace('detail', 'edit'));
  await page.getByText(PANEL).click();
  await expectPage(description()).toHaveValue('王维的秋天');
  await description().fill('');
  await button('去掉封面').click();
  await expectPage(button('选择图片')).toBeFocused();
  await button('更新').click();
  await page.waitForURL(/\/detail\//);
  await reader.goto('/home');
  await expectPage(card.getByText('天气晚来秋')).toBeVisible();
  await expectPage(card.locator('img')).toHaveCount(0);
  await reader.context().close();
});

test('both sides of a conflict are shown with them, and one is taken', async () => {
  const id = await site.write(author, { title: '两处', description: '原来的' });
  await open(`/edit/${id}`);
  await page.getByText(PANEL).click();
  await choose();
  await expectPage(cover()).toBeVisible();
  await saved('已保存');
  const fields = { title: '两处', content: '正文', tags: ['随笔'], secret: false, type: '' };
  await site.app.services.articles.edit({ ...fields, id, status: 'normal', description: '别处写的' }, author);
  await description().fill('这里写的');
  const dialog = page.getByRole('dialog', { name: '这篇文章在别处也改过' });
  const mine = dialog.getByRole('region', { name: '我的', exact: true });
  const theirs = dialog.getByRole('region', { name: '对方的', exact: true });
  await expectPage(mine.getByText('摘要：这里写的')).toHaveClass(/version-own/);
  await expectPage(mine.getByRole('img', { name: '这一份的封面' })).toBeVisible();
  await expectPage(theirs.getByText('摘要：别处写的')).toBeVisible();
  await expectPage(theirs.getByText('封面：没有')).toBeVisible();
  await button('用对方的').click();
  await expectPage(dialog).toBeHidden();
  expect(await description().inputValue()).toBe('别处写的');
  expect(await cover().count()).toBe(0);
});

test('what is refused is said beside it: a description too long, a file that is no picture', async () => {
  await open();
  await title().fill('题');
  await pick('随笔');
  await write('正文');
  await page.getByText(PANEL).click();
  await description().fill('长'.repeat(201));
  await expectPage(page.getByText('摘要不能超过 200 个字符，现在有 201 个')).toBeVisible();
  await page.getByText(PANEL).click();
  await button('发布').click();
  await expectPage(description()).toBeFocused();
  await choose('山.txt', 'text/plain');
  await expectPage(page.getByText('无法识别的图片')).toBeVisible();
  await button('移除 山.txt').click();
  await expectPage(page.getByText('没有封面', { exact: true })).toBeVisible();
  for (const theme of ['light', 'dark']) {
    await page.evaluate((value) => (document.documentElement.dataset['theme'] = value), theme);
    const { violations } = await new AxeBuilder({ page }).include('.desk-head').analyze();
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  }
  await description().fill('');
});
