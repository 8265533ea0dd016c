import { expect } from 'vitest';
import { test as base } from './fixtures.ts';
import { endSignIn, expireToken } from './stores-in-page.ts';

/** Browser messages about the 404 page, a response with 402, and a request without a response. */
const NOT_FOUND = /status of 404/;
const REFUSED = /status of 402/;
const NO_ANSWER = /Failed to load resource: net::ERR_/;

/** An author with an expired token. */
const test = base
  .extend('ids', { scope: 'file' }, async ({ site, author }) => {
    const other = await site.join('路人甲');
    return {
      secret: await site.write(author, { title: '只给自己看', secret: true, tags: ['只有我'] }),
      foreign: await site.write(other.viewer, { title: '别人的', secret: true, tags: ['只有他'] }),
    };
  })
  .extend('username', ({ author }) => author.username)
  .extend('guest', async ({ site, guest }) => {
    await expireToken(site, guest.context);
    return guest;
  });

test.for([
  ['a private article', (secret: string) => `/detail/${secret}?from=list#h2-1`, '只给自己看'],
  ['a tag that nobody else sees', () => '/tag/detail/只有我', '只有我'],
] as const)(
  'an author with an expired token opens %s as usual',
  async ([, pathOf, title], { site, page, ids }) => {
    await page.goto(pathOf(ids.secret));
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    expect(page.url()).toBe(new URL(pathOf(ids.secret), site.url).href);
  },
);

test('another author’s article and a missing one both lead to the 404 page after one try', async ({
  site,
  guest,
  page,
  ids,
}) => {
  guest.forgive(NOT_FOUND);
  for (const path of [`/detail/${ids.foreign}`, `/detail/${'0'.repeat(24)}`, '/tag/detail/只有他']) {
    await expireToken(site, guest.context);
    let asked = 0;
    const count = (request: { url(): string; isNavigationRequest(): boolean }) => {
      if (request.isNavigationRequest() && request.url() === new URL(path, site.url).href) asked++;
    };
    page.on('request', count);
    await page.goto(path);
    await page.waitForURL((url) => url.pathname === '/404');
    page.off('request', count);
    expect(asked).toBe(2);
  }
  const bodies = await Promise.all(
    [ids.foreign, '0'.repeat(24)].map(async (id) => {
      const response = await fetch(`${site.url}/detail/${id}`, { headers: { Cookie: 'refreshToken=a.b.c' } });
      expect(response.headers.get('Cache-Control')).toBe('private, no-store');
      return (await response.text()).replaceAll(id, 'ID').replace(/uid="\w+"/, '');
    }),
  );
  expect(bodies[0]).toBe(bodies[1]);
});

test('an author whose sign-in has ended signs in and returns to the private article', async ({
  site,
  guest,
  page,
  ids,
}) => {
  guest.forgive(REFUSED);
  await endSignIn(site, guest.context);
  await page.goto(`/detail/${ids.secret}`);
  await page.getByLabel('用户名').fill('林间');
  await page.getByLabel('密码', { exact: true }).fill('correct horse');
  await page.getByLabel('密码', { exact: true }).press('Enter');
  await page.getByRole('heading', { level: 1, name: '只给自己看' }).waitFor();
  expect(page.url()).toBe(`${site.url}/detail/${ids.secret}`);
});

test('without a response the page says so, and retries on request', async ({ site, guest, page, ids }) => {
  guest.forgive(NO_ANSWER);
  await page.route('**/api/signin/refreshToken', (route) => route.abort('internetdisconnected'));
  await page.goto(`/detail/${ids.secret}`);
  await page.getByRole('alert').filter({ hasText: '网络不通' }).waitFor();
  await page.unroute('**/api/signin/refreshToken');
  await page.getByRole('button', { name: '再试一次' }).click();
  await page.getByRole('heading', { level: 1, name: '只给自己看' }).waitFor();
  expect(page.url()).toBe(`${site.url}/detail/${ids.secret}`);
});

test('a visitor, and invalid cookies, go straight to the 404 page', async ({ site, guest, page, ids }) => {
  guest.forgive(NOT_FOUND);
  await guest.context.clearCookies();
  await page.goto(`/detail/${ids.secret}`);
  expect(new URL(page.url()).pathname).toBe('/404');
  await guest.context.addCookies([{ name: 'refreshToken', value: 'garbage', url: site.url }]);
  await page.goto(`/detail/${ids.secret}`);
  await page.waitForURL((url) => url.pathname === '/404');
});
