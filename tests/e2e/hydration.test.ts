import type { Browser, Page } from '@playwright/test';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { launchBrowser } from './browser.ts';
import { openInputMethod } from './composition.ts';
import { PASSWORD } from './sign-form.ts';
import { openSite, type Site } from './site.ts';
import { sizes, visit, type Visit } from './visit.ts';

/** Islands whose code is on its way, late or lost; src/islands/hydrate.ts. */
const CODE = /HeaderControls[^?]*\.js$/;
const CODE_AGAIN = /HeaderControls.*\.js\?/;

let site: Site;
let browser: Browser;
let guest: Visit;
let page: Page;

beforeAll(async () => {
  site = await openSite();
  browser = await launchBrowser();
  await site.join('林间');
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});
beforeEach(async () => {
  guest = await visit(browser, site, { username: '林间', viewport: sizes.desktop });
  page = guest.page;
});
afterEach(() => guest.end());

const header = () => page.getByRole('banner');
const account = () => header().getByRole('button', { name: /^账户/ });
const drafts = () => header().getByRole('link', { name: '我的草稿' });
const isFocused = (element: ReturnType<typeof account>) =>
  element.evaluate((node) => node === document.activeElement);
/** Keeps the island's code away until the function returned is called. */
async function holdCode(): Promise<() => void> {
  let release = () => undefined as void;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(CODE, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

describe('what is done before the code has come is not lost', () => {
  test('a click is done again', async () => {
    const release = await holdCode();
    await page.goto('/changelog');
    await account().click();
    // A click on what the server has printed alone opens nothing.
    expect(await drafts().count()).toBe(0);
    await page.mouse.move(300, 600);
    release();
    await drafts().waitFor();
  });

  test('the focus stays, and Enter is done again', async () => {
    const release = await holdCode();
    await page.goto('/changelog');
    await account().focus();
    await page.keyboard.press('Enter');
    release();
    await drafts().waitFor();
    expect(await isFocused(account())).toBe(true);
  });

  test('a press that is under way when it comes is a click all the same', async () => {
    const release = await holdCode();
    await page.goto('/changelog');
    await account().hover();
    await page.mouse.down();
    const arrived = page.waitForResponse(CODE);
    // Looked at with every frame: once the pointer has left, it closes again.
    const opened = page.waitForFunction(() => {
      const button = document.querySelector('header button[aria-label^=账户][aria-expanded=true]');
      const panel = document.getElementById(button?.getAttribute('aria-controls') ?? '');
      return panel?.checkVisibility() === true && panel.textContent.includes('我的草稿');
    });
    release();
    await arrived;
    await page.mouse.up();
    await page.mouse.move(300, 600);
    await expect(opened).resolves.toBeTruthy();
  });

  test('a link is simply followed', async () => {
    const release = await holdCode();
    await page.goto('/changelog');
    await header().getByRole('link', { name: '评论' }).click();
    await page.waitForURL('/comment/list', { waitUntil: 'commit' });
    release();
    await page.waitForLoadState();
    expect(await page.title()).toContain('评论');
  });
});

describe('code that does not come', () => {
  const retry = () => header().getByRole('alert').getByRole('button', { name: '重试' });
  const hydrated = () => account().and(page.locator('[aria-controls]')).waitFor();

  test('after 120 s a message offers to try again, beside what is there already', async () => {
    // The clock stands still, however slow the machine is; the page's own script has run when its document is
    // there.
    const now = Date.now();
    await page.clock.install({ time: now });
    await page.clock.pauseAt(now + 1_000);
    await page.route(CODE, () => new Promise(() => undefined));
    const asked = page.waitForRequest(CODE);
    await page.goto('/changelog', { waitUntil: 'domcontentloaded' });
    await account().focus();
    await asked;
    await page.clock.runFor(119_999);
    expect(await retry().count()).toBe(0);
    await page.clock.runFor(1);
    await retry().waitFor();
    await page.clock.resume();
    expect(await header().getByRole('alert').innerText()).toContain('没有加载出来');
    expect(await header().getByRole('link', { name: '写文章' }).isVisible()).toBe(true);
    await retry().click();
    await hydrated();
    expect(await retry().count()).toBe(0);
    await account().click();
    expect(await drafts().isVisible()).toBe(true);
  });

  test('code that is refused offers the same', async () => {
    guest.forgive(/ERR_FAILED|Failed to fetch dynamically imported module/);
    await page.route(CODE, (route) => route.abort());
    await page.route(CODE_AGAIN, (route) => route.abort());
    await page.goto('/changelog');
    await retry().waitFor();
    await page.unroute(CODE_AGAIN);
    await retry().click();
    await hydrated();
    expect(await retry().count()).toBe(0);
  });
});

describe('a form that the server has printed', () => {
  test('is sent with what was typed and pressed before its code has come', async () => {
    const stranger = await visit(browser, site);
    const released = Promise.withResolvers<void>();
    await stranger.page.route(/SignIn[^?]*\.js$/, async (route) => {
      await released.promise;
      await route.continue();
    });
    await stranger.page.goto('/signin', { waitUntil: 'commit' });
    await stranger.page.getByLabel('用户名', { exact: true }).fill('林间');
    await stranger.page.getByLabel('密码', { exact: true }).fill(PASSWORD);
    const form = stranger.page.getByRole('form', { name: '登录' });
    await form.getByRole('button', { name: '登录', exact: true }).click();
    expect(new URL(stranger.page.url()).pathname).toBe('/signin');
    released.resolve();
    await stranger.page.waitForURL('/home');
    await stranger.end();
  });

  test('lets an input method go on with what it is composing when the code comes', async () => {
    const stranger = await visit(browser, site);
    const released = Promise.withResolvers<void>();
    await stranger.page.route(/SignIn[^?]*\.js$/, async (route) => {
      await released.promise;
      await route.continue();
    });
    await stranger.page.goto('/signin', { waitUntil: 'commit' });
    const name = stranger.page.getByLabel('用户名', { exact: true });
    await name.focus();
    const pinyin = await openInputMethod(stranger.page);
    await pinyin.compose('lin jian');
    released.resolve();
    await stranger.page.locator('astro-island:not([ssr])').waitFor({ state: 'attached' });
    await pinyin.commit('林间');
    expect(await name.inputValue()).toBe('林间');
    await stranger.page.getByLabel('密码', { exact: true }).fill(PASSWORD);
    // An Enter so soon after a composition would be the input method's.
    await stranger.page.getByRole('button', { name: '登录', exact: true }).click();
    await stranger.page.waitForURL('/home');
    await stranger.end();
  });

  test('says what is wrong with a field that was left before its code has come', async () => {
    const stranger = await visit(browser, site);
    const released = Promise.withResolvers<void>();
    await stranger.page.route(/SignUp[^?]*\.js$/, async (route) => {
      await released.promise;
      await route.continue();
    });
    await stranger.page.goto('/signup', { waitUntil: 'commit' });
    await stranger.page.getByLabel('用户名', { exact: true }).fill('<b>');
    await stranger.page.getByLabel('密码', { exact: true }).focus();
    released.resolve();
    await stranger.page.getByText(/^用户名(只能|不能|应为)/).waitFor();
    expect(await stranger.page.getByLabel('用户名', { exact: true }).inputValue()).toBe('<b>');
    await stranger.end();
  });
});
