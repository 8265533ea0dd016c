import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { expect as expectOfPage } from '@playwright/test';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createStorage, type TestStorage } from '../engine.ts';
import { launchBrowser } from './browser.ts';
import { startMortalBrowser } from './mortal-browser.ts';
import { openSite, type Site } from './site.ts';
import { signInCookies, visit, type Visit } from './visit.ts';

/** 2,000 characters, no two places alike, so that any that is missing is missed. */
const TEXT = Array.from({ length: 400 }, (_, index) => `${String(index).padStart(3, '0')}山，`).join('');
const [FIRST, REST] = [TEXT.slice(0, 1_000), TEXT.slice(1_000)];
const AUTHOR = '写作者';

// What is waited for is reading and saving; a busy machine takes its time.
const expectPage = expectOfPage.configure({ timeout: 30_000 });
vi.setConfig({ testTimeout: 150_000 });

let folder: string;
let storage: TestStorage;
let site: Site;
let browser: Browser;
let guest: Visit;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'moye-loss-'));
  storage = await createStorage(folder);
  site = await openSite(storage.settings);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
  await storage?.remove();
  await rm(folder, { recursive: true, force: true });
});

let author: Awaited<ReturnType<Site['join']>>['viewer'];
let name: string;
let count = 0;
beforeEach(async () => {
  name = `${AUTHOR}${++count}`;
  author = (await site.join(name)).viewer;
  guest = await visit(browser, site, { username: name });
});
afterEach(() => guest?.end());

const body = (page: Page) => page.getByRole('textbox', { name: '正文' });
const title = (page: Page) => page.getByRole('textbox', { name: '标题' });
const says = (page: Page, words: string | RegExp) =>
  expectPage(page.getByRole('status').filter({ hasText: words })).toBeVisible();

async function type(page: Page, text: string): Promise<void> {
  await body(page).click();
  await page.keyboard.press('Control+End');
  for (const piece of text.match(/.{1,25}/gu) ?? []) await page.keyboard.insertText(piece);
}

/** Goes offline once everything that hydrates by itself has its code. */
async function goOffline(page: Page): Promise<void> {
  await page
    .getByRole('banner')
    .getByRole('link', { name: /未读评论$/ })
    .waitFor();
  await guest.context.setOffline(true);
}

async function openWrite(page: Page, path = '/write'): Promise<Page> {
  await page.goto(path);
  await expectPage(body(page)).toBeVisible();
  return page;
}

const shows = (page: Page, text: string) => expectPage(body(page)).toHaveText(text);

/** The author's drafts as the server has them. */
async function drafts() {
  const request = { page: 1, pageSize: 999 };
  const list = await site.app.services.articles.list(
    { of: 'own', authorId: author.id, status: 'draft' },
    request,
  );
  return Promise.all(list.result.map(({ id }) => site.app.services.articles.readSource(id, author)));
}

describe('2,000 characters are all there when', () => {
  test('the tab is closed right after the last one', async () => {
    const page = await openWrite(guest.page);
    await title(page).fill('题');
    await type(page, TEXT);
    await page.close();
    const again = await openWrite(await guest.tab());
    await shows(again, TEXT);
    await expectPage(title(again)).toHaveValue('题');
    expect((await drafts()).length).toBeLessThanOrEqual(1);
  });

  test('the tab’s process crashes right after the last one', async () => {
    const page = await openWrite(guest.page);
    const crashed = page.waitForEvent('crash');
    const devtools = await guest.context.newCDPSession(page);
    await type(page, TEXT);
    void devtools.send('Page.crash').catch(() => undefined);
    await crashed;
    await shows(await openWrite(await guest.tab()), TEXT);
    expect((await drafts()).length).toBeLessThanOrEqual(1);
  });

  test('the whole browser is killed', async () => {
    const profile = await mkdtemp(join(tmpdir(), 'moye-profile-'));
    let mortal = await startMortalBrowser(profile);
    try {
      const open = async () => {
        const [context] = mortal.browser.contexts();
        if (!context) throw new Error('a browser without a window');
        await context.addCookies(await signInCookies(site, name));
        return openWrite(await context.newPage(), `${site.url}/write`);
      };
      const page = await open();
      await type(page, TEXT);
      // A killed browser keeps what its database has taken: some milliseconds less than what was typed.
      await expect.poll(() => page.evaluate(keptInDatabase)).toContain(TEXT);
      await mortal.kill();
      mortal = await startMortalBrowser(profile);
      await shows(await open(), TEXT);
      expect((await drafts()).length).toBeLessThanOrEqual(1);
    } finally {
      await mortal.kill();
      // Its helpers end by themselves, a moment later, and may still write.
      await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    }
  });

  test('the network goes in the middle, and the tab is closed before it is back', async () => {
    guest.forgive(/Failed to load resource|ERR_INTERNET_DISCONNECTED|WebSocket/);
    const page = await openWrite(guest.page);
    await type(page, FIRST);
    await goOffline(page);
    await type(page, REST);
    await says(page, '离线，已存本机');
    await page.close();
    await guest.context.setOffline(false);
    const again = await openWrite(await guest.tab());
    await shows(again, TEXT);
    await says(again, '已保存');
    expect((await drafts()).map(({ content }) => content)).toEqual([TEXT]);
  });

  test('the network comes back: without a reload they are on the server', async () => {
    guest.forgive(/Failed to load resource|ERR_INTERNET_DISCONNECTED|WebSocket/);
    const page = await openWrite(guest.page);
    await goOffline(page);
    await type(page, TEXT);
    await says(page, '离线，已存本机');
    await guest.context.setOffline(false);
    await says(page, '已保存');
    expect((await drafts()).map(({ content }) => content)).toEqual([TEXT]);
  });

  test('the server stops in the middle and starts again', async () => {
    guest.forgive(/Failed to load resource|ERR_CONNECTION_REFUSED|WebSocket/);
    const page = await openWrite(guest.page);
    await type(page, FIRST);
    const { port } = new URL(site.url);
    await site.close();
    await type(page, REST);
    await says(page, '离线，已存本机');
    await page.close();
    site = await openSite({ ...storage.settings, PORT: port });
    const again = await openWrite(await guest.tab());
    await shows(again, TEXT);
    await says(again, '已保存');
    expect((await drafts()).map(({ content }) => content)).toEqual([TEXT]);
  });

  test('the sign-in ends in the middle: the page stays, and after signing in elsewhere it goes on', async () => {
    guest.forgive(/Failed to load resource|WebSocket/);
    const page = await openWrite(guest.page);
    await type(page, FIRST);
    await says(page, '已保存');
    const token = (await guest.context.cookies()).find((cookie) => cookie.name === 'token')?.value ?? '';
    await fetch(`${site.url}/api/signout`, { method: 'POST', headers: { Authorization: `Beare ${token}` } });
    await type(page, REST);
    await expectPage(page.getByText('登录已过期，内容已存本机').first()).toBeVisible();
    expect(new URL(page.url()).pathname).toBe('/write');
    await shows(page, TEXT);
    const other = await guest.tab();
    await other.goto('/signin');
    await other.getByLabel('用户名').fill(name);
    await other.getByLabel('密码', { exact: true }).fill('correct horse');
    await other.getByRole('button', { name: '登录', exact: true }).click();
    await other.waitForURL('**/home');
    await says(page, '已保存');
    expect((await drafts()).map(({ content }) => content)).toEqual([TEXT]);
  });

  test('the cookies are gone: nobody sees them, and their author does after signing in', async () => {
    guest.forgive(/Failed to load resource|WebSocket/);
    const page = await openWrite(guest.page);
    await type(page, FIRST);
    await guest.context.clearCookies();
    await type(page, REST);
    await page.close();
    await site.join(`路人${count}`);
    await guest.context.addCookies(await signInCookies(site, `路人${count}`));
    const stranger = await openWrite(await guest.tab());
    await says(stranger, '没有改动');
    expect(await stranger.content()).not.toContain('000山');
    await stranger.close();
    await guest.context.clearCookies();
    await guest.context.addCookies(await signInCookies(site, name));
    await shows(await openWrite(await guest.tab()), TEXT);
  });
});

describe('a published article', () => {
  test('shows readers nothing of what is typed, crash or not, until it is updated', async () => {
    const id = await site.write(author, { title: '旧题', content: '旧文' });
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
    await again.waitForURL(`**/detail/${id}/true`);
    expect(await (await fetch(`${site.url}/detail/${id}/true`)).text()).toContain('000山');
  });

  test('changed on two devices is shown side by side, and nothing is overwritten before the choice', async () => {
    const id = await site.write(author, { title: '题', content: '原文' });
    const other = await visit(browser, site, { username: name });
    const here = await openWrite(guest.page, `/edit/${id}`);
    const there = await openWrite(other.page, `/edit/${id}`);
    await type(there, '，别处写的');
    await says(there, '已保存');
    await type(here, '，这里写的');
    const dialog = here.getByRole('dialog', { name: '这篇文章在别处也改过' });
    await expectPage(dialog.getByRole('region', { name: '我的内容' })).toContainText('原文，这里写的');
    await expectPage(dialog.getByRole('region', { name: '对方的内容' })).toContainText('原文，别处写的');
    const stored = () => site.app.services.articles.readSource(id, author);
    expect((await stored()).revision?.content).toBe('原文，别处写的');
    await here.reload();
    await expectPage(dialog).toBeVisible();
    await dialog.getByRole('button', { name: '用我的' }).click();
    await says(here, '已保存');
    await shows(here, '原文，这里写的');
    expect((await stored()).revision?.content).toBe('原文，这里写的');
    await type(there, '！');
    await there.getByRole('dialog').getByRole('button', { name: '用对方的' }).click();
    await shows(there, '原文，这里写的');
    await other.end();
  });
});

/** All entries of the journal's database, as JSON; runs in the page. */
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
