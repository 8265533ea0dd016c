import type { Page } from '@playwright/test';

/** An article with what renderers differ in. */
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

/** The editor as a writer finds it: its fields, and what hands do there. `page` is asked anew each time. */
export function deskOf(page: () => Page) {
  const text = () => page().getByRole('textbox', { name: '正文' });
  const title = () => page().getByRole('textbox', { name: '标题' });
  const tags = () => page().getByRole('combobox', { name: '标签' });
  const preview = () => page().getByRole('region', { name: '预览' }).locator('.prose');
  const status = () => page().getByRole('status').filter({ hasText: /存|改/ });
  const button = (name: string) => page().getByRole('button', { name, exact: true });
  /** The source as it stands in the text. */
  const source = async () =>
    // An empty text shows what to do in its place.
    (await text().locator('.cm-placeholder').count()) > 0
      ? ''
      : (await text().locator('.cm-line').allInnerTexts()).map((line) => line.replace(/\n$/, '')).join('\n');

  async function open(path = '/write'): Promise<void> {
    await page().goto(path);
    await text().waitFor();
  }
  async function write(content: string): Promise<void> {
    await text().click();
    await page().keyboard.insertText(content);
  }
  async function pick(name: string): Promise<void> {
    await tags().fill(name);
    await page().getByRole('option', { name, exact: true }).click();
    await page().keyboard.press('Escape');
  }
  const saved = (kind: string) => status().filter({ hasText: kind }).waitFor();
  return { text, title, tags, preview, status, button, source, open, write, pick, saved };
}
