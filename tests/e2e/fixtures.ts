import type { BrowserContextOptions } from '@playwright/test';
import { test as base } from 'vitest';
import type { Viewer } from '../../src/lib/server/auth/auth-service.ts';
import { sharedBrowser } from './browser.ts';
import { openSite } from './site.ts';
import { openVisit, type Visit, type VisitOptions } from './visit.ts';

/** Default author of articles. */
export const AUTHOR = '林间';

/**
 * The `test` function of all browser tests. A test requests fixtures by name; they are created for it and
 * released afterwards. Shared by the files of a worker: `browser`. Shared by the tests of a file: `site` and
 * `author`. New for each test: `visit` and the windows it opens, `guest` and `page`.
 *
 * Files with further needs extend it (`test.extend`); desk.ts, sign-form.ts and comment-stage.ts do so for
 * several files. A group of tests overrides fixtures with `test.override`.
 */
export const test = base
  /** Starts another site with `openSite`, for the rest of the file. */
  .extend('startSite', { scope: 'file' }, ({}, { onCleanup }) => {
    const sites = new AsyncDisposableStack();
    onCleanup(() => sites.disposeAsync());
    return async (...options: Parameters<typeof openSite>) => {
      const site = await openSite(...options);
      sites.defer(() => site.close());
      return site;
    };
  })
  .extend('site', { scope: 'file' }, ({ startSite }) => startSite())
  /** Whether the browser behaves like a reader's, see `sharedBrowser`. */
  .extend('isReaders', { scope: 'file' }, false as boolean)
  .extend('browser', { scope: 'file' }, ({ isReaders }) => sharedBrowser({ isReaders }))
  .extend('author', { scope: 'file' }, async ({ site }) => (await site.join(AUTHOR)).viewer)
  /** Creates two new accounts: an author with an article, and a reader. */
  .extend('meet', { scope: 'file' }, ({ site }) => {
    let count = 0;
    return async () => {
      const number = ++count;
      const { viewer: author } = await site.join(`作者${number}`);
      const { viewer: reader } = await site.join(`读者${number}`);
      const article = await site.write(author, { title: `文章${number}` });
      const { comments } = site.app.services;
      const blank = { page_id: article, request_id: '', reply_user: '', reply_content: '' };
      const comment = (viewer: Viewer, content: string, fields: Partial<typeof blank> = {}) =>
        comments.create({ ...blank, ...fields, content }, viewer);
      return { author, reader, article, comment, unread: () => comments.countUnread(author) };
    };
  })
  /** The author and the reader of a test. */
  .extend('people', ({ meet }) => meet())
  /**
   * Opens a window with `openVisit`, on `site` unless `at` is given. All windows are closed after the test,
   * and the test fails if a page logged a problem.
   */
  .extend('visit', ({ site, browser }, { onCleanup }) => {
    const visits = new AsyncDisposableStack();
    onCleanup(() => visits.disposeAsync());
    return async ({ at = site, ...options }: VisitOptions & { at?: typeof site } = {}): Promise<Visit> => {
      const opened = await openVisit(browser, at, options);
      visits.defer(opened.end);
      return opened;
    };
  })
  /** Account that is signed in in `page`; none by default. */
  .extend('username', undefined as string | undefined)
  /** Options of the window of `page`. */
  .extend('window', {} as BrowserContextOptions)
  .extend('guest', ({ visit, window, username }) => visit({ ...window, username }))
  .extend('page', ({ guest }) => guest.page);
