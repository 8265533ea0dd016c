import type { Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { test } from './desk.ts';

const folder = join(import.meta.dirname, '../fixtures/paste');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

/** Copies `html`, `text` and VS Code's own data the way a page does, to be pasted by keyboard. */
async function copy(page: Page, html: string, text: string, vscode?: string): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(
    ([markup, words, own]) => {
      // The asynchronous clipboard API would sanitize the HTML before the editor sees it.
      addEventListener(
        'copy',
        (event) => {
          event.clipboardData?.setData('text/html', markup);
          event.clipboardData?.setData('text/plain', words);
          if (own !== undefined) event.clipboardData?.setData('vscode-editor-data', own);
          event.preventDefault();
          event.stopImmediatePropagation();
        },
        { capture: true, once: true },
      );
      document.execCommand('copy');
    },
    [html, text, vscode] as const,
  );
}

describe('pasting', () => {
  test('web text keeps its headings, code and tables in one step; with Shift it is plain', async ({
    guest,
    page,
    desk,
  }) => {
    // A picture on a host that does not exist.
    guest.forgive(/ERR_NAME_NOT_RESOLVED/);
    await desk.open();
    await desk.write('前。');
    await copy(page, read('github.html'), 'Getting started');
    await page.keyboard.press('Control+v');
    await expect.poll(() => desk.source()).toBe(`前。\n\n${read('github.md').trim()}`);
    await desk.preview.getByRole('heading', { name: 'Getting started' }).waitFor();
    await desk.button('撤销').click();
    expect(await desk.source()).toBe('前。');
    await page.keyboard.press('Control+Shift+v');
    expect(await desk.source()).toBe('前。Getting started');
  });

  test('the paste position is kept during conversion, and typing continues undisturbed', async ({
    guest,
    page,
    desk,
  }) => {
    guest.forgive(/./);
    let release = () => undefined as void;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(/paste-worker/, async (route) => {
      await held;
      await route.continue();
    });
    await desk.open();
    await desk.write('前后');
    await page.keyboard.press('ArrowLeft');
    await copy(page, '<p>一<b>二</b></p>', '一二');
    await page.keyboard.press('Control+v');
    await desk.text.getByText('正在整理粘贴的内容').waitFor();
    await page.keyboard.press('End');
    await page.keyboard.insertText('，接着写');
    release();
    await expect.poll(() => desk.source()).toBe('前一**二**后，接着写');
    await page.keyboard.insertText('。');
    expect(await desk.source()).toBe('前一**二**后，接着写。');
  });

  test('code of an editor becomes a code block, with its language from VS Code', async ({ page, desk }) => {
    await desk.open();
    await desk.text.click();
    const html = '<div style="font-family: Menlo, monospace; white-space: pre;">let a;</div>';
    await copy(page, html, 'let a;\nlet b;', '{"version":1,"mode":"typescriptreact"}');
    await page.keyboard.press('Control+v');
    await expect.poll(() => desk.source()).toBe('```tsx\nlet a;\nlet b;\n```');
    await page.keyboard.press('Control+a');
    await copy(page, html, 'let a;\n\nlet b;');
    await page.keyboard.press('Control+v');
    await expect.poll(() => desk.source()).toBe('```\nlet a;\n\nlet b;\n```');
  });

  test('when its code does not load, the plain text is inserted with a message', async ({
    guest,
    page,
    desk,
  }) => {
    guest.forgive(/net::ERR|Failed to load/);
    await page.route(/paste-worker/, (route) => route.abort());
    await desk.open();
    await desk.text.click();
    await copy(page, '<h2>题</h2>', '题');
    await page.keyboard.press('Control+v');
    await page.getByText('没能读懂粘贴的格式，只粘贴了文字').waitFor();
    expect(await desk.source()).toBe('题');
  });

  test(
    '5 MB of HTML are inserted as text, 10,000 cells as a table, longer content not at all; typing continues',
    { tags: ['long'] },
    async ({ page, desk }) => {
      await desk.open();
      await desk.write('前');
      await copy(page, `<b>${'很大'.repeat(10)}</b>`.repeat(5_000_000 / 27), '只有文字');
      await page.keyboard.press('Control+v');
      await page.getByText('粘贴的内容太大，只粘贴了文字').waitFor();
      expect(await desk.source()).toBe('前只有文字');
      await copy(page, `<p>${`<b>${'长'.repeat(50)}</b>，`.repeat(4_000)}</p>`, '长');
      await page.keyboard.press('Control+v');
      await page.getByText(/正文不能超过 200,000 个字符/).waitFor();
      await expect.poll(() => desk.text.getByText('正在整理').count()).toBe(0);
      expect(await desk.source()).toBe('前只有文字');
      await copy(page, `<table>${`<tr>${'<td>格</td>'.repeat(100)}</tr>`.repeat(100)}</table>`, '格');
      await page.keyboard.press('Control+v');
      await desk.preview.getByRole('table').waitFor();
      expect(await desk.preview.locator('td, th').count()).toBe(10_000);
      await page.keyboard.press('Control+Home');
      await page.keyboard.insertText('写');
      await desk.preview.getByText('写前只有文字').waitFor();
    },
  );
});

describe('tables', () => {
  test('are pasted from a spreadsheet, filled with Tab, and changed with the picker', async ({
    page,
    desk,
  }) => {
    await desk.open();
    await desk.text.click();
    await copy(page, read('google-sheets.html'), '姓名\t分数');
    await page.keyboard.press('Control+v');
    await expect.poll(() => desk.source()).toBe(read('google-sheets.md').trim());
    await page.keyboard.press('Tab');
    await page.keyboard.insertText('王五');
    await page.keyboard.press('Tab');
    await page.keyboard.insertText('7');
    expect((await desk.source()).split('\n').at(-1)).toBe('| 王五 | 7 |');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.insertText('赵六');
    await page.keyboard.press('Enter');
    expect((await desk.source()).split('\n').slice(-2)).toEqual(['| 赵六 | 7 |', '|  |  |']);
    await page.keyboard.press('Enter');
    await page.keyboard.insertText('后');
    expect((await desk.source()).split('\n').slice(-3)).toEqual(['| 赵六 | 7 |', '', '后']);
    await page.keyboard.press('Control+Home');
    await desk.button('表格').click();
    await page.getByRole('combobox', { name: '搜索操作' }).fill('右侧');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: '表格' }).waitFor({ state: 'detached' });
    await expect.poll(() => desk.text.evaluate((element) => element === document.activeElement)).toBe(true);
    // The text restores its selection in the next frame.
    await page.evaluate(() => new Promise(requestAnimationFrame));
    await page.keyboard.insertText('备注');
    expect((await desk.source()).split('\n')[0]).toBe('| 姓名 | 备注 | 分数 |');
  });

  test('are created from tab-separated lines; Tab outside of them indents', async ({ page, desk }) => {
    await desk.open();
    await desk.text.click();
    await copy(page, '', '甲\t乙\n1\t2');
    await page.keyboard.press('Control+v');
    await expect.poll(() => desk.source()).toBe('| 甲 | 乙 |\n| --- | --- |\n| 1 | 2 |');
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
    await page.keyboard.insertText('行');
    await page.keyboard.press('Tab');
    expect(await desk.source()).toMatch(/^\s+行$/);
  });
});
