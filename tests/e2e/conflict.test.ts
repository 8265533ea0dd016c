import type { Page } from '@playwright/test';
import { describe, expect } from 'vitest';
import { expectPage } from './expect-page.ts';
import { looks } from './looks.ts';
import { violationsOf } from './axe.ts';
import { test } from './desk.ts';
import { sizes } from './visit.ts';

const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1';
const LINES = Array.from({ length: 120 }, (_, line) => `第 ${line} 行：今天天气很好。`);
const textWith = (changes: Record<number, string>) =>
  LINES.map((line, index) => changes[index] ?? line).join('\n');

const dialogOf = (page: Page) => page.getByRole('dialog', { name: '这篇文章在别处也改过' });

describe.each(looks(Object.entries({ phone: sizes.phone, desktop: sizes.desktop })))(
  'changed here and on another device (%s)',
  (_, viewport) => {
    test.override('window', { viewport });

    test('opens at the first difference, shown by words, and is merged piece by piece', async ({
      site,
      author,
      visit,
      page,
      desk,
    }) => {
      const id = await site.write(author, { title: '两处', content: textWith({}), status: 'draft' });
      await desk.open(`/edit/${id}`);
      const phone = await visit({ username: author.username, userAgent: SAFARI });
      await phone.page.goto('/user/draft');
      await phone.page.evaluate(
        async ([article, content]) => {
          const token = /(?:^|; )token=([^;]+)/.exec(document.cookie)?.[1] ?? '';
          const fields = { id: article, title: '两处', content, 'tags[]': '诗', status: 'draft' };
          const body = new URLSearchParams(fields as Record<string, string>);
          await fetch('/api/page/edit', {
            method: 'POST',
            body,
            headers: { Authorization: `Bearer ${token}` },
          });
        },
        [id, textWith({ 100: '第 100 行：今天天气不错。', 110: '第 110 行：那边写的。' })],
      );
      await desk.text.fill(textWith({ 100: '第 100 行：今天天气糟糕。', 119: '这边写的最后一行。' }));
      const dialog = dialogOf(page);
      const first = dialog.getByRole('group', { name: '第 2 处，共 4 处 · 正文' });
      await expectPage(dialog.getByRole('group', { name: '第 1 处，共 4 处 · 标签' })).toBeFocused();
      await expectPage(dialog).toContainText(/iPhone 上的 Safari在 \d+月\d+日 \d\d:\d\d/);
      await expectPage(first).toBeInViewport();
      await expectPage(first.getByRole('group', { name: '我的' }).locator('mark')).toHaveText('糟糕');
      await expectPage(first.getByRole('group', { name: 'iPhone 上的 Safari' }).locator('mark')).toHaveText(
        '不错',
      );
      expect(await violationsOf(page, { include: '[role=dialog]' })).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);

      // By keyboard: each group of choices is one tab stop, and the arrow keys choose.
      await page.keyboard.press('Tab');
      await page.keyboard.press('ArrowRight');
      await expectPage(dialog.getByRole('status')).toHaveText('还有 3 处没有选');
      await first.getByRole('radio', { name: '两者都留' }).check();
      // Closing the dialog without finishing keeps the choices.
      await page.keyboard.press('Escape');
      await expectPage(dialog).toBeHidden();
      // Saving asks again.
      await page.keyboard.press('Control+s');
      await expectPage(dialog).toBeVisible();
      await dialog.getByRole('button', { name: '先不选' }).click();
      await desk.button('看看两份').click();
      await expectPage(dialog.getByRole('status')).toHaveText('还有 2 处没有选');
      await desk.button('去选下一处').click();
      const third = dialog.getByRole('group', { name: '第 3 处，共 4 处 · 正文' });
      await expectPage(third).toBeFocused();
      await third.getByRole('radio', { name: '用对方的' }).check();
      await desk.button('去选下一处').click();
      await dialog
        .getByRole('group', { name: /^第 4 处/ })
        .getByRole('radio', { name: '用我的' })
        .check();
      await dialog.getByText('看看合并后的正文').click();
      await expectPage(dialog.getByRole('region', { name: '合并后的正文' })).toContainText('那边写的');
      await desk.button('留下合并的这份').click();
      await expectPage(dialog).toBeHidden();
      await desk.saved('已保存');
      const { content, tags } = await site.app.services.articles.readSource(id, author);
      expect(tags).toEqual(['诗']);
      expect(content.split('\n').slice(99)).toEqual([
        LINES[99],
        '第 100 行：今天天气糟糕。',
        '第 100 行：今天天气不错。',
        ...LINES.slice(101, 110),
        '第 110 行：那边写的。',
        ...LINES.slice(111, 119),
        '这边写的最后一行。',
      ]);
    });
  },
);

test('changed in another window of this browser: it is reported, and the discarded version can be found again', async ({
  site,
  author,
  visit,
}) => {
  const id = await site.write(author, { title: '两窗', content: '原来的', status: 'draft' });
  const { page: here, tab } = await visit({ username: author.username });
  const there = await tab();
  for (const window of [here, there]) {
    await window.goto(`/edit/${id}`);
    await window.getByRole('textbox', { name: '正文' }).waitFor();
  }
  await there.getByRole('textbox', { name: '正文' }).fill('那个窗口写的');
  await there.getByRole('status').filter({ hasText: '已保存' }).waitFor();
  await here.getByRole('textbox', { name: '正文' }).fill('这个窗口写的');
  await expectPage(dialogOf(here)).toContainText('另一个窗口（这个浏览器里的）在');
  await dialogOf(here).getByRole('button', { name: '全用我的' }).click();
  await here.getByRole('status').filter({ hasText: '已保存' }).waitFor();
  await here.goto('/write');
  await here.getByRole('button', { name: '还有 1 篇没写完' }).click();
  await here.getByRole('button', { name: /那个窗口写的.*合并时没用上的/ }).click();
  await expectPage(here.getByRole('textbox', { name: '正文' })).toHaveText('那个窗口写的');
});
