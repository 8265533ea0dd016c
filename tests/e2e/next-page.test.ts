import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Page } from '@playwright/test';
import { describe, expect } from 'vitest';
import { ENGINE } from '../engine.ts';
import { test as base } from './fixtures.ts';

/** Longer than the 200 ms that Chromium waits before it prefetches a page. */
const REST_MS = 600;

const test = base
  .extend('article', { scope: 'file', auto: true }, async ({ site, author }) => {
    await site.app.services.users.updateBio(author, '住在城里');
    for (let index = 0; index < 11; index++) await site.write(author, { title: `旧文 ${index}` });
    const links = `[新鲜](/detail/${'a'.repeat(24)}/refresh) [别处](https://example.com/)`;
    const content = `## 其一\n\n${links}\n\n## 其二\n\n正文`;
    return site.write(author, { title: '新文', content });
  })
  /** Page requests that the server received and answered; `ahead` marks prefetches. */
  .extend('heard', ({}, { onCleanup }) => {
    const heard = { asked: [] as string[], answered: [] as string[] };
    const noteIn = (list: 'asked' | 'answered') => (message: unknown) => {
      const { request } = message as { request: IncomingMessage };
      const isPage = !/^\/(_assets|api|socket\.io)\/|\.(svg|json)$/.test(request.url ?? '');
      const mark = request.headers['sec-purpose'] === 'prefetch' ? ' ahead' : '';
      if (isPage) heard[list].push(decodeURIComponent(request.url ?? '') + mark);
    };
    const [ask, answer] = [noteIn('asked'), noteIn('answered')];
    subscribe('http.server.request.start', ask);
    subscribe('http.server.response.finish', answer);
    onCleanup(() => {
      unsubscribe('http.server.request.start', ask);
      unsubscribe('http.server.response.finish', answer);
    });
    return heard;
  })
  /** Opens a page and resets `heard`. */
  .extend('open', ({ page, heard }) => async (path: string) => {
    await page.goto(path);
    await page.waitForLoadState('networkidle');
    Object.assign(heard, { asked: [], answered: [] });
  });

const restOn = (page: Page, name: string) =>
  page.getByRole('link', { name, exact: true }).and(page.locator(':visible')).last().hover();

describe('the next page', () => {
  test('is prefetched while the pointer rests on its link, and not fetched again by the click', async ({
    page,
    article,
    open,
    heard,
  }) => {
    await open('/home');
    await restOn(page, '新文');
    // A click before the response might send a second request.
    await expect.poll(() => heard.answered).toEqual([`/detail/${article} ahead`]);
    expect(heard.asked).toEqual(heard.answered);
    await page.getByRole('link', { name: '新文' }).click();
    await page.waitForURL(`/detail/${article}`);
    await page.getByRole('heading', { name: '其二' }).waitFor();
    // The pointer may now be over a link of the new page, which is prefetched in turn.
    expect(heard.asked.filter((path) => !path.endsWith(' ahead'))).toEqual([]);
    expect(heard.asked.filter((path) => path.startsWith(`/detail/${article}`))).toHaveLength(1);
  });

  test.for([
    ['下一页', '/home?page=2'],
    ['标签', '/tag/list'],
    ['#随笔', '/tag/detail/随笔'],
    ['林间', '/user/info/林间'],
    ['实验室', '/lab/list'],
    ['更新日志', '/changelog'],
  ] as const)('is prefetched for %s', async ([name, path], { page, open, heard }) => {
    await open('/home');
    await restOn(page, name);
    await expect.poll(() => heard.asked).toEqual([`${path} ahead`]);
  });

  test.for([
    ['写文章', 'for signed-in readers'],
    ['留言', 'for signed-in readers'],
    ['登录', 'a form'],
    ['其二', 'on this page'],
    ['新鲜', 'a fresh copy'],
    ['别处', 'of another site'],
  ] as const)('is not prefetched for %s: it is %s', async ([name], { page, article, open, heard }) => {
    await open(`/detail/${article}`);
    await restOn(page, name);
    await page.waitForTimeout(REST_MS);
    expect(heard.asked).toEqual([]);
  });
});

describe('prefetching', () => {
  // SQLite counts writes by other connections; on PostgreSQL, reader connections refuse to write.
  test.runIf(ENGINE === 'sqlite')('changes nothing', async ({ site, article, open }) => {
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

describe('an author after a write', () => {
  test.override('username', ({ author }) => author.username);

  test('sees the new text, also on a prefetched page', async ({ guest, page, open, heard }) => {
    await open('/home');
    await restOn(page, '林间');
    await expect.poll(() => heard.asked).toEqual(['/user/info/林间 ahead']);
    const other = await guest.tab();
    await other.goto('/user/info/林间');
    await other.getByRole('button', { name: '编辑资料' }).click();
    await other.getByRole('textbox', { name: '个人简介' }).fill('住在山里');
    await other.getByRole('button', { name: '保存' }).click();
    await other.getByRole('button', { name: '编辑资料' }).waitFor();
    heard.asked = [];
    await page.bringToFront();
    await page.getByRole('link', { name: '林间', exact: true }).last().click();
    await page.waitForURL(/\/user\/info/);
    expect(heard.asked.join()).toContain('/user/info/林间');
    // The bio as the server rendered it; its owner sees it in the editor instead.
    expect(await page.locator('main p[data-for="visitor"]').textContent()).toBe('住在山里');
  });
});
