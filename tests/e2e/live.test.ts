import type { BrowserContext, Page } from '@playwright/test';
import { describe, expect } from 'vitest';
import { test as base } from './fixtures.ts';
import { expireToken, offerStores, storesIn } from './stores-in-page.ts';
import { connected, signInCookies } from './visit.ts';

const REFUSED = /status of 40[12]/;
const REFUSAL = '44{"message":"请重新登录"}';
const GREETING = '0{"sid":"x","upgrades":[],"pingInterval":25000,"pingTimeout":20000,"maxPayload":16384}';

const test = base
  .extend('isReaders', { scope: 'file' }, true)
  /** Opens a browser of the author on a page with a bell. */
  .extend('openDevice', ({ people, visit }) => async () => {
    const device = await visit({ username: people.author.username });
    await offerStores(device.context);
    await follow(device.page);
    return device;
  });

const follow = (page: Page, path = '/changelog') => Promise.all([connected(page), page.goto(path)]);

/** Polls the label of the bell and the page's title. */
const bell = (page: Page) =>
  expect.poll(async () => {
    const link = page.getByRole('banner').getByRole('link', { name: /未读评论$/ });
    return [(await link.getAttribute('aria-label')) ?? '', /^\(\d+\) /.exec(await page.title())?.[0] ?? ''];
  });
const unread = (count: number) =>
  count === 0 ? ['没有未读评论', ''] : [`有 ${count} 条未读评论`, `(${count}) `];

const tokenOf = async (context: BrowserContext) =>
  (await context.cookies()).find(({ name }) => name === 'token')?.value ?? '';

describe('unread comments', () => {
  test(
    'appear on every tab and device as they arrive, and disappear when read or deleted',
    { tags: ['long'] },
    async ({ site, openDevice, people }) => {
      const { reader, comment } = people;
      const [phone, desk] = [await openDevice(), await openDevice()];
      const tab = await desk.tab();
      await follow(tab);
      const everywhere = [phone.page, desk.page, tab];
      const first = await comment(reader, '写得真好');
      for (const page of everywhere) await bell(page).toEqual(unread(1));
      const second = await comment(reader, '再看一遍');
      for (const page of everywhere) await bell(page).toEqual(unread(2));
      await site.app.services.comments.markRead([first._id], people.author);
      for (const page of everywhere) await bell(page).toEqual(unread(1));
      await site.app.services.comments.remove(second._id, reader);
      for (const page of everywhere) await bell(page).toEqual(unread(0));
      expect(await tab.title()).not.toMatch(/^\(/);
    },
  );

  test('appear with an expired token too, but not after signing out', async ({
    site,
    openDevice,
    people,
  }) => {
    const { reader, comment } = people;
    await comment(reader, '写得真好');
    const { page, context } = await openDevice();
    await expireToken(site, context);
    await follow(page);
    await bell(page).toEqual(unread(1));
    await (await storesIn(page)).evaluate(({ signOut }) => signOut());
    await page.getByRole('banner').getByRole('link', { name: '登录' }).waitFor();
    await expect.poll(() => page.title()).not.toMatch(/^\(/);
    const sockets: unknown[] = [];
    page.on('websocket', (socket) => sockets.push(socket));
    // Another device receives the count; by then this one would have received it too.
    const other = await openDevice();
    await comment(reader, '还有一句');
    await bell(other.page).toEqual(unread(2));
    expect(await page.title()).not.toMatch(/^\(/);
    expect(sockets).toEqual([]);
  });

  test('are those of the current user', { tags: ['long'] }, async ({ site, openDevice, people }) => {
    const { reader, comment } = people;
    await comment(reader, '写得真好');
    const { page, context } = await openDevice();
    await bell(page).toEqual(unread(1));
    const other = (await site.join('后来者')).viewer;
    await context.addCookies(await signInCookies(site, other.username));
    // Another client of the site wrote the cookies; then the reader returns to this tab.
    await Promise.all([
      connected(page),
      page.evaluate(() => document.dispatchEvent(new Event('visibilitychange'))),
    ]);
    await bell(page).toEqual(unread(0));
    await comment(reader, '你好', { page_id: await site.write(other, {}) });
    await bell(page).toEqual(unread(1));
    expect(new URL(page.url()).pathname).toBe('/changelog');
  });
});

describe('the socket', () => {
  test(
    'is one websocket with the token in its query, and is opened again after a pause when it breaks',
    { tags: ['long'] },
    async ({ openDevice }) => {
      const { page, context } = await openDevice();
      // Waits for the last call that a page makes by itself; the next page finds its response in session
      // storage.
      await expect
        .poll(() => page.evaluate(() => Object.keys(sessionStorage).some((key) => key.startsWith('avatar:'))))
        .toBe(true);
      const requests: URL[] = [];
      page.on('websocket', (socket) => requests.push(new URL(socket.url())));
      page.on('request', (request) => {
        if (request.url().includes('/socket.io/')) requests.push(new URL(request.url()));
      });
      await page.clock.install();
      await follow(page, '/tag/list');
      const socket = ['ws:', await tokenOf(context)];
      const opened = () =>
        requests.map(({ protocol, searchParams }) => [protocol, searchParams.get('token')]);
      expect(opened()).toEqual([socket]);
      await context.setOffline(true);
      await context.setOffline(false);
      await page.clock.runFor(20_000);
      await expect.poll(opened).toEqual([socket, socket]);
    },
  );

  test(
    'is only logged when refused, without changing the page',
    { tags: ['long'] },
    async ({ openDevice, people }) => {
      const { reader, comment } = people;
      await comment(reader, '写得真好');
      const { page } = await openDevice();
      const notes: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'info') notes.push(message.text());
      });
      await page.routeWebSocket(/socket\.io/, (socket) => {
        socket.onMessage(() => socket.send(REFUSAL));
        socket.send(GREETING);
      });
      await page.goto('/changelog');
      await expect.poll(() => notes.join()).toContain('live updates are off');
      await bell(page).toEqual(unread(1));
      expect(new URL(page.url()).pathname).toBe('/changelog');
    },
  );

  test('is not opened with an unknown token: the reader continues as a visitor', async ({
    site,
    openDevice,
  }) => {
    const { page, context, forgive } = await openDevice();
    forgive(REFUSED);
    const token = (await tokenOf(context)).replace(/^[^.]+/, 'x');
    await context.addCookies([{ name: 'token', value: token, url: site.url, sameSite: 'Lax' }]);
    const sockets: unknown[] = [];
    page.on('websocket', (socket) => sockets.push(socket));
    await page.goto('/changelog');
    await page.getByRole('banner').getByRole('link', { name: '登录' }).waitFor();
    expect(sockets).toEqual([]);
    expect(new URL(page.url()).pathname).toBe('/changelog');
  });

  test(
    'is closed when a page enters the back/forward cache, and opened on return',
    { tags: ['long'] },
    async ({ openDevice, people }) => {
      const { reader, comment } = people;
      const { page } = await openDevice();
      await page.evaluate(() => {
        Object.assign(window, { isKept: true });
      });
      await page.getByRole('banner').getByRole('link', { name: '标签' }).first().click();
      await expect.poll(() => new URL(page.url()).pathname).toBe('/tag/list');
      await comment(reader, '写得真好');
      await page.evaluate(() => history.back());
      await expect.poll(() => new URL(page.url()).pathname).toBe('/changelog');
      expect(await page.evaluate(() => 'isKept' in window)).toBe(true);
      await bell(page).toEqual(unread(1));
      // Received over the socket, not only fetched when the page was restored.
      await comment(reader, '再来一句');
      await bell(page).toEqual(unread(2));
    },
  );
});
