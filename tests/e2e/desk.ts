import type { Page } from '@playwright/test';
import { test as base } from './fixtures.ts';

/** An article with elements that renderers treat differently. */
export const SAMPLE = `## 小标题

**重点。**接着写，脚注[^1]。

<--阅读全文-->

\`\`\`ts
const answer: number = 42;
\`\`\`

| 甲 | 乙 |
| --- | ---: |
| 1 | 2 |

- [x] 做完

[^1]: 注在这里
`;

/**
 * Tests of the editor: the author is signed in, has earlier articles, and gets the object that `deskOf`
 * returns.
 */
export const test = base
  .extend('earlier', { scope: 'file', auto: true }, ({ site, author }) =>
    site.write(author, { title: '旧文', tags: ['随笔', 'Java', 'JavaScript'] }),
  )
  .extend('username', ({ author }) => author.username)
  .extend('desk', ({ page }) => deskOf(page));

/** The editor in `page`: its fields and user actions. */
function deskOf(page: Page) {
  const text = page.getByRole('textbox', { name: '正文' });
  const tags = page.getByRole('combobox', { name: '标签' });
  const status = page.getByRole('status').filter({ hasText: /存|改/ });
  return {
    text,
    title: page.getByRole('textbox', { name: '标题' }),
    tags,
    preview: page.getByRole('region', { name: '预览' }).locator('.prose'),
    button: (name: string) => page.getByRole('button', { name, exact: true }),
    /** Source in the text field. */
    source: async () =>
      // An empty field shows a placeholder.
      (await text.locator('.cm-placeholder').count()) > 0
        ? ''
        : (await text.locator('.cm-line').allInnerTexts()).map((line) => line.replace(/\n$/, '')).join('\n'),
    async open(path = '/write'): Promise<void> {
      await page.goto(path);
      await text.waitFor();
    },
    async write(content: string): Promise<void> {
      await text.click();
      await page.keyboard.insertText(content);
    },
    async pick(name: string): Promise<void> {
      await tags.fill(name);
      await page.getByRole('option', { name, exact: true }).click();
      await page.keyboard.press('Escape');
    },
    /** Waits until the editor shows the save status `kind`. */
    saved: (kind: string) => status.filter({ hasText: kind }).waitFor(),
  };
}
