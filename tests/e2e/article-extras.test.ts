import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { expect } from 'vitest';
import { expectPage } from './expect-page.ts';
import { violationsOf } from './axe.ts';
import { test as base } from './desk.ts';
import { sizes } from './visit.ts';

const PANEL = '文章设置';

const test = base
  .extend('picture', { scope: 'file' }, () =>
    sharp({ create: { width: 1600, height: 900, channels: 3, background: '#357' } })
      .jpeg()
      .toBuffer(),
  )
  .extend('panel', ({ page, picture }) => ({
    open: () => page.getByRole('button', { name: PANEL }).click(),
    close: async () => {
      await page.getByRole('dialog', { name: PANEL }).getByRole('button', { name: '完成' }).click();
      await page.getByRole('dialog', { name: PANEL }).waitFor({ state: 'detached' });
    },
    description: page.getByRole('textbox', { name: '摘要' }),
    cover: page.getByRole('img', { name: '现在的封面' }),
    choose: (name = '山.jpg', mimeType = 'image/jpeg') =>
      page.getByLabel('选择封面').setInputFiles({ name, mimeType, buffer: picture }),
  }))
  /** A reader's page that records layout shifts. */
  .extend('reader', async ({ browser, site }, { onCleanup }) => {
    const context = await browser.newContext({ baseURL: site.url, viewport: sizes.phone });
    onCleanup(() => context.close());
    await context.addInitScript(() => {
      const shifts: number[] = [];
      Object.assign(window, { shifts });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value);
      }).observe({ type: 'layout-shift', buffered: true });
    });
    return context.newPage();
  });

const shiftsOf = (reader: Page) => reader.evaluate(() => (window as unknown as { shifts: number[] }).shifts);

test(
  'a description and a cover are written, published, shown to readers, and changed',
  { tags: ['long'] },
  async ({ page, reader, desk, panel }) => {
    await desk.open();
    await desk.title.fill('山居');
    await desk.pick('随笔');
    await desk.write('空山新雨后，天气晚来秋。');
    await page.getByRole('button', { name: PANEL }).focus();
    await page.keyboard.press('Enter');
    await panel.description.fill('王维的秋天');
    await expectPage(page.getByText('5 / 200')).toBeVisible();
    await panel.choose();
    await expectPage(panel.cover).toBeVisible();
    await panel.close();
    await expectPage(page.getByRole('button', { name: PANEL })).toBeFocused();
    await expectPage(page.getByText('有封面 · 王维的秋天')).toBeVisible();
    await desk.button('发布').click();
    await page.waitForURL(/\/detail\//);
    const path = new URL(page.url()).pathname;

    await reader.goto(path);
    const head = (name: string) => reader.locator(`meta[name="${name}"], meta[property="${name}"]`);
    const address = await reader.locator('article img').first().getAttribute('src');
    await expectPage(head('description')).toHaveAttribute('content', '王维的秋天');
    await expectPage(head('og:image')).toHaveAttribute('content', new RegExp(`^http://.+${address}$`));
    await expectPage(reader.locator(`article img[src="${address}"]`)).toHaveJSProperty('complete', true);
    expect(await shiftsOf(reader)).toEqual([]);
    await reader.goto('/home');
    const card = reader.getByRole('article').filter({ hasText: '山居' });
    await expectPage(card.getByText('王维的秋天')).toBeVisible();
    await expectPage(card.locator(`img[src="${address}"]`)).toHaveJSProperty('complete', true);
    expect(await card.textContent()).not.toContain('天气晚来秋');
    expect(await shiftsOf(reader)).toEqual([]);

    await desk.open(path.replace('detail', 'edit'));
    await panel.open();
    await expectPage(panel.description).toHaveValue('王维的秋天');
    await panel.description.fill('');
    await desk.button('去掉封面').click();
    await expectPage(desk.button('选择图片')).toBeFocused();
    await panel.close();
    await desk.button('更新').click();
    await page.waitForURL(/\/detail\//);
    await reader.goto('/home');
    await expectPage(card.getByText('天气晚来秋')).toBeVisible();
    await expectPage(card.locator('img')).toHaveCount(0);
  },
);

test(
  'both sides of a conflict show them, and one is chosen',
  { tags: ['long'] },
  async ({ site, author, page, desk, panel }) => {
    const id = await site.write(author, { title: '两处', description: '原来的' });
    await desk.open(`/edit/${id}`);
    await panel.open();
    await panel.choose();
    await expectPage(panel.cover).toBeVisible();
    await desk.saved('已保存');
    const fields = { title: '两处', content: '正文', tags: ['随笔'], secret: false, type: '' };
    await site.app.services.articles.edit(
      { ...fields, id, status: 'normal', description: '别处写的' },
      author,
    );
    await panel.description.fill('这里写的');
    await page.keyboard.press('Escape');
    const dialog = page.getByRole('dialog', { name: '这篇文章在别处也改过' });
    const side = (piece: string, name: string) =>
      dialog
        .getByRole('group', { name: new RegExp(`· ${piece}$`) })
        .getByRole('group', { name, exact: true });
    await expectPage(side('摘要', '我的').locator('mark')).toHaveText('这里');
    await expectPage(side('摘要', '另一台设备').locator('mark')).toHaveText('别处');
    await expectPage(side('封面', '我的').getByRole('img', { name: '这一份的封面' })).toBeVisible();
    await expectPage(side('封面', '另一台设备').getByText('没有')).toBeVisible();
    await desk.button('全用对方的').click();
    await expectPage(dialog).toBeHidden();
    await panel.open();
    expect(await panel.description.inputValue()).toBe('别处写的');
    expect(await panel.cover.count()).toBe(0);
  },
);

test('errors are shown at the field: a description too long, a file that is not a picture', async ({
  page,
  desk,
  panel,
}) => {
  await desk.open();
  await desk.title.fill('题');
  await desk.pick('随笔');
  await desk.write('正文');
  await panel.open();
  await panel.description.fill('长'.repeat(201));
  await expectPage(page.getByText('摘要不能超过 200 个字符，现在有 201 个')).toBeVisible();
  await panel.close();
  await desk.button('发布').click();
  await expectPage(panel.description).toBeFocused();
  await panel.choose('山.txt', 'text/plain');
  await expectPage(page.getByRole('dialog').getByText('无法识别的图片')).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: '移除 山.txt' }).click();
  await expectPage(page.getByText('没有封面', { exact: true })).toBeVisible();
  for (const theme of ['light', 'dark']) {
    await page.evaluate((value) => (document.documentElement.dataset['theme'] = value), theme);
    const violations = await violationsOf(page, { include: '[role=dialog]' });
    expect(violations).toEqual([]);
  }
  await panel.description.fill('');
});

test(
  'a series is created in the editor, a reprint names its original, comments are closed, an article is pinned',
  { tags: ['long'] },
  async ({ page, reader, desk, panel }) => {
    await desk.open();
    await desk.title.fill('竹里馆');
    await desk.pick('随笔');
    await desk.write('独坐幽篁里。');
    await panel.open();
    await desk.button('新建专栏').click();
    await page.getByRole('textbox', { name: '新专栏的名称' }).fill('辋川集');
    await page.keyboard.press('Enter');
    await expectPage(page.getByRole('combobox', { name: '专栏' }).locator(':checked')).toHaveText('辋川集');
    await page.getByRole('radio', { name: '转载' }).check();
    const address = page.getByRole('textbox', { name: '原文地址' });
    await address.fill('example.com/a');
    await page.keyboard.press('Tab');
    await page.getByRole('combobox', { name: '许可协议' }).selectOption({ label: '知识共享 署名 4.0' });
    await expectPage(page.getByText('原文地址应是以 http:// 或 https:// 开头的网址')).toBeVisible();
    await address.fill('https://example.com/a');
    await page.getByRole('switch', { name: '允许评论' }).click();
    await page.getByRole('switch', { name: '在主页置顶' }).click();
    await panel.close();
    await expectPage(page.getByText('在专栏里 · 转载 · 置顶 · 不开评论')).toBeVisible();
    await desk.button('发布').click();
    await page.waitForURL(/\/detail\//);

    await reader.goto(new URL(page.url()).pathname);
    await expectPage(reader.getByRole('link', { name: 'example.com' })).toHaveAttribute('rel', /nofollow/);
    await expectPage(reader.getByRole('link', { name: '知识共享 署名 4.0' })).toBeVisible();
    await expectPage(reader.getByText('作者关闭了评论')).toBeVisible();
    await reader.getByRole('navigation', { name: '专栏' }).getByRole('link', { name: '辋川集' }).click();
    await reader.waitForURL(/\/series\//);
    await reader.getByRole('link', { name: '林间' }).click();
    await reader.waitForURL(/\/user\/info\//);
    await expectPage(reader.getByRole('article').first()).toContainText('竹里馆');
    await expectPage(reader.getByRole('article').first().getByText('置顶')).toBeVisible();
  },
);
