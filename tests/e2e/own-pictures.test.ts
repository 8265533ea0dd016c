import sharp from 'sharp';
import { describe, expect } from 'vitest';
import { expectPage } from './expect-page.ts';
import { looks } from './looks.ts';
import { violationsOf } from './axe.ts';
import { test as base } from './fixtures.ts';
import { sizes } from './visit.ts';

let accounts = 0;
const test = base
  .extend('owner', async ({ site }) => (await site.join(`藏图人${++accounts}`)).viewer)
  .extend('username', ({ owner }) => owner.username);

const png = (red: number, width = 40, height = 30) =>
  sharp({ create: { width, height, channels: 3, background: { r: red, g: 90, b: 120 } } })
    .png()
    .toBuffer();

describe.each(looks(Object.entries({ phone: sizes.phone, desktop: sizes.desktop })))(
  'one’s own pictures (%s)',
  (_, viewport) => {
    test.override('window', { viewport });

    test('are shown with their uses, replaced everywhere, and deleted when unused', async ({
      site,
      owner,
      page,
    }) => {
      const { files } = site.app.services;
      const used = await files.saveImage(owner, await png(10));
      await files.saveImage(owner, await png(20, 30, 40));
      const title = `很长的题目${'山'.repeat(60)}`;
      const id = await site.write(owner, { title, content: `![山](${used.url})` });
      await site.write(owner, { title: '草稿', content: '字', cover: used.url, status: 'draft' });

      await page.goto('/user/pictures');
      const status = page.locator('main output').first();
      await expectPage(status).toHaveText('共 2 张');
      await expectPage(page.getByRole('link', { name: title })).toHaveAttribute('href', `/detail/${id}`);
      expect(await violationsOf(page, { include: 'main' })).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);

      await page.getByRole('button', { name: '删除第 2 张图片' }).click();
      await expectPage(page.getByText('还在用这张图片，先拿掉，再来删除')).toBeVisible();
      const chooser = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: '替换第 2 张图片' }).click();
      const buffer = await png(30, 50, 50);
      await (await chooser).setFiles({ name: '新图.png', mimeType: 'image/png', buffer });
      await expectPage(page.getByText('已在 2 处换成新的图片')).toBeVisible();
      await expectPage(status).toHaveText('共 3 张');
      expect((await site.app.services.articles.readSource(id, owner)).content).toContain('-50x50.');

      await page.getByRole('link', { name: '没有用到', exact: true }).click();
      await expectPage(status).toHaveText('共 1 张');
      await page.getByRole('link', { name: '全部', exact: true }).click();
      await expectPage(status).toHaveText('共 3 张');
      await page.getByRole('checkbox', { name: '全选这一页' }).check();
      await page.getByRole('button', { name: '删除选中的' }).click();
      const dialog = page.getByRole('alertdialog');
      await expectPage(dialog).toContainText('选中的另外 1 张还在用，会留着。');
      await dialog.getByRole('button', { name: '删除' }).click();
      await expectPage(status).toHaveText('共 1 张');
    });
  },
);
