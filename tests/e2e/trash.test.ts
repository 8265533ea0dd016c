import type { Page } from '@playwright/test';
import { describe, expect } from 'vitest';
import { looks } from './looks.ts';
import { violationsOf } from './axe.ts';
import { test as base } from './fixtures.ts';
import { sizes } from './visit.ts';

let accounts = 0;
const test = base
  .extend('owner', async ({ site }) => (await site.join(`弃稿人${++accounts}`)).viewer)
  .extend('username', ({ owner }) => owner.username);

const dialog = (page: Page) => page.getByRole('alertdialog');
const undo = (page: Page) => page.getByRole('button', { name: '撤销' });
const status = (page: Page) => page.locator('main output');

describe('a deletion is undone within ten seconds', () => {
  test('in a list, which shows the article again', async ({ site, page, owner }) => {
    await site.write(owner, { title: '舍不得的' });
    await page.goto('/user/list');
    await page.getByRole('button', { name: '删除《舍不得的》' }).click();
    await dialog(page).getByText('30 天内可以恢复').waitFor();
    await dialog(page).getByRole('button', { name: '删除' }).click();
    await page.getByText('还没有写过文章').waitFor();
    await undo(page).click();
    await page.getByRole('link', { name: '舍不得的', exact: true }).waitFor();
    expect(await status(page).textContent()).toBe('共 1 篇');
  });

  test('on its page, to which the author returns', { tags: ['long'] }, async ({ visit, people }) => {
    const { author, article, comment, reader } = people;
    await comment(reader, '别删呀');
    const { page } = await visit({ username: author.username });
    await page.goto(`/detail/${article}`);
    await page.getByRole('button', { name: /^删除《/ }).click();
    await dialog(page).getByRole('button', { name: '删除' }).click();
    await page.waitForURL('**/user/list');
    await undo(page).click();
    await page.waitForURL(`**/detail/${article}`);
    await page.getByText('别删呀').waitFor();
  });

  test('in the editor, which opens the draft again', { tags: ['long'] }, async ({ site, page, owner }) => {
    const id = await site.write(owner, { title: '写了一半', status: 'draft' });
    await page.goto(`/edit/${id}`);
    await page.locator('.cm-content').waitFor();
    await page.getByRole('button', { name: '删除', exact: true }).click();
    await dialog(page).getByText('30 天内可以恢复').waitFor();
    await dialog(page).getByRole('button', { name: '删除' }).click();
    await page.waitForURL('**/user/draft');
    await undo(page).click();
    await page.waitForURL(`**/edit/${id}`);
    await expect.poll(() => page.getByRole('textbox', { name: '标题' }).inputValue()).toBe('写了一半');
  });
});

describe('the trash', () => {
  test.for(looks(Object.entries({ phone: sizes.phone, desktop: sizes.desktop })))(
    'shows what was deleted and how long it stays, restores it, and removes it for good (%s)',
    { tags: ['long'] },
    async ([, viewport], { site, owner, visit }) => {
      const { page } = await visit({ username: owner.username, viewport });
      const title = `很长的题目${'一二三四五六七八九十'.repeat(11)}`;
      const ids = [];
      for (const fields of [
        { title },
        { title: '草稿一', status: 'draft' as const },
        { title: '秘密', secret: true },
      ])
        ids.push(await site.write(owner, fields));
      for (const id of ids) await site.app.services.articles.remove(id, owner);
      await page.goto('/user/list');
      await page.getByRole('link', { name: '回收站' }).click();
      await page.waitForURL('**/user/trash');
      await expect.poll(() => status(page).textContent()).toBe('共 3 篇，删除满 30 天后彻底消失');
      const row = (name: string) => page.getByRole('listitem').filter({ hasText: name });
      await row('草稿一').getByText('还剩 30 天').waitFor();
      await row('草稿一').getByText('草稿', { exact: true }).waitFor();
      expect(await violationsOf(page)).toEqual([]);
      const { scroll, width } = await page.evaluate(() => ({
        scroll: document.documentElement.scrollWidth,
        width: innerWidth,
      }));
      expect(scroll).toBeLessThanOrEqual(width);

      await page.getByRole('button', { name: '恢复《草稿一》' }).dblclick();
      await expect.poll(() => status(page).textContent()).toMatch(/^共 2 篇/);
      await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('OUTPUT');

      await page.getByRole('button', { name: '永久删除《秘密》' }).click();
      await dialog(page).getByText('不能再恢复').waitFor();
      await page.keyboard.press('Escape');
      expect(await row('秘密').count()).toBe(1);
      await page.getByRole('button', { name: '永久删除《秘密》' }).click();
      await dialog(page).getByRole('button', { name: '永久删除' }).click();
      await expect.poll(() => status(page).textContent()).toMatch(/^共 1 篇/);

      await page.getByRole('button', { name: '清空回收站' }).click();
      await dialog(page).getByText('清空回收站里的 1 篇？').waitFor();
      await dialog(page).getByRole('button', { name: '清空' }).click();
      await page.getByText('回收站是空的').waitFor();
      await page.goto('/user/draft');
      await page.getByText('草稿一').waitFor();
    },
  );

  test(
    'an article restored in another window is reported as restored',
    { tags: ['long'] },
    async ({ site, page, owner }) => {
      const id = await site.write(owner, { title: '两个窗口' });
      await site.app.services.articles.remove(id, owner);
      await page.goto('/user/trash');
      await page.getByRole('button', { name: '永久删除《两个窗口》' }).click();
      await site.app.services.trash.restore(id, owner);
      await dialog(page).getByRole('button', { name: '永久删除' }).click();
      await page.getByText('文章不存在或已被删除').waitFor();
      await page.getByText('回收站是空的').waitFor();
      await page.goto(`/detail/${id}`);
      await page.getByRole('heading', { name: '两个窗口' }).waitFor();
    },
  );
});
