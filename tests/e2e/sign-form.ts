import type { Page } from '@playwright/test';
import { test as base } from './fixtures.ts';
import type { Visit } from './visit.ts';

/** What `site.join` gives every account. */
export const PASSWORD = 'correct horse';

/** Tests of /signin and /signup; `AUTHOR` and Ink have accounts. */
export const test = base
  .extend('accounts', { scope: 'file', auto: true }, async ({ site, author }) => [
    author,
    (await site.join('Ink')).viewer,
  ])
  .extend('form', ({ page }) => signFormOf(page))
  /** Every address any page of the test asked for. */
  .extend('asked', ({ guest }) => {
    const asked: string[] = [];
    guest.context.on('request', (request) => asked.push(request.url()));
    return asked;
  })
  /** How often `path` was among them. */
  .extend(
    'calls',
    ({ asked }) =>
      (path: string) =>
        asked.filter((url) => new URL(url).pathname === path).length,
  );

/** The form in `page` as its reader knows it. */
function signFormOf(page: Page) {
  const field = (label: string) => page.getByLabel(label, { exact: true });
  return {
    field,
    button: (name: string) => page.getByRole('button', { name, exact: true }),
    text: (words: string | RegExp) => page.getByText(words, { exact: typeof words === 'string' }),
    /** What the form says about itself. */
    refusal: () => page.locator('form').getByRole('alert').innerText(),
    async fillIn(username: string, password = PASSWORD): Promise<void> {
      await field('用户名').fill(username);
      await field('密码').fill(password);
    },
    /** Once its component runs: until then the browser would send the form itself. */
    async hydrated(): Promise<void> {
      await page.locator('astro-island:not([ssr]) form').waitFor();
    },
    /** Where the form led in the end. */
    async arrival(): Promise<string> {
      await page.waitForURL((url) => !/^\/sign(in|up)$/.test(url.pathname));
      const { pathname, search, hash } = new URL(page.url());
      return decodeURIComponent(pathname + search + hash);
    },
  };
}

/** The names of the cookies a browser holds. */
export const cookieNames = async ({ context }: Visit) =>
  (await context.cookies()).map(({ name }) => name).sort();

/** What looks like a token of ours to a browser, and is none to the server. */
export const tokenOf = (claims: object): string =>
  `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`;

/** How far the page reaches beyond its window, in pixels. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
