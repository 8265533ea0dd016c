import type { Locator } from '@playwright/test';
import { expect } from 'vitest';
import { test } from './desk.ts';

const FILE = '---\ntitle: 山中\ntags: [随笔]\ndescription: 一段说明\n---\n\n空山新雨后。\n\n![](img/a.png)\n';

/** Drops files like a user. */
const drop = (target: Locator, files: Record<string, string>) =>
  target.evaluate((element, files) => {
    const dataTransfer = new DataTransfer();
    for (const [name, text] of Object.entries(files)) dataTransfer.items.add(new File([text], name));
    const { left, top } = element.getBoundingClientRect();
    const place = { clientX: left + 5, clientY: top + 5 };
    const event = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true, ...place });
    element.dispatchEvent(event);
  }, files);

test('a markdown file fills an empty editor, and asks first when there is text', async ({
  guest,
  page,
  desk,
}) => {
  // The picture is not part of the import.
  guest.forgive(/404/);
  await desk.open();
  await drop(desk.text, { '笔记.md': FILE });
  await page.getByText('已导入「笔记.md」；有 1 张图片在你的电脑上').waitFor();
  expect(await desk.title.inputValue()).toBe('山中');
  expect(await desk.source()).toBe('空山新雨后。\n\n![](img/a.png)');
  await desk.preview.getByText('空山新雨后。').waitFor();
  expect(await page.getByRole('button', { name: /^文章设置/ }).innerText()).toContain('一段说明');

  // Files can be dropped anywhere on the desk; existing text is replaced only after a confirmation.
  const dialog = page.getByRole('dialog', { name: '这里已经写了字' });
  await drop(desk.title, { '另一篇.md': '# 另一篇\n\n新的正文' });
  await dialog.getByRole('button', { name: '取消' }).click();
  expect(await desk.title.inputValue()).toBe('山中');
  await drop(desk.title, { '另一篇.md': '# 另一篇\n\n新的正文' });
  await dialog.getByRole('button', { name: '换成这个文件' }).click();
  await expect.poll(desk.source).toBe('新的正文');
  expect(await desk.title.inputValue()).toBe('另一篇');
  const told = page.getByText('已导入「另一篇.md」').locator('..');
  // The first import can no longer be undone, because that would also undo the second.
  await expect.poll(() => page.getByText('已导入「笔记.md」').count()).toBe(0);
  await told.getByRole('button', { name: '撤销' }).click();
  await expect.poll(desk.source).toBe('空山新雨后。\n\n![](img/a.png)');
  expect(await desk.title.inputValue()).toBe('山中');

  await desk.text.click();
  await page.keyboard.press('ControlOrMeta+Home');
  await page.getByRole('button', { name: '更多' }).click();
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('menuitem', { name: '导入 Markdown' }).click();
  const file = { name: '开头.md', mimeType: 'text/markdown', buffer: Buffer.from('# 不用的标题\n\n开头') };
  await (await chooser).setFiles(file);
  await dialog.getByRole('button', { name: '放在光标处' }).click();
  await expect.poll(desk.source).toContain('开头空山新雨后。');
  expect(await desk.title.inputValue()).toBe('山中');
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(desk.source).toBe('空山新雨后。\n\n![](img/a.png)');
});

test('import failures are reported', async ({ page, desk }) => {
  await desk.open();
  await drop(desk.text, { '一.md': '一', '二.md': '二' });
  await page.getByText('一次只能导入一个 Markdown 文件').waitFor();
  await drop(desk.text, { '坏.md': '\u0000\u0001' });
  await page.getByText('「坏.md」没有导入：不是文本文件').waitFor();
  await drop(desk.text, { '空.md': ' ' });
  await page.getByText('「空.md」没有导入：文件是空的').waitFor();
  expect(await desk.source()).toBe('');
});
