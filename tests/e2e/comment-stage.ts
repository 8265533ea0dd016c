import type { BrowserContextOptions, Page } from '@playwright/test';
import { AUTHOR, test as base } from './fixtures.ts';

export const READER = '路人甲';
export const OTHER = '路人乙';

export const boxOf = (page: Page) => page.getByRole('form', { name: '写评论' }).getByRole('textbox');
/** Reply box under the comment of `name`. */
export const answerOf = (page: Page, name: string) =>
  page.getByRole('form', { name: `回复 ${name}` }).getByRole('textbox');
export const submitOf = (page: Page) => page.getByRole('button', { name: '发表评论' });
export const items = (page: Page) => page.locator('#UI-comments li[id^=UI-comment-]');
/** The comment with this text; ignores text typed into a box below a comment. */
export const itemOf = (page: Page, text: string) =>
  items(page).filter({ has: page.locator('div[dir=auto]', { hasText: text }) });

/** Hydrates a visitor's thread, which happens at the first interaction. */
export const touch = (page: Page) => page.locator('#UI-comments-title').hover();

/** Waits until the current comments have replaced those rendered by the server. */
export const live = (page: Page) => page.locator('#UI-comments:not(:has([data-comments]))').waitFor();

/** Text of the focused element. */
export const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '');

/** Tests of comments on an article; each test gets a new article without comments. */
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
      burn: () => articles.remove(article, author),
      /** Stored comments of the article, newest first. */
      async stored() {
        const batches = await Array.fromAsync(comments.newestUnder(article, null));
        return batches.flat().map(({ comment }) => comment);
      },
      /** Adds a comment directly through the service; returns its id. */
      async put(
        name: keyof typeof readers,
        content: string,
        reply: { user?: string; text?: string } = {},
      ): Promise<string> {
        const { user: reply_user = '', text: reply_content = '' } = reply;
        const fields = { page_id: article, content, reply_user, reply_content, request_id: '' };
        return (await comments.create(fields, readers[name]))._id;
      },
      /** Deletes the reader's comment with the text `content` directly through the service. */
      async drop(content: string): Promise<void> {
        const batches = await Array.fromAsync(comments.newestUnder(article, null));
        const found = batches.flat().find(({ comment }) => comment.content === content);
        if (found) await comments.remove(found.comment._id, author);
      },
      /** Opens the article, or `at`, in a new browser context; without `username` as a visitor. */
      async open(username?: string, { at = path, ...rest }: BrowserContextOptions & { at?: string } = {}) {
        const opened = await visit({ ...rest, username });
        await opened.page.goto(at);
        return opened;
      },
    };
  });
