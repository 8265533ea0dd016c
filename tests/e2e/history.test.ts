import { describe, expect } from 'vitest';
import { looks } from './looks.ts';
import { violationsOf } from './axe.ts';
import { test } from './desk.ts';
import { sizes } from './visit.ts';

describe.each(looks(Object.entries({ phone: sizes.phone, desktop: sizes.desktop })))(
  'earlier versions (%s)',
  (_, viewport) => {
    test.override('window', { viewport });

    test('are opened from the list, compared by words, restored and undone', async ({
      site,
      author,
      page,
      desk,
    }) => {
      const { articles } = site.app.services;
      const fields = { tags: ['诗'], type: '', secret: false, status: 'normal' as const };
      const title = `辋川 ${viewport.width}`;
      const id = await site.write(author, { title, tags: ['诗'], content: '空山新雨后，天气晚来秋。' });
      await articles.edit(
        { ...fields, id, title: `${title}集`, content: '空山新雨后，天色晚来秋。' },
        author,
      );
      await page.goto('/user/list');
      await page.getByRole('link', { name: `《${title}集》的历史版本` }).click();
      await page.waitForURL(`**/edit/${id}?history`);
      const dialog = page.getByRole('dialog', { name: '历史版本' });
      const list = dialog.getByRole('list', { name: '历史版本' });
      await list.getByRole('button').nth(1).click();
      await dialog.locator('ins', { hasText: '天气' }).waitFor();
      expect(await dialog.locator('del').allInnerTexts()).toEqual([`${title}集`, '天色']);
      expect(await violationsOf(page)).toEqual([]);
      await dialog.getByRole('button', { name: '恢复这一版' }).click();
      await dialog.waitFor({ state: 'detached' });
      expect(await desk.source()).toBe('空山新雨后，天气晚来秋。');
      expect(await desk.title.inputValue()).toBe(title);
      await desk.saved('已保存');
      expect((await articles.readSource(id, author)).revision).toMatchObject({
        title,
        content: '空山新雨后，天气晚来秋。',
      });
      expect((await articles.read(id, null)).content).toBe('空山新雨后，天色晚来秋。');
      await page.getByRole('button', { name: '撤销' }).last().click();
      await expect.poll(() => desk.source()).toBe('空山新雨后，天色晚来秋。');
      expect(await desk.title.inputValue()).toBe(`${title}集`);
    });
  },
);

describe('two windows that restore different versions', () => {
  test(
    'both keep theirs until the author chooses',
    { tags: ['long'] },
    async ({ site, author, visit, page, desk }) => {
      const { articles, versions } = site.app.services;
      const fields = { title: '两窗', tags: ['诗'], type: '', secret: false, status: 'normal' as const };
      const id = await site.write(author, { title: '两窗', content: '第一版' });
      for (const content of ['第二版', '第三版']) await articles.edit({ ...fields, id, content }, author);
      const other = await visit({ username: author.username });
      const restore = async (window: typeof page, at: number) => {
        const dialog = window.getByRole('dialog', { name: '历史版本' });
        await dialog.getByRole('list', { name: '历史版本' }).getByRole('button').nth(at).click();
        await dialog.getByRole('button', { name: '恢复这一版' }).click();
      };
      for (const window of [page, other.page]) {
        await window.goto(`/edit/${id}?history`);
        await window.getByRole('list', { name: '历史版本' }).getByRole('button').nth(2).waitFor();
      }
      await restore(page, 1);
      await desk.saved('已保存');
      await restore(other.page, 2);
      await other.page.getByRole('dialog', { name: '这篇文章在别处也改过' }).waitFor();
      expect((await articles.readSource(id, author)).revision?.content).toBe('第二版');
      // The texts are rendered once the renderer's code has loaded.
      await other.page.getByRole('dialog').getByText('第一版').first().waitFor();
      expect((await versions.list(id, { page: 1, pageSize: 10 }, author)).total).toBe(3);
    },
  );
});
