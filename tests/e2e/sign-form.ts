import type { Page } from '@playwright/test';
import { test as base } from './fixtures.ts';
import type { Visit } from './visit.ts';

/** Password of all accounts created by `site.join`. */
export const PASSWORD = 'correct horse';

/** Tests of /signin and /signup; `AUTHOR` and Ink have accounts. */
export const test = base
  .extend('accounts', { scope: 'file', auto: true }, async ({ site, author }) => [
    author,
    (await site.join('Ink')).viewer,
  ])
  .extend('form', ({ page }) => signFormOf(page))
  /** URLs of all requests by all pages of the test. */
  .extend('asked', ({ guest }) => {
    const asked: string[] = [];
    guest.context.on('request', (request) => asked.push(request.url()));
    return asked;
  })
  /** Number of requests for `path`. */
  .extend(
    'calls',
    ({ asked }) =>
      (path: string) =>
        asked.filter((url) => new URL(url).pathname === path).length,
  );

/** The form in `page`, by its visible labels. */
function signFormOf(page: Page) {
  const field = (label: string) => page.getByLabel(label, { exact: true });
  return {
    field,
    button: (name: string) => page.getByRole('button', { name, exact: true }),
    text: (words: string | RegExp) => page.getByText(words, { exact: typeof words === 'string' }),
    /** Error message of the form. */
    refusal: () => page.locator('form').getByRole('alert').innerText(),
    async fillIn(username: string, password = PASSWORD): Promise<void> {
      await field('用户名').fill(username);
      await field('密码').fill(password);
    },
    /** Waits until the form's island is hydrated; before that, the browser would submit the form itself. */
    async hydrated(): Promise<void> {
      await page.locator('astro-island:not([ssr]) form').waitFor();
    },
    /** Path of the page to which the form redirects. */
    async arrival(): Promise<string> {
      await page.waitForURL((url) => !/^\/sign(in|up)$/.test(url.pathname));
      const { pathname, search, hash } = new URL(page.url());
      return decodeURIComponent(pathname + search + hash);
    },
  };
}

/** Names of the browser's cookies. */
export const cookieNames = async ({ context }: Visit) =>
  (await context.cookies()).map(({ name }) => name).sort();

/** Returns a string that looks like a token to the pages but is not valid for the server. */
export const tokenOf = (claims: object): string =>
  `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`;

/** Horizontal overflow of the page in pixels. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
