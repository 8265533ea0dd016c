import type { BrowserContext, Page } from '@playwright/test';
import { describe, expect } from 'vitest';
import { test as base } from './fixtures.ts';
import type { Site } from './site.ts';
import { endSignIn, expireToken, offerStores, storesIn } from './stores-in-page.ts';
import { connected, signInCookies, type Visit } from './visit.ts';

/** Browser messages about a response with 401 or 402, and about a request without a response. */
const REFUSED = /status of 40[12]/;
const NO_ANSWER = /Failed to load resource: net::ERR_/;
/** A page whose islands make no calls. */
const QUIET_PAGE = '/changelog';
const REFRESH = '/api/signin/refreshToken';

const test = base
  .extend('username', ({ author }) => author.username)
  .extend('guest', async ({ guest }) => {
    await offerStores(guest.context);
    return guest;
  });

/** Value of a cookie in the browser. */
const cookieOf = async ({ context }: Visit, name: string) =>
  (await context.cookies()).find((cookie) => cookie.name === name)?.value;

/** Counts requests for `path` in all tabs from now on. */
function countRequests(context: BrowserContext, path: string): () => number {
  let count = 0;
  context.on('request', (request) => {
    if (new URL(request.url()).pathname === path) count++;
  });
  return () => count;
}

/** Result of a call made in the page: its data, or the kind of failure. */
const callUnread = async (page: Page): Promise<unknown> =>
  (await storesIn(page)).evaluate(({ call }) =>
    call('unreadNum', {}).catch((error: { kind: string }) => error.kind),
  );

/** Opens `path` and waits for the socket, which the header opens after its first call. */
const settle = (tab: Page, path: string) => Promise.all([connected(tab), tab.goto(path)]);

/** Three idle tabs that have not yet noticed the expired token. */
async function openTabs(site: Site, guest: Visit): Promise<Page[]> {
  const tabs = [guest.page, await guest.tab(), await guest.tab()];
  for (const tab of tabs) {
    await settle(tab, QUIET_PAGE);
    await storesIn(tab);
  }
  await expireToken(site, guest.context);
  return tabs;
}

describe('an expired token during use', () => {
  const callTenTimes = async (tab: Page) =>
    (await storesIn(tab)).evaluate(({ call }) =>
      Promise.all(Array.from({ length: 10 }, () => call('unreadNum', {}))),
    );

  test(
    'is replaced once for ten calls in each of three tabs, and the reader notices nothing',
    { tags: ['long'] },
    async ({ site, guest }) => {
      const tabs = await openTabs(site, guest);
      const refreshes = countRequests(guest.context, REFRESH);
      const former = await cookieOf(guest, 'refreshToken');
      const answers = await Promise.all(tabs.map(callTenTimes));
      expect(answers.flat()).toEqual(Array(30).fill(0));
      expect(refreshes()).toBe(1);
      expect(await cookieOf(guest, 'refreshToken')).not.toBe(former);
      for (const tab of tabs) expect(new URL(tab.url()).pathname).toBe(QUIET_PAGE);
    },
  );

  test(
    'is replaced once also when only the server knows that it has expired',
    { tags: ['long'] },
    async ({ site, guest }) => {
      guest.forgive(REFUSED);
      const tabs = await openTabs(site, guest);
      for (const tab of tabs) await tab.clock.setFixedTime(new Date('2020-01-01T00:00:00Z'));
      const refreshes = countRequests(guest.context, REFRESH);
      const unanswered: string[] = [];
      guest.context.on('response', (response) => {
        if (response.status() === 401) unanswered.push(response.url());
      });
      expect((await Promise.all(tabs.map(callTenTimes))).flat()).toEqual(Array(30).fill(0));
      expect(unanswered.length).toBeGreaterThan(0);
      expect(refreshes()).toBe(1);
    },
  );

  test(
    'keeps the sign-in when the network is down, and is replaced when it is back',
    { tags: ['long'] },
    async ({ site, guest, page }) => {
      guest.forgive(NO_ANSWER);
      await openTabs(site, guest);
      await guest.context.setOffline(true);
      expect(await callUnread(page)).toBe('unreachable');
      expect(await cookieOf(guest, 'user')).toBeDefined();
      expect(new URL(page.url()).pathname).toBe(QUIET_PAGE);
      await guest.context.setOffline(false);
      expect(await callUnread(page)).toBe(0);
    },
  );

  test(
    'whose sign-in has ended leads to the sign-in page once, and from there back to the same place',
    { tags: ['long'] },
    async ({ site, guest, page }) => {
      const here = `${QUIET_PAGE}?a=1&b=%E4%BA%8C#${encodeURIComponent('一')}`;
      guest.forgive(REFUSED);
      await settle(page, here);
      await endSignIn(site, guest.context);
      await expireToken(site, guest.context);
      const stores = await storesIn(page);
      const refreshes = countRequests(guest.context, REFRESH);
      const visits = countRequests(guest.context, '/signin');
      // All at the same moment, because a navigation by one call would abort the others.
      await stores.evaluate(({ call }) => {
        for (let each = 0; each < 10; each++)
          setTimeout(() => void call('unreadNum', {}).catch(() => undefined), 50);
      });
      await page.getByLabel('用户名').fill('林间');
      expect([refreshes(), visits()]).toEqual([1, 1]);
      for (const name of ['user', 'token', 'refreshToken'])
        expect(await cookieOf(guest, name)).toBeUndefined();
      await page.getByLabel('密码', { exact: true }).fill('correct horse');
      await page.getByLabel('密码', { exact: true }).press('Enter');
      await expect.poll(() => page.url()).toBe(site.url + here);
      await page.waitForLoadState();
      expect(await callUnread(page)).toBe(0);
    },
  );
});

test(
  'an ended sign-in is reported on a public page, once, with a link to sign in',
  { tags: ['long'] },
  async ({ site, guest, page }) => {
    guest.forgive(REFUSED);
    await endSignIn(site, guest.context);
    await expireToken(site, guest.context);
    await page.goto('/home');
    const notice = page.getByText('登录已过期，现在是以访客身份浏览');
    await notice.waitFor();
    await signInLink(page).waitFor();
    expect(await notice.count()).toBe(1);
    await page.getByRole('button', { name: '重新登录' }).click();
    await page.waitForURL('**/signin?redirect=%2Fhome');
    await page.goto('/tag/list');
    await page.getByRole('heading', { name: '标签' }).waitFor();
    expect(await notice.count()).toBe(0);
    await page.goto('/write');
    await page.getByText('登录后就可以写文章。').waitFor();
  },
);

const sessionIn = async (page: Page) => (await storesIn(page)).evaluate(({ $session }) => $session.get());
/** Sign-in link for visitors. */
const signInLink = (page: Page) => page.getByRole('banner').getByRole('link', { name: '登录' });

describe('several tabs', () => {
  test('follow a sign-out in one of them, and a sign-in', async ({ site, guest, page }) => {
    // Pending background calls may fail when the sign-in ends.
    guest.forgive(/402/);
    const [here, there] = [page, await guest.tab()];
    for (const tab of [here, there]) {
      await tab.goto(QUIET_PAGE);
      await signInLink(tab).waitFor({ state: 'hidden' });
    }
    await (await storesIn(here)).evaluate(({ signOut }) => signOut());
    for (const tab of [here, there]) await signInLink(tab).waitFor();
    for (const name of ['user', 'token', 'refreshToken']) expect(await cookieOf(guest, name)).toBeUndefined();

    await here.goto(`/signin?redirect=${QUIET_PAGE}`);
    await here.getByLabel('用户名').fill('林间');
    await here.getByLabel('密码', { exact: true }).fill('correct horse');
    await here.getByLabel('密码', { exact: true }).press('Enter');
    await expect.poll(() => here.url()).toBe(site.url + QUIET_PAGE);
    for (const tab of [here, there]) await signInLink(tab).waitFor({ state: 'hidden' });
    const kept = (await guest.context.cookies(site.url)).filter(({ name }) =>
      /^(user|token|refreshToken)$/.test(name),
    );
    expect(kept.map(({ name }) => name).toSorted()).toEqual(['refreshToken', 'token', 'user']);
    for (const { sameSite, path, httpOnly } of kept)
      expect([sameSite, path, httpOnly]).toEqual(['Lax', '/', false]);
  });

  test(
    'signing out ends the sign-in on the server too, and works without a network',
    { tags: ['long'] },
    async ({ site, guest, page }) => {
      guest.forgive(NO_ANSWER);
      // Pending background calls may fail when the sign-in ends.
      guest.forgive(/402/);
      await settle(page, QUIET_PAGE);
      const token = await cookieOf(guest, 'token');
      const asViewer = () => site.app.services.auth.viewerOf(`Beare ${token}`);
      expect((await asViewer()).viewer).not.toBeNull();
      const stores = await storesIn(page);
      await stores.evaluate(({ signOut }) => signOut());
      expect((await asViewer()).viewer).toBeNull();

      await guest.context.addCookies(await signInCookies(site, '林间'));
      await guest.context.setOffline(true);
      await stores.evaluate(({ signOut }) => signOut());
      expect(await cookieOf(guest, 'user')).toBeUndefined();
      await guest.context.setOffline(false);
    },
  );
});

describe('modified cookies', () => {
  test.for<[what: string, changed: Record<string, string | undefined>]>([
    ['without a name', { user: undefined }],
    ['with an empty name', { user: '%20' }],
    ['with somebody else’s name', { user: encodeURIComponent('路人甲') }],
    ['with a name that is no UTF-8', { user: '%E7%BA' }],
    ['without a token', { token: undefined }],
    ['with a token that is none', { token: 'garbage' }],
    ['with a token of three words', { token: 'a.b.c' }],
    ['with markup for a token', { token: '%3Cscript%3Ealert(1)%3C/script%3E' }],
    ['without a refresh token', { refreshToken: undefined }],
    ['with a refresh token that is none', { refreshToken: '{}' }],
  ])('%s mean a visitor, and no page breaks', async ([, changed], { site, guest, page }) => {
    for (const [name, value] of Object.entries(changed)) {
      await guest.context.clearCookies({ name });
      if (value !== undefined)
        await guest.context.addCookies([{ name, value, url: site.url, sameSite: 'Lax' }]);
    }
    expect((await page.goto('/home'))?.status()).toBe(200);
    await page.waitForLoadState('networkidle');
    expect(new URL(page.url()).pathname).toBe('/home');
    await signInLink(page).waitFor();
    expect(await sessionIn(page)).toBeNull();
  });

  test(
    'with the name in another case still belong to the owner',
    { tags: ['long'] },
    async ({ site, guest, page }) => {
      await site.join('Forest');
      await guest.context.addCookies(await signInCookies(site, 'Forest'));
      await guest.context.addCookies([{ name: 'user', value: 'FOREST', url: site.url }]);
      await page.goto(QUIET_PAGE);
      expect(await sessionIn(page)).toEqual({ username: 'Forest' });
    },
  );
});
