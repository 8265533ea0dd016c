import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from '@playwright/test';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { launchBrowser } from './browser.ts';
import { openSite, type Site } from './site.ts';
import { sizes, visit, type Visit } from './visit.ts';

/**
 * Messages and questions, drawn once a page whichever islands are hydrated; here those of a draft that cannot
 * be deleted.
 */
const REFUSAL = '今天不能删除';

let site: Site;
let browser: Browser;
let guest: Visit;
let page: Page;

beforeAll(async () => {
  site = await openSite();
  browser = await launchBrowser();
  const { viewer } = await site.join('林间');
  await site.write(viewer, { title: '草稿一', status: 'draft' });
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});
beforeEach(async () => {
  guest = await visit(browser, site, { username: '林间', viewport: sizes.desktop });
  page = guest.page;
  await page.route('**/api/page/delete', (route) =>
    route.fulfill({ json: { code: 'ERROR', data: REFUSAL } }),
  );
  await page.clock.install();
  await page.goto('/user/draft');
});
afterEach(() => guest.end());

const remove = () => page.getByRole('button', { name: '删除《草稿一》' });
const question = () => page.getByRole('alertdialog');
const message = () => page.getByRole('alert').filter({ hasText: REFUSAL });
const isFocused = (element: ReturnType<typeof remove>) =>
  element.evaluate((node) => node === document.activeElement);

describe('a question', () => {
  test('has the focus on no where yes destroys something; Escape means no and gives the focus back', async () => {
    await remove().click();
    const no = question().getByRole('button', { name: '取消' });
    await no.waitFor();
    await expect.poll(() => isFocused(no), { timeout: 10_000 }).toBe(true);
    expect((await new AxeBuilder({ page }).analyze()).violations.map(({ id }) => id)).toEqual([]);
    await page.keyboard.press('Escape');
    await question().waitFor({ state: 'detached' });
    await expect.poll(() => isFocused(remove()), { timeout: 10_000 }).toBe(true);
    expect(await remove().count()).toBe(1);
  });
});

describe('an error', () => {
  /** The clock stands still from here on. */
  async function refuse(): Promise<void> {
    await remove().click();
    const yes = question().getByRole('button', { name: '删除' });
    await yes.waitFor();
    await page.clock.pauseAt(Date.now() + 3_600_000);
    await yes.click();
    await message().waitFor();
  }

  test('is said once and stays for 10 s', async () => {
    await refuse();
    expect(await message().count()).toBe(1);
    await page.mouse.move(10, 10);
    await page.clock.runFor(9_900);
    expect(await message().count()).toBe(1);
    await page.clock.runFor(1_000);
    await message().waitFor({ state: 'detached' });
  });

  test('stays while the pointer is on it', async () => {
    await refuse();
    await message().hover();
    await page.clock.runFor(60_000);
    expect(await message().isVisible()).toBe(true);
    await page.mouse.move(10, 10);
    await page.clock.runFor(11_000);
    await message().waitFor({ state: 'detached' });
  });

  test('goes by its button; axe finds nothing, on a phone nothing scrolls sideways', async () => {
    await page.setViewportSize(sizes.phone);
    await refuse();
    // axe needs a clock that runs; under the pointer the message waits.
    await message().hover();
    await page.clock.resume();
    expect((await new AxeBuilder({ page }).analyze()).violations.map(({ id }) => id)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(sizes.phone.width);
    const close = message().getByRole('button', { name: '关闭' });
    const box = await close.boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
    await close.click();
    await message().waitFor({ state: 'detached' });
  });
});
