import type { Page } from '@playwright/test';

/** What `site.join` gives every account. */
export const PASSWORD = 'correct horse';

/**
 * The forms of /signin and /signup as their readers know them; `current` is the page they stand on by then.
 */
export function signForm(current: () => Page) {
  const field = (label: string) => current().getByLabel(label, { exact: true });
  return {
    field,
    button: (name: string) => current().getByRole('button', { name, exact: true }),
    text: (words: string | RegExp) => current().getByText(words, { exact: typeof words === 'string' }),
    /** What the form says about itself. */
    refusal: () => current().locator('form').getByRole('alert').innerText(),
    async fillIn(username: string, password = PASSWORD): Promise<void> {
      await field('用户名').fill(username);
      await field('密码').fill(password);
    },
    /** Where the form led in the end. */
    async arrival(): Promise<string> {
      await current().waitForURL((url) => !/^\/sign(in|up)$/.test(url.pathname));
      const { pathname, search, hash } = new URL(current().url());
      return decodeURIComponent(pathname + search + hash);
    },
  };
}

/** What looks like a token of ours to a browser, and is none to the server. */
export const tokenOf = (claims: object): string =>
  `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`;

/** How far the page reaches beyond its window, in pixels. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
