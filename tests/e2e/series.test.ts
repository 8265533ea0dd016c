import { expect } from 'vitest';
import { expectPage } from './expect-page.ts';
import { looks } from './looks.ts';
import { violationsOf } from './axe.ts';
import { test as base } from './fixtures.ts';
import { sizes } from './visit.ts';

const test = base
  .extend('username', ({ author }) => author.username)
  /** A series of three articles. */
  .extend('series', async ({ site, author }) => {
    const { series } = site.app.services;
    const { _id } = await series.create({ title: '辋川集', description: '', cover: '' }, author);
    for (const title of ['一', '二', '三']) await site.write(author, { title, series: _id });
    return {
      id: _id,
      titles: async () => (await series.find(_id, author))?.articles.map(({ item }) => item.title),
    };
  });

test('a series is created, described and deleted; double requests take effect once', async ({ page }) => {
  await page.goto('/user/series');
  await expectPage(page.getByText('还没有专栏')).toBeVisible();
  await page.getByRole('button', { name: '新建专栏' }).click();
  await page.getByRole('button', { name: '保存' }).click();
  await expectPage(page.getByRole('alert').filter({ hasText: '请填写专栏名称' })).toBeVisible();
  await page.getByRole('textbox', { name: '名称' }).fill('山水');
  await page.getByRole('button', { name: '保存' }).dblclick();
  await expectPage(page.getByText('共 1 个专栏')).toBeVisible();
  await page.getByRole('button', { name: '编辑专栏《山水》' }).click();
  await page.getByRole('textbox', { name: '介绍' }).fill('看山看水');
  await page.getByRole('button', { name: '保存' }).click();
  await expectPage(page.getByRole('paragraph').filter({ hasText: '看山看水' })).toBeVisible();
  await expectPage(page.getByRole('button', { name: '编辑专栏《山水》' })).toBeFocused();
  await page.getByRole('button', { name: '删除专栏《山水》' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: '删除' }).click();
  await expectPage(page.getByText('还没有专栏')).toBeVisible();
});

test('its articles are put in order with the keyboard and by dragging', async ({ page, series }) => {
  await page.goto('/user/series');
  await page.getByRole('button', { name: '排列文章：《辋川集》' }).click();
  const up = page.getByRole('button', { name: '把《三》上移' });
  await up.focus();
  await page.keyboard.press('Enter');
  await expectPage(up).toBeFocused();
  await page.keyboard.press('Enter');
  // At the top only the button to move down is left.
  await expectPage(page.getByRole('button', { name: '把《三》下移' })).toBeFocused();
  await expect.poll(series.titles).toEqual(['三', '一', '二']);
  const rows = page.locator('ol').getByRole('listitem');
  await rows
    .filter({ hasText: '二' })
    .getByTitle('拖动来排序')
    .dragTo(rows.filter({ hasText: '三' }), { steps: 5 });
  await expect.poll(series.titles).toEqual(['二', '三', '一']);
});

test('an article of a series has one pair of neighbours, those in the series', async ({
  page,
  site,
  author,
  series,
}) => {
  const outside = await site.write(author, { title: '不在专栏里的' });
  const articles = (await site.app.services.series.find(series.id, author))?.articles ?? [];
  await page.goto(`/detail/${articles[1]?.item._id}`);
  const place = page.getByRole('navigation', { name: '专栏' });
  await expectPage(place.getByRole('link')).toHaveText(['辋川集', '前一篇 一', '后一篇 三']);
  await expectPage(page.getByRole('navigation', { name: '相邻文章' })).toHaveCount(0);
  await page.goto(`/detail/${outside}`);
  await expectPage(page.getByRole('navigation', { name: '相邻文章' })).toHaveCount(1);
  await expectPage(place).toHaveCount(0);
});

test.for(looks(['light', 'dark']))(
  'axe finds nothing, %s, and nothing runs out of a phone',
  { tags: ['long'] },
  async (theme, { page, series }) => {
    await page.addInitScript((chosen) => localStorage.setItem('theme', chosen), theme);
    await page.setViewportSize(sizes.phone);
    for (const path of ['/user/series', `/series/${series.id}`]) {
      await page.goto(path);
      for (const name of ['编辑专栏《辋川集》', '排列文章：《辋川集》'])
        if (path === '/user/series') await page.getByRole('button', { name }).first().click();
      await page.getByText('三', { exact: true }).first().waitFor();
      const violations = await violationsOf(page);
      expect(violations).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    }
  },
);
