import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Browser, Page } from '@playwright/test';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ENGINE } from '../engine.ts';
import { launchBrowser } from './browser.ts';
import { openSite, type Site } from './site.ts';
import { visit, type Visit } from './visit.ts';

/** By then Chromium, which waits 200 ms, would have fetched a page ahead. */
const REST_MS = 600;

let site: Site;
let browser: Browser;
let guest: Visit;
let page: Page;
let article: string;
/** Pages the server was asked for, `ahead` where the browser did so before any click. */
let asked: string[] = [];

/** Those that have been answered. */
let answered: string[] = [];

const noteIn = (list: () => string[]) => (message: unknown) => {
  const { request } = message as { request: IncomingMessage };
  const isPage = !/^\/(_assets|api|socket\.io)\/|\.svg$/.test(request.url ?? '');
  const mark = request.headers['sec-purpose'] === 'prefetch' ? ' ahead' : '';
  if (isPage) list().push(decodeURIComponent(request.url ?? '') + mark);
};
const hear = noteIn(() => asked);
const answer = noteIn(() => answered);

beforeAll(async () => {
  subscribe('http.server.request.start', hear);
  subscribe('http.server.response.finish', answer);
  site = await openSite();
  browser = await launchBrowser();
  const { viewer } = await site.join('林间');
  await site.app.services.users.updateBio(viewer, '住在城里');
  for (let index = 0; index < 11; index++) await site.write(viewer, { title: `旧文 ${index}` });
  const links = `[新鲜](/detail/${'a'.repeat(24)}/refresh) [别处](https://example.com/)`;
  article = await site.write(viewer, { title: '新文', content: `## 其一\n\n${links}\n\n## 其二\n\n正文` });
});
afterAll(async () => {
  unsubscribe('http.server.request.start', hear);
  unsubscribe('http.server.response.finish', answer);
  await browser?.close();
  await site?.close();
});
afterEach(() => guest.end());

const open = async (path: string, username?: string) => {
  guest = await visit(browser, site, username === undefined ? {} : { username });
  page = guest.page;
  await page.goto(path);
  await page.waitForLoadState('networkidle');
  [asked, answered] = [[], []];
};
const restOn = (name: string) =>
  page.getByRole('link', { name, exact: true }).and(page.locator(':visible')).last().hover();

describe('the next page', () => {
  test('is fetched while the pointer rests on its link, and not again by the click', async () => {
    await open('/home');
    await restOn('新文');
    // A click before the answer may ask again.
    await expect.poll(() => answered).toEqual([`/detail/${article} ahead`]);
    expect(asked).toEqual(answered);
    await page.getByRole('link', { name: '新文' }).click();
    await page.waitForURL(`/detail/${article}`);
    await page.getByRole('heading', { name: '其二' }).waitFor();
    // The pointer may rest on a link of the new page by now, which is fetched ahead in its turn.
    expect(asked.filter((path) => !path.endsWith(' ahead'))).toEqual([]);
    expect(asked.filter((path) => path.startsWith(`/detail/${article}`))).toHaveLength(1);
  });

  test.each([
    ['下一页', '/home?page=2'],
    ['标签', '/tag/list'],
    ['#随笔', '/tag/detail/随笔'],
    ['林间', '/user/info/林间'],
    ['实验室', '/lab/list'],
    ['更新日志', '/changelog'],
  ])('is fetched ahead for %s', async (name, path) => {
    await open('/home');
    await restOn(name);
    await expect.poll(() => asked).toEqual([`${path} ahead`]);
  });

  test.each([
    ['写文章', 'for signed-in readers'],
    ['留言', 'for signed-in readers'],
    ['登录', 'a form'],
    ['其二', 'on this page'],
    ['新鲜', 'a fresh copy'],
    ['别处', 'of another site'],
  ])('is not fetched ahead for %s: it is %s', async (name) => {
    await open(`/detail/${article}`);
    await restOn(name);
    await page.waitForTimeout(REST_MS);
    expect(asked).toEqual([]);
  });
});

describe('fetching ahead', () => {
  // SQLite counts the writes of others; on PostgreSQL readers' connections refuse to write.
  test.runIf(ENGINE === 'sqlite')('changes nothing', async () => {
    await open('/home');
    const watcher = new DatabaseSync(join(site.app.config.dataDir, 'moye.sqlite'), { readOnly: true });
    const version = () => watcher.prepare('pragma data_version').get();
    const before = version();
    for (const path of ['/', '/home?page=2', `/detail/${article}`, '/tag/detail/随笔', '/user/info/林间']) {
      const response = await fetch(site.url + path, { headers: { 'Sec-Purpose': 'prefetch' } });
      expect(response.status).toBe(200);
      expect(response.headers.get('set-cookie')).toBeNull();
    }
    expect(version()).toEqual(before);
    watcher.close();
  });
});

test('whoever has written reads what they wrote, also where the page was fetched ahead', async () => {
  await open('/home', '林间');
  await restOn('林间');
  await expect.poll(() => asked).toEqual(['/user/info/林间 ahead']);
  const other = await guest.tab();
  await other.goto('/user/info/林间');
  await other.getByRole('button', { name: '编辑简介' }).click();
  await other.getByRole('textbox', { name: '个人简介' }).fill('住在山里');
  await other.getByRole('button', { name: '保存' }).click();
  await other.getByRole('button', { name: '编辑简介' }).waitFor();
  asked = [];
  await page.bringToFront();
  await page.getByRole('link', { name: '林间', exact: true }).last().click();
  await page.waitForURL(/\/user\/info/);
  expect(asked.join()).toContain('/user/info/林间');
  // The page as it came; its owner sees the text in the editor instead.
  expect(await page.locator('main p[data-for="visitor"]').textContent()).toBe('住在山里');
});
