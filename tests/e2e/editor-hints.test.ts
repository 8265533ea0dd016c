import { expect } from 'vitest';
import { test } from './desk.ts';

test('what a page shows otherwise is underlined, with a reason and a way to change it', async ({
  page,
  desk,
}) => {
  await desk.open();
  await desk.title.fill('提示');
  await desk.write('##小节\n\n用 <font color="red">红字</font> 写 List<String>');
  const hint = desk.text.locator('.cm-lintRange-hint, .cm-lintRange-warning');
  await expect.poll(() => hint.allInnerTexts()).toEqual(['##小节', '<font']);
  // The panel lists them for those who use no pointer.
  await page.keyboard.press('Control+Shift+M');
  const list = page.getByRole('listbox', { name: '提示' });
  await list.getByText('文章里不能用 <font>，标签会去掉，其中的文字保留').waitFor();
  await list.getByRole('button', { name: '补上空格' }).click();
  await expect.poll(() => desk.source()).toContain('## 小节');
  await expect.poll(() => hint.allInnerTexts()).toEqual(['<font']);
});
