import type { Browser, Page } from '@playwright/test';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { launchBrowser } from './browser.ts';
import { openInputMethod, type Composition } from './composition.ts';
import { openSite, type Site } from './site.ts';
import { sizes, visit, type Visit } from './visit.ts';

/** Longer than the moment after a composition in which Enter still belongs to the input method. */
const AFTERMATH_MS = 200;

let site: Site;
let browser: Browser;
let guest: Visit;
let page: Page;
let pinyin: Composition;

beforeAll(async () => {
  site = await openSite();
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});
beforeEach(async () => {
  guest = await visit(browser, site);
  page = guest.page;
  pinyin = await openInputMethod(page);
});
afterEach(() => guest.end());

const here = () => decodeURIComponent(new URL(page.url()).pathname);
const field = () => page.getByRole('searchbox', { name: '搜索标题或内容' }).locator('visible=true');

describe.each([
  ['the header', 'desktop', '/changelog'],
  ['the menu of a phone', 'phone', '/changelog'],
  ['the page that is not there', 'desktop', '/404'],
] as const)('searching from %s with an input method', (where, size, path) => {
  beforeEach(async () => {
    await page.setViewportSize(sizes[size]);
    if (path === '/404') guest.forgive(/404/);
    await page.goto(path);
    if (size === 'phone') await page.getByRole('button', { name: '菜单' }).click();
    await field().focus();
  });
  /** What the field holds, after a search would have begun and the address changed with it. */
  const text = async () => {
    await page.waitForTimeout(AFTERMATH_MS);
    expect(here(), where).toBe(path);
    return field().inputValue();
  };

  test('Enter while composing does not search', async () => {
    await pinyin.compose("xian'cheng");
    await pinyin.enter('taken');
    expect(await text()).toBe("xian'cheng");
    await pinyin.compose("xian'cheng'chi");
    await pinyin.enter();
    expect(await text()).toBe("xian'cheng'chi");
  });

  test('the Enter that chooses the words does not search, the next one does', async () => {
    await pinyin.compose("xian'cheng'chi");
    await pinyin.commitByEnter('线程池');
    expect(await text()).toBe('线程池');
    await pinyin.enter();
    await expect.poll(here, { timeout: 15_000 }).toBe('/home/线程池');
  });

  test('the icon searches for what is chosen at any moment', async () => {
    await pinyin.compose('xian');
    await pinyin.commit('线');
    await page.getByRole('button', { name: '搜索', exact: true }).locator('visible=true').last().click();
    await expect.poll(here, { timeout: 15_000 }).toBe('/home/线');
  });
});
