import { expect } from 'vitest';
import { violationsOf } from './axe.ts';
import { AUTHOR, test as base } from './fixtures.ts';
import { sizes } from './visit.ts';

/** `AUTHOR` is the operator. */
const test = base.extend('stage', { scope: 'file', auto: true }, async ({ site, author }) => {
  await site.app.services.roles.set(author.username, 'operator', null);
});

test('an operator enables invitations, and a visitor signs up with the link', async ({ visit, site }) => {
  const { page } = await visit({ username: AUTHOR, viewport: sizes.phone });
  await page.goto('/admin/signup');
  await page.getByLabel('谁可以注册').selectOption('凭邀请码注册');
  await page.getByRole('button', { name: '保存' }).click();
  await page.getByText('已保存').waitFor();
  await page.getByLabel('备注（可不填）').fill('给老友');
  await page.getByRole('button', { name: '做一个邀请码' }).click();
  const row = page.getByRole('listitem').filter({ hasText: '给老友' });
  await row.getByText('用了 0/1 次').waitFor();
  expect(await violationsOf(page, { include: 'main' })).toEqual([]);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(sizes.phone.width);

  const [invitation] = await site.app.services.invitations.list();
  const guest = (await visit()).page;
  await guest.goto(`/signup?invite=${invitation?.code}`);
  await guest.getByLabel('邀请码').and(guest.locator('[required]')).waitFor();
  expect(await guest.getByLabel('邀请码').inputValue()).toBe(invitation?.code);
  await guest.getByLabel('用户名').fill('老友');
  await guest.getByLabel('密码', { exact: true }).fill('松风吹解带山月照');
  await guest.getByLabel('确认密码', { exact: true }).fill('松风吹解带山月照');
  await guest.getByRole('button', { name: '注册', exact: true }).click();
  await guest.waitForURL('**/home');
  await page.reload();
  await row.getByText('来的是 老友').waitFor();

  await page.getByLabel('谁可以注册').selectOption('不开放注册');
  await page.getByRole('button', { name: '保存' }).click();
  await page.getByText('已保存').waitFor();
  const late = (await visit()).page;
  await late.goto('/signup');
  await late.getByText('本站暂不开放注册。').waitFor();
});
