import type { BrowserContextOptions } from '@playwright/test';
import { test as base } from 'vitest';
import type { Viewer } from '../../src/lib/server/auth/auth-service.ts';
import { launchBrowser } from './browser.ts';
import { openSite } from './site.ts';
import { openVisit, type Visit, type VisitOptions } from './visit.ts';

/** Who writes the articles, where a test does not care. */
export const AUTHOR = '林间';

/**
 * The `test` of all files with a browser: a test names what it needs, which is made for it and released after
 * it. Shared by the tests of a file: `browser`, `site` and `author`. New for each test: `visit` and what it
 * opens, `guest` and `page`.
 *
 * A file that needs more extends it (`test.extend`), as desk.ts, sign-form.ts and comment-stage.ts do for
 * several; a group of tests that needs something else overrides it (`test.override`).
 */
export const test = base
  /** Starts another site, by `openSite`, for the rest of the file. */
  .extend('startSite', { scope: 'file' }, ({}, { onCleanup }) => {
    const sites = new AsyncDisposableStack();
    onCleanup(() => sites.disposeAsync());
    return async (settings?: Record<string, string>) => {
      const site = await openSite(settings);
      sites.defer(() => site.close());
      return site;
    };
  })
  .extend('site', { scope: 'file' }, ({ startSite }) => startSite())
  /** Whether the browser is as readers have it, see `launchBrowser`. */
  .extend('isReaders', { scope: 'file' }, false as boolean)
  .extend('browser', { scope: 'file' }, async ({ isReaders }, { onCleanup }) => {
    const browser = await launchBrowser({ isReaders });
    onCleanup(() => browser.close());
    return browser;
  })
  /** The account of `AUTHOR`. */
  .extend('author', { scope: 'file' }, async ({ site }) => (await site.join(AUTHOR)).viewer)
  /** Makes two new accounts: an author, who has an article, and a reader. */
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
  /** The two of a test. */
  .extend('people', ({ meet }) => meet())
  /**
   * Opens a window by `openVisit`, on `site` unless `at` is another. After the test all are closed, and the
   * test fails if a page complained.
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
  /** Who is signed in at `page`; nobody unless a file or a group says so. */
  .extend('username', undefined as string | undefined)
  /** How the window of `page` is opened. */
  .extend('window', {} as BrowserContextOptions)
  /** The window of `page`. */
  .extend('guest', ({ visit, window, username }) => visit({ ...window, username }))
  .extend('page', ({ guest }) => guest.page);
