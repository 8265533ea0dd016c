import type { BrowserContextOptions, Page } from '@playwright/test';
import { AUTHOR, test as base } from './fixtures.ts';

export const READER = '路人甲';
export const OTHER = '路人乙';

/** Parts of the page. */
export const boxOf = (page: Page) => page.getByRole('form', { name: '写评论' }).getByRole('textbox');
/** The box under the comment of `name`. */
export const answerOf = (page: Page, name: string) =>
  page.getByRole('form', { name: `回复 ${name}` }).getByRole('textbox');
export const submitOf = (page: Page) => page.getByRole('button', { name: '发表评论' });
export const items = (page: Page) => page.locator('#UI-comments li[id^=UI-comment-]');
/** The comment that says `text`; what is typed in a box under a comment is not what it says. */
export const itemOf = (page: Page, text: string) =>
  items(page).filter({ has: page.locator('div[dir=auto]', { hasText: text }) });

/** As a visitor's thread hydrates: at the first touch. */
export const touch = (page: Page) => page.locator('#UI-comments-title').hover();

/** Waits until the newest comments have taken the place of those the server printed. */
export const live = (page: Page) => page.locator('#UI-comments:not(:has([data-comments]))').waitFor();

/** What the focus is on, as text. */
export const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '');

/** Tests of the comments under an article, which is new and without comments for each test. */
export const test = base
  .extend('readers', { scope: 'file' }, async ({ site, author }) => {
    const [reader, other] = [await site.join(READER), await site.join(OTHER)];
    return { [AUTHOR]: author, [READER]: reader.viewer, [OTHER]: other.viewer };
  })
  .extend('article', ({ site, author }) => site.write(author, { title: '山居秋暝', content: '空山新雨后。' }))
  .extend('stage', ({ site, author, readers, article, visit }) => {
    const { articles, comments } = site.app.services;
    const path = `/detail/${article}`;
    return {
      path,
      /** Deletes the article. */
      burn: () => articles.remove(article, author),
      /** Comments of the article as the server has them, newest first. */
      async stored() {
        const batches = await Array.fromAsync(comments.newestUnder(article, null));
        return batches.flat().map(({ comment }) => comment);
      },
      /** Adds a comment past the interface; returns its id. */
      async put(
        name: keyof typeof readers,
        content: string,
        reply: { user?: string; text?: string } = {},
      ): Promise<string> {
        const { user: reply_user = '', text: reply_content = '' } = reply;
        const fields = { page_id: article, content, reply_user, reply_content, request_id: '' };
        return (await comments.create(fields, readers[name]))._id;
      },
      /** Deletes the reader's comment that says `content` past the interface. */
      async drop(content: string): Promise<void> {
        const batches = await Array.fromAsync(comments.newestUnder(article, null));
        const found = batches.flat().find(({ comment }) => comment.content === content);
        if (found) await comments.remove(found.comment._id, author);
      },
      /** Opens the article, or `at`, in a browser of its own; without `username` as a visitor. */
      async open(username?: string, { at = path, ...rest }: BrowserContextOptions & { at?: string } = {}) {
        const opened = await visit({ ...rest, username });
        await opened.page.goto(at);
        return opened;
      },
    };
  });
