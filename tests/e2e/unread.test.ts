import type { Browser, Page } from '@playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Viewer } from '../../src/lib/server/auth/auth-service.ts';
import { launchBrowser } from './browser.ts';
import { openSite, type Site } from './site.ts';
import { visit } from './visit.ts';

let site: Site;
let browser: Browser;

beforeAll(async () => {
  [site, browser] = [await openSite(), await launchBrowser()];
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});

/** An author with an article, and a reader; each test has its own. */
let accounts = 0;
async function authorAndReader() {
  const number = ++accounts;
  const { viewer: author } = await site.join(`作者${number}`);
  const { viewer: reader } = await site.join(`读者${number}`);
  const article = await site.write(author, { title: `文章${number}` });
  const comment = (content: string, viewer: Viewer = reader) =>
    site.app.services.comments.create(
      { content, page_id: article, request_id: '', reply_user: '', reply_content: '' },
      viewer,
    );
  return { author, reader, article, comment };
}

/** Waits as long as a busy machine may need. */
const PATIENCE = { timeout: 15_000 };
const bell = (page: Page, unread: number) =>
  page.getByRole('link', { name: unread > 0 ? `有 ${unread} 条未读评论` : '没有未读评论', exact: true });

test('a comment shows at the bell and in the title of whoever it is for, on every tab and device, without a reload', async () => {
  const { author, comment } = await authorAndReader();
  const desk = await visit(browser, site, { username: author.username });
  const phone = await visit(browser, site, { username: author.username });
  const tab = await desk.tab();
  const pages = [desk.page, tab, phone.page];
  for (const page of pages) {
    await page.goto('/changelog');
    await bell(page, 0).waitFor();
  }
  await comment('第一条');
  for (const page of pages) {
    await bell(page, 1).waitFor();
    await expect.poll(() => page.title(), PATIENCE).toMatch(/^\(1\) /);
  }
  await comment('第二条');
  for (const page of pages) await bell(page, 2).waitFor();
  await desk.end();
  await phone.end();
});

test('read in one tab is read in the other tab and on another device', async () => {
  const { author, comment } = await authorAndReader();
  for (let number = 1; number <= 12; number++) await comment(`第 ${number} 条`);
  const desk = await visit(browser, site, { username: author.username });
  const phone = await visit(browser, site, { username: author.username });
  const tab = await desk.tab();
  for (const page of [tab, phone.page]) {
    await page.goto('/changelog');
    await bell(page, 12).waitFor();
  }
  await desk.page.goto('/comment/list');
  for (const page of [desk.page, tab, phone.page]) await bell(page, 2).waitFor();
  await desk.page.getByRole('link', { name: '下一页' }).click();
  for (const page of [desk.page, tab, phone.page]) {
    await bell(page, 0).waitFor();
    await expect.poll(() => page.title(), PATIENCE).not.toMatch(/^\(/);
  }
  await desk.end();
  await phone.end();
});

test('the open list of received comments shows a new one by itself, marked, and it counts as read', async () => {
  const { author, comment } = await authorAndReader();
  await comment('早先的');
  const desk = await visit(browser, site, { username: author.username });
  const { page } = desk;
  await page.goto('/comment/list');
  await bell(page, 0).waitFor();
  await comment('刚刚写下的');
  const fresh = page.getByRole('tabpanel').getByRole('article').filter({ hasText: '刚刚写下的' });
  await fresh.getByText('未读').waitFor();
  await bell(page, 0).waitFor();
  await expect.poll(() => site.app.services.comments.countUnread(author), PATIENCE).toBe(0);
  await desk.end();
});

test('the open list shows one that came before the socket was open, though the number is the same again', async () => {
  const { author, comment } = await authorAndReader();
  await comment('早先的');
  const desk = await visit(browser, site, { username: author.username });
  const { page } = desk;
  const opening = Promise.withResolvers<void>();
  await page.routeWebSocket(/socket\.io/, async (socket) => {
    await opening.promise;
    socket.connectToServer();
  });
  await page.goto('/comment/list');
  const list = page.getByRole('tabpanel').getByRole('article');
  await list.filter({ hasText: '早先的' }).waitFor();
  await expect.poll(() => site.app.services.comments.countUnread(author), PATIENCE).toBe(0);
  await comment('连上之前写的');
  opening.resolve();
  await list.filter({ hasText: '连上之前写的' }).waitFor();
  await expect.poll(() => site.app.services.comments.countUnread(author), PATIENCE).toBe(0);
  await desk.end();
});

test('a comment that is deleted before it was read is no longer counted', async () => {
  const { author, reader, comment } = await authorAndReader();
  const { _id } = await comment('说错了');
  const desk = await visit(browser, site, { username: author.username });
  await desk.page.goto('/changelog');
  await bell(desk.page, 1).waitFor();
  await site.app.services.comments.remove(_id, reader);
  await bell(desk.page, 0).waitFor();
  await expect.poll(() => desk.page.title(), PATIENCE).not.toMatch(/^\(/);
  await desk.end();
});

test('nobody else hears of it', async () => {
  const { author, reader, comment } = await authorAndReader();
  const mine = await visit(browser, site, { username: author.username });
  await mine.page.goto('/changelog');
  await bell(mine.page, 0).waitFor();
  const stranger = await site.join('旁人');
  const windows = [
    await visit(browser, site, { username: reader.username }),
    await visit(browser, site, { username: stranger.viewer.username }),
  ];
  for (const { page } of windows) {
    await page.goto('/changelog');
    await bell(page, 0).waitFor();
  }
  await comment('只给作者');
  await bell(mine.page, 1).waitFor();
  for (const { page } of windows) {
    await page.waitForLoadState('networkidle');
    expect(await bell(page, 0).count()).toBe(1);
  }
  for (const window of [mine, ...windows]) await window.end();
});
