import type { Locator, Page } from '@playwright/test';
import { describe, expect } from 'vitest';
import { openInputMethod } from './composition.ts';
import { test as base } from './fixtures.ts';
import { sizes } from './visit.ts';

/** Longer than the time after a composition during which Enter still belongs to the input method. */
const AFTERMATH_MS = 200;

const test = base
  .extend('pinyin', ({ page }) => openInputMethod(page))
  .extend('field', ({ page }) => page.getByLabel('搜索标题或内容').locator('visible=true'));

const here = (page: Page) => decodeURIComponent(new URL(page.url()).pathname);

describe.each([
  ['the header', 'desktop', '/changelog'],
  ['the menu of a phone', 'phone', '/changelog'],
  ['the page that is not there', 'desktop', '/404'],
] as const)('searching from %s with an input method', (where, size, path) => {
  test.beforeEach(async ({ guest, page, field }) => {
    await page.setViewportSize(sizes[size]);
    if (path === '/404') guest.forgive(/404/);
    await page.goto(path);
    if (size === 'phone') await page.getByRole('button', { name: '菜单' }).click();
    await field.focus();
  });
  /** Value of the field once a search could have started and changed the URL. */
  const text = async (page: Page, field: Locator) => {
    await page.waitForTimeout(AFTERMATH_MS);
    expect(here(page), where).toBe(path);
    return field.inputValue();
  };

  test('Enter while composing does not search', async ({ page, field, pinyin }) => {
    await pinyin.compose("xian'cheng");
    await pinyin.enter('taken');
    expect(await text(page, field)).toBe("xian'cheng");
    await pinyin.compose("xian'cheng'chi");
    await pinyin.enter();
    expect(await text(page, field)).toBe("xian'cheng'chi");
  });

  test('the Enter that ends the composition does not search, the next one does', async ({
    page,
    field,
    pinyin,
  }) => {
    await pinyin.compose("xian'cheng'chi");
    await pinyin.commitByEnter('线程池');
    expect(await text(page, field)).toBe('线程池');
    await pinyin.enter();
    await expect.poll(() => here(page)).toBe('/home/线程池');
  });

  test('the icon searches for the current text at any time', async ({ page, pinyin }) => {
    await pinyin.compose('xian');
    await pinyin.commit('线');
    await page.getByRole('button', { name: '搜索', exact: true }).locator('visible=true').last().click();
    await expect.poll(() => here(page)).toBe('/home/线');
  });
});
