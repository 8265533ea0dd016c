import type { Page } from '@playwright/test';
import { expect } from 'vitest';
import { test as base } from './fixtures.ts';

const test = base.extend('username', ({ people }) => people.author.username);

const bell = (page: Page, unread: number) =>
  page.getByRole('link', { name: unread > 0 ? `有 ${unread} 条未读评论` : '没有未读评论', exact: true });

test('a comment appears at the addressee’s bell and title, on every tab and device, without a reload', async ({
  visit,
  guest,
  page,
  people,
}) => {
  const { author, reader, comment } = people;
  const phone = await visit({ username: author.username });
  const tab = await guest.tab();
  const pages = [page, tab, phone.page];
  for (const each of pages) {
    await each.goto('/changelog');
    await bell(each, 0).waitFor();
  }
  await comment(reader, '第一条');
  for (const each of pages) {
    await bell(each, 1).waitFor();
    await expect.poll(() => each.title()).toMatch(/^\(1\) /);
  }
  await comment(reader, '第二条');
  for (const each of pages) await bell(each, 2).waitFor();
});

test('reading in one tab updates the other tab and another device', async ({
  visit,
  guest,
  page,
  people,
}) => {
  const { author, reader, comment } = people;
  for (let number = 1; number <= 12; number++) await comment(reader, `第 ${number} 条`);
  const phone = await visit({ username: author.username });
  const tab = await guest.tab();
  for (const each of [tab, phone.page]) {
    await each.goto('/changelog');
    await bell(each, 12).waitFor();
  }
  await page.goto('/comment/list');
  for (const each of [page, tab, phone.page]) await bell(each, 2).waitFor();
  await page.getByRole('link', { name: '下一页' }).click();
  for (const each of [page, tab, phone.page]) {
    await bell(each, 0).waitFor();
    await expect.poll(() => each.title()).not.toMatch(/^\(/);
  }
});

test('the open list of received comments shows a new one automatically, marked and counted as read', async ({
  page,
  people,
}) => {
  const { reader, comment } = people;
  await comment(reader, '早先的');
  await page.goto('/comment/list');
  await bell(page, 0).waitFor();
  await comment(reader, '刚刚写下的');
  const fresh = page.getByRole('tabpanel').getByRole('article').filter({ hasText: '刚刚写下的' });
  await fresh.getByText('未读').waitFor();
  await bell(page, 0).waitFor();
  await expect.poll(people.unread).toBe(0);
});

test('the open list shows one that arrived before the socket was open, even with an unchanged count', async ({
  page,
  people,
}) => {
  const { reader, comment } = people;
  await comment(reader, '早先的');
  const opening = Promise.withResolvers<void>();
  await page.routeWebSocket(/socket\.io/, async (socket) => {
    await opening.promise;
    socket.connectToServer();
  });
  await page.goto('/comment/list');
  const list = page.getByRole('tabpanel').getByRole('article');
  await list.filter({ hasText: '早先的' }).waitFor();
  await expect.poll(people.unread).toBe(0);
  await comment(reader, '连上之前写的');
  opening.resolve();
  await list.filter({ hasText: '连上之前写的' }).waitFor();
  await expect.poll(people.unread).toBe(0);
});

test('a comment that is deleted before it was read is no longer counted', async ({ site, page, people }) => {
  const { reader, comment } = people;
  const { _id } = await comment(reader, '说错了');
  await page.goto('/changelog');
  await bell(page, 1).waitFor();
  await site.app.services.comments.remove(_id, reader);
  await bell(page, 0).waitFor();
  await expect.poll(() => page.title()).not.toMatch(/^\(/);
});

test('no one else is notified', async ({ site, visit, page, people }) => {
  const { reader, comment } = people;
  await page.goto('/changelog');
  await bell(page, 0).waitFor();
  const stranger = await site.join('旁人');
  const windows = [
    await visit({ username: reader.username }),
    await visit({ username: stranger.viewer.username }),
  ];
  for (const { page: other } of windows) {
    await other.goto('/changelog');
    await bell(other, 0).waitFor();
  }
  await comment(reader, '只给作者');
  await bell(page, 1).waitFor();
  for (const { page: other } of windows) {
    await other.waitForLoadState('networkidle');
    expect(await bell(other, 0).count()).toBe(1);
  }
});
