import type { Locator } from '@playwright/test';
import { describe, expect } from 'vitest';
import { violationsOf } from './axe.ts';
import { test as base } from './fixtures.ts';
import { sizes } from './visit.ts';

/**
 * Messages and confirmation dialogs, rendered once per page for all islands. Tested with a draft that cannot
 * be deleted.
 */
const REFUSAL = '今天不能删除';

const test = base
  .extend('draft', { scope: 'file', auto: true }, ({ site, author }) =>
    site.write(author, { title: '草稿一', status: 'draft' }),
  )
  .extend('username', ({ author }) => author.username)
  .extend('page', async ({ page }) => {
    await page.route('**/api/page/delete', (route) =>
      route.fulfill({ json: { code: 'ERROR', data: REFUSAL } }),
    );
    await page.clock.install();
    await page.goto('/user/draft');
    return page;
  })
  .extend('drafts', ({ page }) => {
    const remove = page.getByRole('button', { name: '删除《草稿一》' });
    const question = page.getByRole('alertdialog');
    const message = page.getByRole('alert').filter({ hasText: REFUSAL });
    /** Tries to delete; from then on the clock stands still. */
    async function refuse(): Promise<void> {
      await remove.click();
      const yes = question.getByRole('button', { name: '删除' });
      await yes.waitFor();
      await page.clock.pauseAt(Date.now() + 3_600_000);
      await yes.click();
      await message.waitFor();
    }
    return { remove, question, message, refuse };
  });

const isFocused = (element: Locator) => element.evaluate((node) => node === document.activeElement);

describe('a question', () => {
  test('focuses the safe choice before destructive actions; Escape cancels and restores the focus', async ({
    page,
    drafts,
  }) => {
    await drafts.remove.click();
    const no = drafts.question.getByRole('button', { name: '取消' });
    await no.waitFor();
    await expect.poll(() => isFocused(no)).toBe(true);
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await drafts.question.waitFor({ state: 'detached' });
    await expect.poll(() => isFocused(drafts.remove)).toBe(true);
    expect(await drafts.remove.count()).toBe(1);
  });
});

describe('an error', () => {
  test('is announced once and stays for 10 s', async ({ page, drafts }) => {
    await drafts.refuse();
    expect(await drafts.message.count()).toBe(1);
    await page.mouse.move(10, 10);
    await page.clock.runFor(9_900);
    expect(await drafts.message.count()).toBe(1);
    await page.clock.runFor(1_000);
    await drafts.message.waitFor({ state: 'detached' });
  });

  test('stays while the pointer is on it', async ({ page, drafts }) => {
    await drafts.refuse();
    await drafts.message.hover();
    await page.clock.runFor(60_000);
    expect(await drafts.message.isVisible()).toBe(true);
    await page.mouse.move(10, 10);
    await page.clock.runFor(11_000);
    await drafts.message.waitFor({ state: 'detached' });
  });

  test('is closed by its button; axe finds nothing, on a phone nothing scrolls sideways', async ({
    page,
    drafts,
  }) => {
    await page.setViewportSize(sizes.phone);
    await drafts.refuse();
    // axe needs a running clock; while the pointer is over the message, it does not disappear.
    await drafts.message.hover();
    await page.clock.resume();
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(sizes.phone.width);
    const close = drafts.message.getByRole('button', { name: '关闭' });
    const box = await close.boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
    await close.click();
    await drafts.message.waitFor({ state: 'detached' });
  });
});
