import { expect } from 'vitest';
import { openOtherSite } from '../api/other-site.ts';
import { picture } from './give-pictures.ts';
import { violationsOf } from './axe.ts';
import { expectPage } from './expect-page.ts';
import { test as base } from './fixtures.ts';
import { looks } from './looks.ts';
import { sizes } from './visit.ts';

const STAFF = '裴迪';
const DATE = new Date(Date.now() - 3_600_000).toUTCString();

const test = base
  .extend('friend', { scope: 'file' }, async ({}, { onCleanup }) => {
    const other = await openOtherSite(({ url = '' }, response) => {
      if (url === '/logo.png') return void response.setHeader('Content-Type', 'image/png').end(picture);
      if (url !== '/feed.xml') return void response.end('你好');
      response.end(`<rss version="2.0"><channel>
        <item><title>空山新雨</title><link>/rain</link><pubDate>${DATE}</pubDate></item></channel></rss>`);
    });
    onCleanup(other.close);
    return other;
  })
  .extend('site', { scope: 'file' }, async ({ startSite, friend }) => {
    const site = await startSite({}, friend.outside);
    await site.join(STAFF);
    await site.app.services.roles.set(STAFF, 'editor', null);
    return site;
  });

const LOOKS = [
  ['phone', 'light'],
  ['phone', 'dark'],
  ['desktop', 'light'],
  ['desktop', 'dark'],
] as const;

test.for(looks(LOOKS))(
  'a visitor applies, staff accepts, and the circle has the articles of the friend (%s, %s)',
  async ([size, theme], { site, friend, visit }) => {
    const name = `辋川 ${size} ${theme}`;
    const host = `${size}-${theme}.test`;
    const open = async (path: string, username?: string) => {
      const { page, context } = await visit({ username, viewport: sizes[size], reducedMotion: 'reduce' });
      await context.addInitScript((chosen) => {
        if (location.protocol === 'http:') localStorage.setItem('theme', chosen);
      }, theme);
      await page.goto(path);
      return page;
    };
    const look = async (page: Awaited<ReturnType<typeof open>>) => {
      await page.waitForLoadState('networkidle');
      expect(await violationsOf(page, { exclude: '[data-type]' })).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(sizes[size].width);
    };
    const visitor = await open('/friends');
    await look(visitor);
    const form = visitor.getByRole('form', { name: '申请友链' });
    await form.getByLabel('网站名称').fill(name);
    await expectPage(form.getByRole('status')).toHaveText('已确认你不是机器人');
    await form.getByLabel('网址').fill('wang.example');
    await form.getByRole('button', { name: '申请' }).click();
    await form.getByText('网址应以 http:// 或 https:// 开头').waitFor();
    await look(visitor);
    await form.getByLabel('网址').fill(friend.urlOf(host, '/'));
    await form.getByLabel('图标地址').fill(friend.urlOf(host, '/logo.png'));
    await form.getByLabel('订阅地址').fill(friend.urlOf(host, '/feed.xml'));
    await form.getByLabel('订阅地址').press('Enter');
    await visitor.getByText('已收到申请，谢谢你').waitFor();
    await expectPage(form).toHaveCount(0);
    await visitor.reload();
    await expectPage(visitor.getByRole('link', { name })).toHaveCount(0);

    const staff = await open('/admin/friends', STAFF);
    await staff.getByRole('button', { name: `通过：${name}`, exact: true }).waitFor();
    await look(staff);
    await staff.getByRole('button', { name: `通过：${name}`, exact: true }).click();
    const dialog = staff.getByRole('dialog', { name: '通过友链申请' });
    await dialog.getByLabel('分组').fill('诗人');
    await look(staff);
    await dialog.getByRole('button', { name: '通过' }).click();
    await expectPage(dialog).toHaveCount(0);
    await staff.getByRole('button', { name: `隐藏：${name}` }).waitFor();
    await look(staff);

    await site.app.services.friends.round();
    await visitor.reload();
    await visitor.getByRole('heading', { name: '诗人' }).waitFor();
    await expectPage(visitor.getByRole('link', { name })).toHaveAttribute('href', friend.urlOf(host, '/'));
    await look(visitor);
    await visitor.getByRole('link', { name: '朋友圈' }).click();
    const entry = visitor.getByRole('listitem').filter({ hasText: name });
    await expectPage(entry.getByRole('link', { name: '空山新雨' })).toHaveAttribute(
      'href',
      friend.urlOf(host, '/rain'),
    );
    await look(visitor);

    await staff.getByRole('button', { name: `隐藏：${name}` }).click();
    await staff.getByRole('button', { name: `显示：${name}` }).waitFor();
    await visitor.reload();
    await expectPage(entry).toHaveCount(0);
    await staff.getByRole('button', { name: `显示：${name}` }).click();
    await staff.getByRole('button', { name: `隐藏：${name}` }).waitFor();
  },
);

test('staff puts friends in order with the keys and by dragging', async ({ site, visit }) => {
  const { viewer } = await site.join('孟浩然');
  const blank = { description: '', logo: '', feed: '', group: '' };
  for (const name of ['甲', '乙'])
    await site.app.services.friends.save({ ...blank, name, url: `https://${name}.example/` }, viewer);
  const { page } = await visit({ username: STAFF });
  await page.goto('/admin/friends');
  const order = () =>
    page
      .getByRole('listitem')
      .filter({ hasText: /https:\/\/[甲乙]\.example/ })
      .allTextContents()
      .then((rows) => rows.map((row) => /[甲乙]/.exec(row)?.[0]));
  await page.getByRole('button', { name: '把「乙」上移' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('「乙」已上移').waitFor();
  await page.reload();
  await page.getByRole('button', { name: '把「乙」上移' }).waitFor();
  expect(await order()).toEqual(['乙', '甲']);
  const rows = page.getByRole('listitem').filter({ hasText: /https:\/\/[甲乙]\.example/ });
  await rows.nth(1).getByTitle('拖动来排序').dragTo(rows.nth(0));
  await expect.poll(order).toEqual(['甲', '乙']);
  await page.getByRole('button', { name: '删除：甲' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: '删除' }).click();
  await expect.poll(order).toEqual(['乙']);
});
