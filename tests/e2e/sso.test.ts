import { expect } from 'vitest';
import { freePort } from '../free-port.ts';
import { openIdentityProvider, ssoSettings, type IdentityProvider } from '../identity-provider.ts';
import { violationsOf } from './axe.ts';
import { test as base } from './fixtures.ts';
import { PASSWORD } from './sign-form.ts';
import { sizes } from './visit.ts';

/** A site with an identity provider, which signs its current person in without asking. */
const test = base
  .extend(
    'idp',
    { scope: 'file' },
    async ({}, { onCleanup }): Promise<IdentityProvider & { port: number }> => {
      const port = await freePort();
      const idp = await openIdentityProvider(`http://127.0.0.1:${port}`);
      onCleanup(() => idp.close());
      return Object.assign(idp, { port });
    },
  )
  .extend('site', { scope: 'file' }, ({ startSite, idp }) =>
    startSite({
      PORT: String(idp.port),
      SITE_URL: `http://127.0.0.1:${idp.port}`,
      SSO_JSON: ssoSettings(idp.issuer),
    }),
  );

test.for([
  ['390', sizes.phone],
  ['1440', sizes.desktop],
] as const)(
  'a reader signs up, out and in by a provider, at %s pixels',
  async ([width, viewport], { visit, idp }) => {
    idp.person = { sub: `reader-${width}`, preferred_username: '管理员' };
    const { page } = await visit({ viewport });
    await page.goto('/signin?redirect=/user/settings');
    await page.locator('astro-island:not([ssr]) form').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      viewport.width,
    );
    await page.getByRole('link', { name: '用公司账号登录' }).click();
    await page.waitForURL('**/signup/name?**');
    expect(await page.getByLabel('用户名').inputValue()).toBe('管理员');
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      viewport.width,
    );
    await page.getByRole('button', { name: '注册' }).click();
    await page.getByRole('alert').getByText('这个用户名由本站保留，请换一个').waitFor();
    await page.getByLabel('用户名').fill(`书生${width}`);
    await page.getByRole('button', { name: '注册' }).click();
    await page.waitForURL('**/user/settings');

    const ways = page.getByRole('region', { name: '其他登录方式', exact: true });
    await ways.getByText('公司账号').waitFor();
    expect(await violationsOf(page, { include: 'main' })).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      viewport.width,
    );
    await ways.getByRole('button', { name: '解除绑定公司账号' }).click();
    await ways.getByRole('button', { name: '解除绑定', exact: true }).last().click();
    await ways.getByText('这是登录这个账号的唯一方式').waitFor();

    await page.context().clearCookies({ name: /^(?:user|token|refreshToken)$/ });
    await page.goto('/signin');
    await page.getByRole('link', { name: '用公司账号登录' }).click();
    await page.waitForURL('**/home');
    expect((await page.context().cookies()).find(({ name }) => name === 'user')?.value).toBe(
      encodeURIComponent(`书生${width}`),
    );
  },
);

test('an author links an account in the settings and unlinks it', async ({ site, visit, idp }) => {
  await site.join('林下');
  const { page } = await visit({ username: '林下' });
  idp.person = { sub: 'linked', preferred_username: 'linked' };
  await page.goto('/user/settings');
  const ways = page.getByRole('region', { name: '其他登录方式', exact: true });
  await ways.getByRole('button', { name: '绑定公司账号' }).click();
  await ways.getByLabel('当前密码', { exact: true }).fill(PASSWORD);
  await ways.getByRole('button', { name: '去绑定' }).click();
  await page.getByRole('status').getByText('已绑定公司账号，以后可以用它登录。').waitFor();
  await ways.getByRole('button', { name: '解除绑定公司账号' }).click();
  await ways.getByLabel('当前密码', { exact: true }).fill(PASSWORD);
  await ways.getByRole('button', { name: '解除绑定', exact: true }).last().click();
  await ways.getByRole('button', { name: '绑定公司账号', exact: true }).waitFor();
});
