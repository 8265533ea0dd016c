import type { Browser } from '@playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TOKEN_SECRET } from '../engine.ts';
import { launchBrowser } from './browser.ts';
import { openSite, type Site } from './site.ts';
import { visit } from './visit.ts';

/** Two servers on one database: readers of one see at once what comes through the other. */
let a: Site;
let b: Site;
let browser: Browser;
beforeAll(async () => {
  a = await openSite();
  b = await openSite({ DATABASE_URL: a.app.config.databaseUrl ?? '', TOKEN_SECRET });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await b?.close();
  await a?.close();
});

test('a comment through A lights the bell of a reader at B, and stands under the article there', async () => {
  const { viewer: author } = await a.join('林间');
  const { viewer: reader } = await a.join('路人甲');
  const article = await a.write(author, { title: '并发编程' });
  const desk = await visit(browser, b, { username: '林间' });
  const bell = desk.page.getByRole('banner').getByRole('link', { name: /未读评论$/ });
  const told = desk.page.waitForEvent('websocket').then((socket) => socket.waitForEvent('framereceived'));
  await Promise.all([told, desk.page.goto(`/detail/${article}`)]);
  await expect.poll(() => bell.getAttribute('aria-label')).toBe('没有未读评论');

  const comment = {
    content: '隔岸观火',
    page_id: article,
    reply_user: '',
    reply_content: '',
    request_id: '',
  };
  await a.app.services.comments.create(comment, reader);
  await expect.poll(() => bell.getAttribute('aria-label')).toBe('有 1 条未读评论');
  await expect.poll(async () => (await fetch(`${b.url}/detail/${article}`)).text()).toContain('隔岸观火');
  await desk.end();
});
