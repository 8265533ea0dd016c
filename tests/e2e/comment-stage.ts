import type { Browser, BrowserContextOptions, Page } from '@playwright/test';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { Viewer } from '../../src/lib/server/auth/auth-service.ts';
import { launchBrowser } from './browser.ts';
import { openSite, type Site } from './site.ts';
import { visit, type Visit } from './visit.ts';

export const AUTHOR = '林间';
export const READER = '路人甲';
export const OTHER = '路人乙';

/** Parts of the page. */
export const boxOf = (page: Page) => page.getByRole('form', { name: '写评论' }).getByRole('textbox');
export const submitOf = (page: Page) => page.getByRole('button', { name: '发表评论' });
export const items = (page: Page) => page.locator('#UI-comments li[id^=UI-comment-]');
export const itemOf = (page: Page, text: string) => items(page).filter({ hasText: text });

/** As a visitor's thread hydrates: at the first touch. */
export const touch = (page: Page) => page.locator('#UI-comments-title').hover();

/** Waits until the newest comments have taken the place of those the server printed. */
export const live = (page: Page) => page.locator('#UI-comments:not(:has([data-comments]))').waitFor();

/** What the focus is on, as text. */
export const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '');

/**
 * For each test a new article by `AUTHOR` without comments, and browsers to look at it, which are closed
 * afterwards. Registers its own hooks; call it once in a file.
 */
export function openCommentStage() {
  let site: Site;
  let browser: Browser;
  let article: string;
  let visits: Visit[] = [];
  const people = new Map<string, Viewer>();

  beforeAll(async () => {
    site = await openSite();
    browser = await launchBrowser();
    for (const name of [AUTHOR, READER, OTHER]) people.set(name, (await site.join(name)).viewer);
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });
  beforeEach(async () => {
    article = await write({ title: '山居秋暝', content: '空山新雨后。' });
  });
  afterEach(async () => {
    const ended = visits;
    visits = [];
    for (const each of ended) await each.end();
  });

  const write = (fields: Parameters<Site['write']>[1]) => site.write(viewerOf(AUTHOR), fields);
  const viewerOf = (name: string) => people.get(name) as Viewer;
  const path = () => `/detail/${article}`;
  return {
    site: () => site,
    browser: () => browser,
    viewerOf,
    path,
    write,
    /** Lets the test look at another article. */
    lookAt: (id: string) => void (article = id),
    /** Deletes the article. */
    burn: () => site.app.services.articles.remove(article, viewerOf(AUTHOR)),
    /** Comments of the article as the server has them, newest first. */
    async stored() {
      const batches = await Array.fromAsync(site.app.services.comments.newestUnder(article, null));
      return batches.flat().map(({ comment }) => comment);
    },
    /** Adds a comment past the interface; returns its id. */
    async put(name: string, content: string, reply: { user?: string; text?: string } = {}): Promise<string> {
      const { user: reply_user = '', text: reply_content = '' } = reply;
      const fields = { page_id: article, content, reply_user, reply_content, request_id: '' };
      return (await site.app.services.comments.create(fields, viewerOf(name)))._id;
    },
    /** Opens the article, or `at`, in a browser of its own; without `username` as a visitor. */
    async open(username?: string, { at = path(), ...rest }: BrowserContextOptions & { at?: string } = {}) {
      const opened = await visit(browser, site, { ...rest, ...(username === undefined ? {} : { username }) });
      visits.push(opened);
      await opened.page.goto(at);
      return opened;
    },
  };
}
