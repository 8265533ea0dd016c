import type { Browser, Page } from '@playwright/test';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { launchBrowser } from './browser.ts';
import { PASSWORD, signForm } from './sign-form.ts';
import { openSite, type Site } from './site.ts';
import { visit, type Visit } from './visit.ts';

let site: Site;
let browser: Browser;
let guest: Visit;
let page: Page;
/** Every address any page of the test asked for. */
let asked: string[];
const { field, button, text, refusal, fillIn, arrival } = signForm(() => page);

beforeAll(async () => {
  site = await openSite();
  browser = await launchBrowser();
  for (const name of ['林间', 'Ink']) await site.join(name);
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});
beforeEach(() => open());
afterEach(() => guest.end());

async function open(): Promise<void> {
  guest = await visit(browser, site);
  page = guest.page;
  asked = [];
  guest.context.on('request', (request) => asked.push(request.url()));
}

const here = () => page.evaluate(() => location.pathname + location.search + location.hash);
const calls = (path: string) => asked.filter((url) => new URL(url).pathname === path).length;
const cookieNames = async () => (await guest.context.cookies()).map(({ name }) => name).sort();

describe('signing in', () => {
  test('leads back to where the visitor was, with query and fragment, and keeps the sign-in in the cookies', async () => {
    await page.goto(`/signin?redirect=${encodeURIComponent('/tag/list?page=1#UI-main')}`);
    expect(await page.title()).toBe('登录 - 墨页');
    await fillIn('林间');
    await button('登录').click();
    expect(await arrival()).toBe('/tag/list?page=1#UI-main');
    expect(await cookieNames()).toEqual(['moye-device', 'refreshToken', 'token', 'user']);
    // The form is gone from the history: going back does not meet it again.
    await page.goBack().catch(() => null);
    expect(page.url()).not.toContain('/signin');
  });

  test('without an address to go back to, leads to the list; Enter in the password is enough', async () => {
    await page.goto('/signin');
    await fillIn('林间');
    await field('密码').press('Enter');
    expect(await arrival()).toBe('/home');
  });

  test('keeps the name as its owner wrote it, whatever case and width it was typed in', async () => {
    await page.goto('/signin');
    await fillIn(' ｉｎＫ ');
    await button('登录').click();
    expect(await arrival()).toBe('/home');
    const user = (await guest.context.cookies()).find(({ name }) => name === 'user');
    expect(decodeURIComponent(user?.value ?? '')).toBe('Ink');
  });

  test('a wrong password and an unknown name read the same, and what was typed stays', async () => {
    await page.goto('/signin');
    for (const name of ['林间', '没有这个人']) {
      await fillIn(name, 'wrong horse');
      await button('登录').click();
      await expect.poll(refusal).toBe('用户名或密码错误');
      expect(await field('用户名').inputValue()).toBe(name);
      expect(await field('密码').inputValue()).toBe('wrong horse');
      await field('用户名').fill('x');
    }
    await fillIn('林间');
    await button('登录').click();
    expect(await arrival()).toBe('/home');
  });

  test('empty fields are named, nothing is sent, and the caret goes where it is needed', async () => {
    await page.goto('/signin');
    await button('登录').click();
    await text('请填写用户名').waitFor();
    await text('请填写密码').waitFor();
    expect(await field('用户名').evaluate((input) => input === document.activeElement)).toBe(true);
    expect(await field('用户名').getAttribute('aria-invalid')).toBe('true');
    expect(calls('/api/signin')).toBe(0);
  });

  test('a double click signs in once', async () => {
    await page.goto('/signin');
    await fillIn('林间');
    await button('登录').dblclick();
    expect(await arrival()).toBe('/home');
    expect(calls('/api/signin')).toBe(1);
  });

  test('without the network everything stays, and trying again works', async () => {
    guest.forgive(/ERR_INTERNET_DISCONNECTED|CallError/);
    await page.goto('/signin');
    await fillIn('林间');
    // What the check needs may not have arrived yet: the form does without.
    await guest.context.setOffline(true);
    await button('登录').click();
    await expect.poll(refusal).toBe('网络不通，请检查网络后再试');
    expect([await field('用户名').inputValue(), await field('密码').inputValue()]).toEqual([
      '林间',
      PASSWORD,
    ]);
    await guest.context.setOffline(false);
    await button('登录').click();
    expect(await arrival()).toBe('/home');
  });

  test('a server that answers with a fault says so, and the form can be sent again', async () => {
    guest.forgive(/503|CallError/);
    await page.goto('/signin');
    await page.route('**/api/signin', (route) => route.fulfill({ status: 503, body: 'gone' }), { times: 1 });
    await fillIn('林间');
    await button('登录').click();
    await expect.poll(refusal).toContain('请稍后再试');
    await button('登录').click();
    expect(await arrival()).toBe('/home');
  });

  test('the Enter that ends a composition does not send the form', async () => {
    await page.goto('/signin');
    await fillIn('林间');
    await field('用户名').focus();
    const devtools = await guest.context.newCDPSession(page);
    await devtools.send('Input.imeSetComposition', { text: 'lin', selectionStart: 3, selectionEnd: 3 });
    const key = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 229 };
    await devtools.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...key });
    await devtools.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key });
    await devtools.send('Input.insertText', { text: '林' });
    // Safari's order: the composition ends first, its Enter follows at once.
    await field('用户名').evaluate((input) => {
      input.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true }));
      const enter = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true });
      if (input.dispatchEvent(enter)) (input as HTMLInputElement).form?.requestSubmit();
    });
    // Answered after anything the form would have sent.
    await page.evaluate(() => fetch('/api/tag/alltags', { method: 'POST' }));
    expect(calls('/api/signin')).toBe(0);
  });

  test('a password manager finds its fields, and the password can be looked at', async () => {
    await page.goto('/signin');
    await field('用户名').waitFor();
    const attributes = (label: string) =>
      field(label).evaluate((input: HTMLInputElement) => [input.name, input.autocomplete, input.type]);
    expect(await attributes('用户名')).toEqual(['username', 'username', 'text']);
    expect(await attributes('密码')).toEqual(['password', 'current-password', 'password']);
    await field('密码').fill('secret words');
    await button('显示密码').click();
    expect(await attributes('密码')).toEqual(['password', 'current-password', 'text']);
    await button('隐藏密码').click();
    expect(await attributes('密码')).toEqual(['password', 'current-password', 'password']);
    expect(await field('密码').inputValue()).toBe('secret words');
  });

  test('what a password manager fills in without a key is sent', async () => {
    await page.goto('/signin');
    await field('用户名').waitFor();
    const values = { username: '林间', password: PASSWORD };
    await page.locator('form').evaluate((form: HTMLFormElement, filled) => {
      for (const [name, value] of Object.entries(filled))
        (form.elements.namedItem(name) as HTMLInputElement).value = value;
    }, values);
    await button('登录').click();
    expect(await arrival()).toBe('/home');
  });

  test('a password never stands in an address', async () => {
    await page.goto('/signin');
    await fillIn('林间');
    // As if our script had died: the browser sends the form by itself, and pages take no forms.
    guest.forgive(/405/);
    await page.locator('form').evaluate((form: HTMLFormElement) => form.submit());
    await page.getByText('页面只能浏览').waitFor();
    await page.goto('/signin');
    await fillIn('林间');
    await button('登录').click();
    expect(await arrival()).toBe('/home');
    expect(asked.filter((url) => /horse|password|%E6%9E%97%E9%97%B4.*signin/.test(url))).toEqual([]);
  });

  test('a browser that keeps no cookies is told so, once and clearly', async () => {
    await page.addInitScript(() =>
      Object.defineProperty(Navigator.prototype, 'cookieEnabled', { get: () => false }),
    );
    await page.goto('/signin');
    await expect.poll(refusal).toContain('允许 Cookie');
    await fillIn('林间');
    await button('登录').click();
    await expect.poll(refusal).toContain('允许 Cookie');
    expect(await here()).toBe('/signin');
    expect(calls('/api/signin')).toBe(0);
  });

  test('a browser that forgets cookies at once is told so after the sign-in', async () => {
    await page.addInitScript(() =>
      Object.defineProperty(Document.prototype, 'cookie', {
        get: () => '',
        set() {
          // Forgotten.
        },
      }),
    );
    await page.goto('/signin');
    await fillIn('林间');
    await button('登录').click();
    await expect.poll(refusal).toContain('允许 Cookie');
    expect(await here()).toBe('/signin');
  });
});

describe('while somebody guesses at an account', () => {
  let limited: Site;
  beforeAll(async () => {
    limited = await openSite({ RATE_LIMIT: 'on', TRUST_PROXY: '1' });
    await limited.join('林间');
  });
  afterAll(() => limited?.close());

  // Through a front all come from one address.
  test.skipIf(process.env['TEST_FRONT'])(
    'a browser that has signed in before is let in, a new one is told how long to wait',
    async () => {
      const [owner, stranger] = [await visit(browser, limited), await visit(browser, limited)];
      stranger.forgive(/429/);
      const signIn = async ({ page: form }: Visit, address: string) => {
        await form.setExtraHTTPHeaders({ 'X-Forwarded-For': address });
        await form.goto('/signin');
        await form.getByLabel('用户名').fill('林间');
        await form.getByLabel('密码', { exact: true }).fill(PASSWORD);
        await form.getByRole('button', { name: '登录', exact: true }).click();
      };
      const arrives = ({ page: form }: Visit) => form.waitForURL((url) => url.pathname === '/home');
      await signIn(owner, '198.51.100.1');
      await arrives(owner);
      for (const name of ['user', 'token', 'refreshToken']) await owner.context.clearCookies({ name });

      const guess = (address: string) =>
        limited.app.services.auth.signin({ username: '林间', password: 'wrong horse' }, { address });
      for (let index = 0; index < 20; index++) await guess(`192.0.2.${index}`).catch(() => {});

      await signIn(stranger, '203.0.113.9');
      const sentence = stranger.page.locator('form').getByRole('alert');
      await expect
        .poll(() => sentence.innerText())
        .toBe('该账号近来有多次密码错误，从新的设备登录请等待 5 分钟后再试；登录过该账号的设备不受影响');
      expect(await stranger.page.getByLabel('密码', { exact: true }).inputValue()).toBe(PASSWORD);
      await signIn(owner, '203.0.113.77');
      await arrives(owner);
      for (const one of [owner, stranger]) await one.end();
    },
  );
});
