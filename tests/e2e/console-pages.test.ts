import { describe, expect } from 'vitest';
import { violationsOf } from './axe.ts';
import { test } from './console-stage.ts';

describe('pages in the console', () => {
  test(
    'are created, written, published and put in order',
    { tags: ['long'] },
    async ({ site, writer, open }) => {
      const page = await open('/admin/pages', ['desktop', 'light']);
      await page.getByText('还没有页面。').waitFor();
      expect(await violationsOf(page)).toEqual([]);
      await page.getByRole('button', { name: '写「关于」' }).click();
      const dialog = page.getByRole('dialog', { name: '新建页面' });
      await dialog.getByLabel('地址').fill('a/b');
      await dialog.getByRole('button', { name: '新建', exact: true }).click();
      await dialog.getByRole('alert').filter({ hasText: '地址只能用小写字母' }).waitFor();
      await dialog.getByLabel('地址').fill('About');
      await dialog.getByRole('button', { name: '新建', exact: true }).click();
      await page.waitForURL('**/edit/*');
      await page.getByText('网站的页面，不在文章列表里').waitFor();
      await page.locator('.cm-content').click();
      await page.keyboard.type('空山新雨后');
      await page.getByRole('button', { name: '发布', exact: true }).click();
      await page.waitForURL('**/p/about');
      await page.getByText('空山新雨后').waitFor();
      expect(await violationsOf(page)).toEqual([]);

      const colleague = { ...writer, role: 'operator' as const };
      await site.app.services.pages.create({ title: '联系', slug: 'contact' }, colleague);
      await page.goto('/admin/pages');
      await page.getByRole('button', { name: '把「联系」上移' }).focus();
      await page.keyboard.press('Enter');
      await page.getByText('「联系」已上移').waitFor();
      await page.getByRole('button', { name: '把「联系」下移' }).click();
      await page.getByRole('button', { name: '把「联系」降一级' }).click();
      await page.getByText('「联系」已降一级').waitFor();
      expect(await violationsOf(page)).toEqual([]);
      await page.reload();
      await page.getByRole('button', { name: '把「联系」升一级' }).waitFor();
      expect(await page.getByRole('listitem').filter({ hasText: '/p/' }).allTextContents()).toEqual([
        expect.stringContaining('已发布'),
        expect.stringContaining('草稿'),
      ]);
      const rows = page.getByRole('listitem').filter({ hasText: '/p/' });
      await rows.nth(1).getByTitle('拖动来排序').dragTo(rows.nth(0));
      await page.getByRole('button', { name: '把「联系」上移', disabled: true }).waitFor();
      await page.reload();
      await page.getByRole('button', { name: '把「联系」上移', disabled: true }).waitFor();
      expect(await rows.first().textContent()).toContain('/p/contact');
      await page.getByRole('button', { name: '删除：联系' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: '删除' }).click();
      await page.getByText('共 1 个页面').waitFor();
    },
  );
});
