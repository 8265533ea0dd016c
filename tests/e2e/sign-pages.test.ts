import type { Page } from '@playwright/test';
import { describe, expect } from 'vitest';
import { looks } from './looks.ts';
import { violationsOf } from './axe.ts';
import { AUTHOR } from './fixtures.ts';
import { cookieNames, overflowOf, PASSWORD, test, tokenOf } from './sign-form.ts';
import { signInCookies, sizes } from './visit.ts';

const here = (page: Page) => page.evaluate(() => location.pathname + location.search + location.hash);

describe('?redirect= leads to no other site', () => {
  const vectors = [
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/.//evil.example',
    '/..//evil.example',
    '/%2Fevil.example',
    'javascript:alert(1)',
    'https://evil.example/',
    '\\\\evil.example',
    'evil.example',
    '/signin',
    '/signup?redirect=//evil.example',
  ];
  test.for(vectors)('%j: after signing in, the list', async (vector, { page, form }) => {
    await page.goto(`/signin?redirect=${encodeURIComponent(vector)}`);
    expect(await page.getByRole('link', { name: '注册' }).getAttribute('href')).toBe('/signup');
    await form.fillIn(AUTHOR);
    await form.button('登录').click();
    expect(await form.arrival()).toBe('/home');
  });

  test('nor does it for signed-in users', async ({ site, guest }) => {
    await guest.context.addCookies(await signInCookies(site, AUTHOR));
    for (const path of ['/signin', '/signup']) {
      for (const vector of vectors) {
        const url = `${path}?redirect=${encodeURIComponent(vector)}`;
        const { headers, status } = await guest.context.request
          .get(url, { maxRedirects: 0 })
          .then((response) => ({ headers: response.headers(), status: response.status() }));
        expect([status, headers['location']], vector).toEqual([302, '/home']);
      }
    }
  });
});

describe('the two pages', () => {
  test('lead to each other and keep where the visitor wants to go', async ({ page }) => {
    const wanted = '/detail?x=1&y=墨#h2-1';
    await page.goto(`/signin?redirect=${encodeURIComponent(wanted)}`);
    await page.getByRole('link', { name: '注册' }).click();
    await page.waitForURL(/\/signup\?/);
    const search = new URL(page.url()).searchParams.get('redirect');
    expect(decodeURI(search ?? '')).toBe(wanted);
    await page.getByRole('link', { name: '登录' }).click();
    await page.waitForURL(/\/signin\?/);
    expect(new URL(page.url()).searchParams.get('redirect')).toBe(search);
  });

  test('have no header and footer, and are kept out of search engines', async ({ page }) => {
    for (const path of ['/signin', '/signup']) {
      await page.goto(path);
      expect(await page.getByRole('banner').count()).toBe(0);
      expect(await page.getByRole('contentinfo').count()).toBe(0);
      expect(await page.locator('meta[name=robots]').getAttribute('content')).toBe('noindex');
      expect(await page.locator('h1').count()).toBe(1);
    }
  });

  test.for(looks(['phone', 'tablet', 'desktop'] as const))(
    'fit on a %s, and its button is big enough',
    async (size, { page, form }) => {
      await page.setViewportSize(sizes[size]);
      for (const [path, name] of [
        ['/signin', '登录'],
        ['/signup', '注册'],
      ] as const) {
        await page.goto(path);
        await form.button(name).click();
        await form.text('请填写用户名').waitFor();
        expect(await overflowOf(page), path).toBe(0);
        expect((await form.button(name).boundingBox())?.height).toBeGreaterThanOrEqual(44);
      }
    },
  );

  test.for(looks(['light', 'dark']))(
    'have nothing that axe finds, %s, with and without mistakes',
    async (theme, { page, form }) => {
      await page.addInitScript((name) => localStorage.setItem('theme', name), theme);
      for (const [path, name] of [
        ['/signin', '登录'],
        ['/signup', '注册'],
      ] as const) {
        await page.goto(path);
        await form.field('密码').fill('password1');
        const look = () => violationsOf(page);
        expect(await look(), path).toEqual([]);
        await form.button(name).click();
        await form.text('请填写用户名').waitFor();
        expect(await look(), path).toEqual([]);
      }
    },
  );

  test('explain without JavaScript what they need', async ({ visit }) => {
    const { page } = await visit({ javaScriptEnabled: false });
    for (const path of ['/signin', '/signup']) {
      await page.goto(path);
      expect(await page.locator('noscript p').isVisible()).toBe(true);
      expect(await page.locator('noscript').innerText()).toContain('允许本站使用 JavaScript');
      expect(await page.locator('input:visible, form:visible').count()).toBe(0);
    }
  });
});

describe('a signed-in user', () => {
  test('is redirected by the server', async ({ site, visit }) => {
    const { page } = await visit({ username: AUTHOR });
    const response = await page.goto('/signup?redirect=%2Fchangelog');
    expect(response?.url()).toBe(`${site.url}/changelog`);
    expect(response?.request().redirectedFrom()?.url()).toContain('/signup');
  });

  test('is redirected by the browser when only the access token has expired', async ({
    site,
    guest,
    page,
    form,
  }) => {
    const cookies = await signInCookies(site, AUTHOR);
    const stale = tokenOf({ name: '林间', exp: 1 });
    await guest.context.addCookies(
      cookies.map((cookie) => (cookie.name === 'token' ? { ...cookie, value: stale } : cookie)),
    );
    await page.goto('/signin?redirect=%2Fchangelog');
    expect(await form.arrival()).toBe('/changelog');
    expect((await guest.context.cookies()).find(({ name }) => name === 'token')?.value).not.toBe(stale);
  });

  test('with tokens that no longer work stays at the form and can sign in', async ({
    site,
    guest,
    page,
    form,
  }) => {
    guest.forgive(/402/);
    const names = ['token', 'refreshToken'];
    await guest.context.addCookies([
      ...names.map((name) => ({ name, value: tokenOf({ name: '林间', exp: 1 }), url: site.url })),
      { name: 'user', value: encodeURIComponent('林间'), url: site.url },
    ]);
    const refreshed = page.waitForResponse('**/api/signin/refreshToken');
    await page.goto('/signin?redirect=%2Fchangelog');
    await refreshed;
    await form.fillIn('林间');
    expect(await here(page)).toBe('/signin?redirect=%2Fchangelog');
    await form.button('登录').click();
    expect(await form.arrival()).toBe('/changelog');
  });

  test.for(['user', 'refreshToken'])(
    'without the cookie %s sees the form, not a redirect loop',
    async (lost, { site, guest, page, form }) => {
      const cookies = await signInCookies(site, AUTHOR);
      await guest.context.addCookies(cookies.filter(({ name }) => name !== lost));
      await page.goto('/signin');
      await form.fillIn('林间');
      await form.button('登录').click();
      expect(await form.arrival()).toBe('/home');
      expect(await cookieNames(guest)).toEqual(['moye-device', 'refreshToken', 'token', 'user']);
    },
  );

  test('in another tab redirects this one too', async ({ guest, page, form }) => {
    await page.goto('/signin?redirect=%2Fchangelog');
    await form.field('用户名').waitFor();
    const other = await guest.tab();
    await other.goto('/signin');
    await other.getByLabel('用户名', { exact: true }).fill('林间');
    await other.getByLabel('密码', { exact: true }).fill(PASSWORD);
    await other.getByRole('button', { name: '登录', exact: true }).click();
    expect(await form.arrival()).toBe('/changelog');
  });
});

test('a confirmed address is confirmed alone, without title and question of the form', async ({ page }) => {
  const data = { email: 'wei@mail.example' };
  await page.route('**/api/user/email/verify', (route) => route.fulfill({ json: { code: 'OK', data } }));
  await page.goto('/verify#secret');
  await page.getByRole('button', { name: '这是我的邮箱' }).click();
  await page.getByText('邮箱已确认').waitFor();
  expect((await page.locator('body').innerText()).split('\n').filter((line) => line.trim() !== '')).toEqual([
    '邮箱已确认',
    'wei@mail.example 现在是你的邮箱。',
    '回到账号设置',
  ]);
});
