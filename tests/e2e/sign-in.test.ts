import type { Page } from '@playwright/test';
import { describe, expect } from 'vitest';
import { cookieNames, PASSWORD, test as base } from './sign-form.ts';
import type { Visit } from './visit.ts';

/** A second site with rate limits. */
const test = base.extend('limited', { scope: 'file' }, async ({ startSite }) => {
  const limited = await startSite({ RATE_LIMIT: 'on', TRUST_PROXY: '1' });
  await limited.join('林间');
  return limited;
});

const here = (page: Page) => page.evaluate(() => location.pathname + location.search + location.hash);

describe('signing in', () => {
  test(
    'leads back to where the visitor was, with query and fragment, and keeps the sign-in in the cookies',
    { tags: ['long'] },
    async ({ guest, page, form }) => {
      await page.goto(`/signin?redirect=${encodeURIComponent('/tag/list?page=1#UI-main')}`);
      expect(await page.title()).toBe('登录 - 墨页');
      await form.fillIn('林间');
      await form.button('登录').click();
      expect(await form.arrival()).toBe('/tag/list?page=1#UI-main');
      expect(await cookieNames(guest)).toEqual(['moye-device', 'refreshToken', 'token', 'user']);
      // The form has been removed from the history, so going back does not return to it.
      await page.goBack().catch(() => null);
      expect(page.url()).not.toContain('/signin');
    },
  );

  test(
    'without an address to go back to, leads to the list; Enter in the password is enough',
    { tags: ['long'] },
    async ({ page, form }) => {
      await page.goto('/signin');
      await form.fillIn('林间');
      await form.field('密码').press('Enter');
      expect(await form.arrival()).toBe('/home');
    },
  );

  test(
    'shows the name as registered, whatever case and width it was typed in',
    { tags: ['long'] },
    async ({ guest, page, form }) => {
      await page.goto('/signin');
      await form.fillIn(' ｉｎＫ ');
      await form.button('登录').click();
      expect(await form.arrival()).toBe('/home');
      const user = (await guest.context.cookies()).find(({ name }) => name === 'user');
      expect(decodeURIComponent(user?.value ?? '')).toBe('Ink');
    },
  );

  test(
    'a wrong password and an unknown name get the same message, and the input stays',
    { tags: ['long'] },
    async ({ page, form }) => {
      await page.goto('/signin');
      for (const name of ['林间', '没有这个人']) {
        await form.fillIn(name, 'wrong horse');
        await form.button('登录').click();
        await expect.poll(form.refusal).toBe('用户名或密码错误');
        expect(await form.field('用户名').inputValue()).toBe(name);
        expect(await form.field('密码').inputValue()).toBe('wrong horse');
        await form.field('用户名').fill('x');
      }
      await form.fillIn('林间');
      await form.button('登录').click();
      expect(await form.arrival()).toBe('/home');
    },
  );

  test(
    'empty fields are marked, nothing is sent, and the first has the focus',
    { tags: ['long'] },
    async ({ page, form, calls }) => {
      await page.goto('/signin');
      await form.button('登录').click();
      await form.text('请填写用户名').waitFor();
      await form.text('请填写密码').waitFor();
      expect(await form.field('用户名').evaluate((input) => input === document.activeElement)).toBe(true);
      expect(await form.field('用户名').getAttribute('aria-invalid')).toBe('true');
      expect(calls('/api/signin')).toBe(0);
    },
  );

  test('a double click signs in once', { tags: ['long'] }, async ({ page, form, calls }) => {
    await page.goto('/signin');
    await form.fillIn('林间');
    await form.button('登录').dblclick();
    expect(await form.arrival()).toBe('/home');
    expect(calls('/api/signin')).toBe(1);
  });

  test(
    'without the network the input stays, and retrying works',
    { tags: ['long'] },
    async ({ guest, page, form }) => {
      guest.forgive(/ERR_INTERNET_DISCONNECTED|CallError/);
      await page.goto('/signin');
      await form.fillIn('林间');
      await form.hydrated();
      // The code of the field checks may not have loaded; the form must work without it.
      await guest.context.setOffline(true);
      await form.button('登录').click();
      await expect.poll(form.refusal).toBe('网络不通，请检查网络后再试');
      expect([await form.field('用户名').inputValue(), await form.field('密码').inputValue()]).toEqual([
        '林间',
        PASSWORD,
      ]);
      await guest.context.setOffline(false);
      await form.button('登录').click();
      expect(await form.arrival()).toBe('/home');
    },
  );

  test(
    'a server error is shown, and the form can be sent again',
    { tags: ['long'] },
    async ({ guest, page, form }) => {
      guest.forgive(/503|CallError/);
      await page.goto('/signin');
      await page.route('**/api/signin', (route) => route.fulfill({ status: 503, body: 'gone' }), {
        times: 1,
      });
      await form.fillIn('林间');
      await form.button('登录').click();
      await expect.poll(form.refusal).toContain('请稍后再试');
      await form.button('登录').click();
      expect(await form.arrival()).toBe('/home');
    },
  );

  test(
    'the Enter that ends a composition does not send the form',
    { tags: ['long'] },
    async ({ guest, page, form, calls }) => {
      await page.goto('/signin');
      await form.hydrated();
      await form.fillIn('林间');
      await form.field('用户名').focus();
      const devtools = await guest.context.newCDPSession(page);
      await devtools.send('Input.imeSetComposition', { text: 'lin', selectionStart: 3, selectionEnd: 3 });
      const key = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 229 };
      await devtools.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...key });
      await devtools.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key });
      await devtools.send('Input.insertText', { text: '林' });
      // Safari's event order: the composition ends first, then its Enter follows immediately.
      await form.field('用户名').evaluate((input) => {
        input.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true }));
        const enter = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true });
        if (input.dispatchEvent(enter)) (input as HTMLInputElement).form?.requestSubmit();
      });
      // This response arrives after any request that the form would have sent.
      await page.evaluate(() => fetch('/api/tag/alltags', { method: 'POST' }));
      expect(calls('/api/signin')).toBe(0);
    },
  );

  test('a password manager finds the fields, and the password can be shown', async ({ page, form }) => {
    await page.goto('/signin');
    await form.field('用户名').waitFor();
    const attributes = (label: string) =>
      form.field(label).evaluate((input: HTMLInputElement) => [input.name, input.autocomplete, input.type]);
    expect(await attributes('用户名')).toEqual(['username', 'username webauthn', 'text']);
    expect(await attributes('密码')).toEqual(['password', 'current-password', 'password']);
    await form.hydrated();
    await form.field('密码').fill('secret words');
    await form.button('显示密码').click();
    expect(await attributes('密码')).toEqual(['password', 'current-password', 'text']);
    await form.button('隐藏密码').click();
    expect(await attributes('密码')).toEqual(['password', 'current-password', 'password']);
    expect(await form.field('密码').inputValue()).toBe('secret words');
  });

  test('values filled in by a password manager are sent', { tags: ['long'] }, async ({ page, form }) => {
    await page.goto('/signin');
    await form.field('用户名').waitFor();
    const values = { username: '林间', password: PASSWORD };
    await page.locator('form').evaluate((form: HTMLFormElement, filled) => {
      for (const [name, value] of Object.entries(filled))
        (form.elements.namedItem(name) as HTMLInputElement).value = value;
    }, values);
    await form.button('登录').click();
    expect(await form.arrival()).toBe('/home');
  });

  test('a password is never in a URL', { tags: ['long'] }, async ({ guest, page, form, asked }) => {
    await page.goto('/signin');
    await form.fillIn('林间');
    // Simulates a page whose script failed: the browser submits the form itself, and pages accept no forms.
    guest.forgive(/405/);
    await page.locator('form').evaluate((form: HTMLFormElement) => form.submit());
    await page.getByText('页面只能浏览').waitFor();
    await page.goto('/signin');
    await form.fillIn('林间');
    await form.button('登录').click();
    expect(await form.arrival()).toBe('/home');
    expect(asked.filter((url) => /horse|password|%E6%9E%97%E9%97%B4.*signin/.test(url))).toEqual([]);
  });

  test(
    'a browser that stores no cookies gets one clear message',
    { tags: ['long'] },
    async ({ page, form, calls }) => {
      await page.addInitScript(() =>
        Object.defineProperty(Navigator.prototype, 'cookieEnabled', { get: () => false }),
      );
      await page.goto('/signin');
      await expect.poll(form.refusal).toContain('允许 Cookie');
      await form.fillIn('林间');
      await form.button('登录').click();
      await expect.poll(form.refusal).toContain('允许 Cookie');
      expect(await here(page)).toBe('/signin');
      expect(calls('/api/signin')).toBe(0);
    },
  );

  test('a browser that loses cookies at once gets a message after signing in', async ({ page, form }) => {
    await page.addInitScript(() =>
      Object.defineProperty(Document.prototype, 'cookie', {
        get: () => '',
        set() {
          // Discards the cookie.
        },
      }),
    );
    await page.goto('/signin');
    await form.fillIn('林间');
    await form.button('登录').click();
    await expect.poll(form.refusal).toContain('允许 Cookie');
    expect(await here(page)).toBe('/signin');
  });
});

describe('while an account is under attack', () => {
  // Behind an edge front all clients have the same address.
  test.skipIf(process.env['TEST_FRONT'])(
    'a known browser can sign in, a new one is told how long to wait',
    async ({ visit, limited }) => {
      const [owner, stranger] = [await visit({ at: limited }), await visit({ at: limited })];
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
    },
  );
});
