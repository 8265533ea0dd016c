import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Locator, Page } from '@playwright/test';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Viewer } from '../../src/lib/server/auth/auth-service.ts';
import { launchBrowser } from './browser.ts';
import { deskOf, SAMPLE } from './desk.ts';
import { openSite, type Site } from './site.ts';
import { sizes, visit, type Visit } from './visit.ts';

let site: Site;
let browser: Browser;
let author: Viewer;
let current: Visit;
let page: Page;

beforeAll(async () => {
  site = await openSite();
  browser = await launchBrowser();
  author = (await site.join('林间')).viewer;
  await site.join('别人');
  await site.write(author, { title: '旧文', tags: ['随笔', 'Java', 'JavaScript'] });
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});
beforeEach(async () => {
  current = await visit(browser, site, { username: '林间' });
  page = current.page;
});
afterEach(() => current.end());

const { text, tags, preview, button, source, open, saved } = deskOf(() => page);

describe('looking at it', () => {
  test('source and preview scroll in step', async () => {
    const blocks = Array.from(
      { length: 80 },
      (_, number) => `## 第 ${number} 节\n\n${'一段话。'.repeat(number % 7 === 0 ? 90 : 5)}`,
    );
    const id = await site.write(author, { title: '同步', content: blocks.join('\n\n') });
    await open(`/edit/${id}`);
    await preview().getByText('第 79 节').waitFor();
    await text().hover();
    await page.mouse.wheel(0, 4_000);
    const topOf = (pane: Locator, items: string) =>
      pane.evaluate((element, selector) => {
        const { top } = element.getBoundingClientRect();
        const headings = [...element.querySelectorAll(selector)].filter(({ textContent }) =>
          /第 \d+ 节/.test(textContent),
        );
        const first = headings.find((each) => each.getBoundingClientRect().top >= top - 1);
        return Number(/\d+/.exec(first?.textContent ?? '')?.[0]);
      }, items);
    await expect
      .poll(async () => {
        const left = await topOf(page.locator('.cm-scroller'), '.cm-line');
        const right = await topOf(page.locator('.preview-scroller'), 'h2');
        return left > 10 && Math.abs(left - right) <= 1;
      })
      .toBe(true);
  });

  test('full screen by button, back by Escape', async () => {
    await open();
    await button('全屏').click();
    const isHeaderThere = () =>
      page.evaluate(() => document.elementFromPoint(innerWidth / 2, 30)?.closest('header') !== null);
    await expect.poll(isHeaderThere).toBe(false);
    await text().click();
    await page.keyboard.press('Escape');
    await expect.poll(isHeaderThere).toBe(true);
    await button('全屏').waitFor();
  });

  test('on a phone source and preview are tabs, nothing scrolls sideways, and the actions are at hand', async () => {
    const phone = await visit(browser, site, { username: '林间', viewport: sizes.phone, hasTouch: true });
    page = phone.page;
    await open(
      `/edit/${await site.write(author, { title: '手机', content: `${SAMPLE}\n\n${'很长'.repeat(300)}` })}`,
    );
    expect(await preview().count()).toBe(0);
    const panel = page.getByRole('tabpanel', { name: '预览' });
    await page.getByRole('tab', { name: '预览' }).click();
    await panel.getByText('注在这里').waitFor();
    expect(await text().isVisible()).toBe(false);
    for (const tab of ['预览', '编辑']) {
      await page.getByRole('tab', { name: tab }).click();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
      const { y = 0, height = 0 } = (await button('更新').boundingBox()) ?? {};
      expect(y + height).toBeLessThanOrEqual(sizes.phone.height);
      expect(height).toBeGreaterThanOrEqual(44);
    }
    await phone.end();
  });
});

test('two windows, one article: both versions side by side, and a choice', async () => {
  const id = await site.write(author, { title: '两处', content: '原来的', status: 'draft' });
  await open(`/edit/${id}`);
  const other = await visit(browser, site, { username: '林间' });
  await other.page.goto(`/edit/${id}`);
  await other.page.getByRole('textbox', { name: '正文' }).click();
  await other.page.keyboard.press('Control+End');
  await other.page.keyboard.type('，那边写的<b>');
  await other.page.keyboard.press('Control+s');
  await other.page.getByRole('status').filter({ hasText: '已保存' }).waitFor();
  await text().click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('，这边写的');
  const dialog = page.getByRole('dialog', { name: '这篇文章在别处也改过' });
  await dialog.waitFor();
  expect(await dialog.getByRole('region', { name: '我的', exact: true }).innerText()).toContain(
    '原来的，这边写的',
  );
  expect(await dialog.getByRole('region', { name: '对方的', exact: true }).innerText()).toContain(
    '原来的，那边写的<b>',
  );
  await dialog.getByRole('button', { name: '先不选' }).click();
  await button('看看两份').click();
  await dialog.getByRole('button', { name: '合在一起，我来挑' }).click();
  await dialog.waitFor({ state: 'detached' });
  const merged = await source();
  expect(merged).toContain('原来的，这边写的');
  expect(merged).toContain('原来的，那边写的<b>');
  await saved('已保存');
  await other.end();
});

test.each(['light', 'dark'])('axe finds nothing, %s', async (theme) => {
  await page.addInitScript((chosen) => localStorage.setItem('theme', chosen), theme);
  const check = async () => {
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  };
  const id = await site.write(author, { title: '给机器看', content: SAMPLE, tags: ['随笔'] });
  await open(`/edit/${id}`);
  await preview().getByText('注在这里').waitFor();
  await check();
  await tags().fill('新的签');
  await page.getByRole('option', { name: '新建标签「新的签」' }).click();
  await page.getByRole('dialog').waitFor();
  await check();
  await page.keyboard.press('Escape');
  await page.setViewportSize(sizes.phone);
  await check();
});
