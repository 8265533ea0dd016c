import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { describe, expect, vi } from 'vitest';
import { expectPage } from './expect-page.ts';
import { test as base } from './fixtures.ts';
import { startMortalBrowser } from './mortal-browser.ts';
import { signInCookies, type Visit } from './visit.ts';

/** 2,000 characters; every part is unique, so any missing part is noticed. */
const TEXT = Array.from({ length: 400 }, (_, index) => `${String(index).padStart(3, '0')}山，`).join('');
const [FIRST, REST] = [TEXT.slice(0, 1_000), TEXT.slice(1_000)];

// Reading and saving take long on a busy machine.
vi.setConfig({ testTimeout: 150_000 });

let count = 0;
const test = base
  /** A separate account for each test, without articles. */
  .extend('writer', async ({ site }) => (await site.join(`写作者${++count}`)).viewer)
  .extend('username', ({ writer }) => writer.username)
  /** Stored drafts of the author. */
  .extend('drafts', ({ site, writer }) => async () => {
    const { articles } = site.app.services;
    const own = { of: 'own', authorId: writer.id, status: 'draft' } as const;
    const { result } = await articles.list(own, { page: 1, pageSize: 999 });
    return Promise.all(result.map(({ id }) => articles.readSource(id, writer)));
  });

const body = (page: Page) => page.getByRole('textbox', { name: '正文' });
const title = (page: Page) => page.getByRole('textbox', { name: '标题' });
const says = (page: Page, words: string | RegExp) =>
  expectPage(page.getByRole('status').filter({ hasText: words })).toBeVisible();

async function type(page: Page, text: string): Promise<void> {
  await body(page).click();
  await page.keyboard.press('Control+End');
  for (const piece of text.match(/.{1,25}/gu) ?? []) await page.keyboard.insertText(piece);
}

/** Goes offline once the islands that load without interaction are hydrated. */
async function goOffline({ page, context }: Visit): Promise<void> {
  await page
    .getByRole('banner')
    .getByRole('link', { name: /未读评论$/ })
    .waitFor();
  await context.setOffline(true);
}

async function openWrite(page: Page, path = '/write'): Promise<Page> {
  await page.goto(path);
  await expectPage(body(page)).toBeVisible();
  return page;
}

const shows = (page: Page, text: string) => expectPage(body(page)).toHaveText(text);

describe('2,000 characters are all there when', () => {
  test('the tab is closed right after the last one', { tags: ['long'] }, async ({ guest, drafts }) => {
    const page = await openWrite(guest.page);
    await title(page).fill('题');
    await type(page, TEXT);
    await page.close();
    const again = await openWrite(await guest.tab());
    await shows(again, TEXT);
    await expectPage(title(again)).toHaveValue('题');
    expect((await drafts()).length).toBeLessThanOrEqual(1);
  });

  test(
    'the tab’s process crashes right after the last one',
    { tags: ['long'] },
    async ({ guest, drafts }) => {
      const page = await openWrite(guest.page);
      const crashed = page.waitForEvent('crash');
      const devtools = await guest.context.newCDPSession(page);
      await type(page, TEXT);
      void devtools.send('Page.crash').catch(() => undefined);
      await crashed;
      await shows(await openWrite(await guest.tab()), TEXT);
      expect((await drafts()).length).toBeLessThanOrEqual(1);
    },
  );

  test('the whole browser is killed', { tags: ['long'] }, async ({ site, writer, drafts }) => {
    const profile = await mkdtemp(join(tmpdir(), 'moye-profile-'));
    let mortal = await startMortalBrowser(profile);
    try {
      const open = async () => {
        const [context] = mortal.browser.contexts();
        if (!context) throw new Error('a browser without a window');
        await context.addCookies(await signInCookies(site, writer.username));
        return openWrite(await context.newPage(), `${site.url}/write`);
      };
      const page = await open();
      await type(page, TEXT);
      // A killed browser keeps what its database has stored, which lags behind the typing by some
      // milliseconds.
      await expect.poll(() => page.evaluate(keptInDatabase)).toContain(TEXT);
      await mortal.kill();
      mortal = await startMortalBrowser(profile);
      await shows(await open(), TEXT);
      expect((await drafts()).length).toBeLessThanOrEqual(1);
    } finally {
      await mortal.kill();
      // The browser's helper processes exit a moment later and may still write.
      await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    }
  });

  test(
    'the network goes in the middle, and the tab is closed before it is back',
    { tags: ['long'] },
    async ({ guest, drafts }) => {
      guest.forgive(/Failed to load resource|ERR_INTERNET_DISCONNECTED|WebSocket/);
      const page = await openWrite(guest.page);
      await type(page, FIRST);
      await goOffline(guest);
      await type(page, REST);
      await says(page, '离线，已存本机');
      await page.close();
      await guest.context.setOffline(false);
      const again = await openWrite(await guest.tab());
      await shows(again, TEXT);
      await says(again, '已保存');
      expect((await drafts()).map(({ content }) => content)).toEqual([TEXT]);
    },
  );

  test(
    'the network comes back: without a reload they are on the server',
    { tags: ['long'] },
    async ({ guest, drafts }) => {
      guest.forgive(/Failed to load resource|ERR_INTERNET_DISCONNECTED|WebSocket/);
      const page = await openWrite(guest.page);
      await goOffline(guest);
      await type(page, TEXT);
      await says(page, '离线，已存本机');
      await guest.context.setOffline(false);
      await says(page, '已保存');
      expect((await drafts()).map(({ content }) => content)).toEqual([TEXT]);
    },
  );

  test(
    'the server stops in the middle and starts again',
    { tags: ['long'] },
    async ({ site, guest, drafts }) => {
      guest.forgive(/Failed to load resource|ERR_CONNECTION_REFUSED|WebSocket/);
      const page = await openWrite(guest.page);
      await type(page, FIRST);
      await site.stop();
      await type(page, REST);
      await says(page, '离线，已存本机');
      await page.close();
      await site.start();
      const again = await openWrite(await guest.tab());
      await shows(again, TEXT);
      await says(again, '已保存');
      expect((await drafts()).map(({ content }) => content)).toEqual([TEXT]);
    },
  );

  test(
    'the sign-in ends midway: the page stays, and continues after signing in elsewhere',
    { tags: ['long'] },
    async ({ site, guest, writer, drafts }) => {
      guest.forgive(/Failed to load resource|WebSocket/);
      const page = await openWrite(guest.page);
      await type(page, FIRST);
      await says(page, '已保存');
      const token = (await guest.context.cookies()).find((cookie) => cookie.name === 'token')?.value ?? '';
      await fetch(`${site.url}/api/signout`, {
        method: 'POST',
        headers: { Authorization: `Beare ${token}` },
      });
      await type(page, REST);
      await expectPage(page.getByText('登录已过期，内容已存本机').first()).toBeVisible();
      expect(new URL(page.url()).pathname).toBe('/write');
      await shows(page, TEXT);
      const other = await guest.tab();
      await other.goto('/signin');
      await other.getByLabel('用户名').fill(writer.username);
      await other.getByLabel('密码', { exact: true }).fill('correct horse');
      await other.getByRole('button', { name: '登录', exact: true }).click();
      await other.waitForURL('**/home');
      await says(page, '已保存');
      expect((await drafts()).map(({ content }) => content)).toEqual([TEXT]);
    },
  );

  test(
    'the cookies are lost: no one sees the text, until its author signs in',
    { tags: ['long'] },
    async ({ site, guest, writer }) => {
      guest.forgive(/Failed to load resource|WebSocket/);
      const page = await openWrite(guest.page);
      await type(page, FIRST);
      await guest.context.clearCookies();
      await type(page, REST);
      await page.close();
      await site.join('路人');
      await guest.context.addCookies(await signInCookies(site, '路人'));
      const stranger = await openWrite(await guest.tab());
      await says(stranger, '没有改动');
      expect(await stranger.content()).not.toContain('000山');
      await stranger.close();
      await guest.context.clearCookies();
      await guest.context.addCookies(await signInCookies(site, writer.username));
      await shows(await openWrite(await guest.tab()), TEXT);
    },
  );
});

describe('a published article', () => {
  test(
    'shows readers nothing of what is typed, crash or not, until it is updated',
    { tags: ['long'] },
    async ({ site, guest, writer }) => {
      const id = await site.write(writer, { title: '旧题', content: '旧文' });
      const page = await openWrite(guest.page, `/edit/${id}`);
      await type(page, TEXT);
      await says(page, '已保存');
      await page.close();
      const reader = await (await fetch(`${site.url}/detail/${id}/true`)).text();
      expect(reader).toContain('旧文');
      expect(reader).not.toContain('000山');
      const again = await openWrite(await guest.tab(), `/edit/${id}`);
      await shows(again, `旧文${TEXT}`);
      await again.getByRole('button', { name: '更新' }).click();
      await again.waitForURL(`**/detail/${id}`);
      expect(await (await fetch(`${site.url}/detail/${id}/true`)).text()).toContain('000山');
    },
  );

  test(
    'changed on two devices is shown side by side, and nothing is overwritten before the choice',
    { tags: ['long'] },
    async ({ site, visit, guest, writer }) => {
      const id = await site.write(writer, { title: '题', content: '原文' });
      const other = await visit({ username: writer.username });
      const here = await openWrite(guest.page, `/edit/${id}`);
      const there = await openWrite(other.page, `/edit/${id}`);
      await type(there, '，别处写的');
      await says(there, '已保存');
      await type(here, '，这里写的');
      const dialog = here.getByRole('dialog', { name: '这篇文章在别处也改过' });
      await expectPage(dialog.getByRole('group', { name: '我的', exact: true })).toContainText(
        '原文，这里写的',
      );
      await expectPage(dialog.getByRole('group', { name: /上的 Chrome/ })).toContainText('原文，别处写的');
      const stored = () => site.app.services.articles.readSource(id, writer);
      expect((await stored()).revision?.content).toBe('原文，别处写的');
      await here.reload();
      await expectPage(dialog).toBeVisible();
      await dialog.getByRole('button', { name: '全用我的' }).click();
      await says(here, '已保存');
      await shows(here, '原文，这里写的');
      expect((await stored()).revision?.content).toBe('原文，这里写的');
      await type(there, '！');
      await there.getByRole('dialog').getByRole('button', { name: '全用对方的' }).click();
      await shows(there, '原文，这里写的');
    },
  );
});

/** Returns all entries of the journal's database as JSON. Runs in the page. */
function keptInDatabase(): Promise<string> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('moye-drafts');
    opening.addEventListener('error', () => reject(opening.error ?? new Error('no database')));
    opening.addEventListener('success', () => {
      const reading = opening.result.transaction('entries').objectStore('entries').getAll();
      reading.addEventListener('success', () => {
        opening.result.close();
        resolve(JSON.stringify(reading.result));
      });
    });
  });
}
