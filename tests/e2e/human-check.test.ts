import type { Page } from '@playwright/test';
import { expect } from 'vitest';
import { expectPage } from './expect-page.ts';
import { violationsOf } from './axe.ts';
import { AUTHOR, test as base } from './fixtures.ts';
import { sizes } from './visit.ts';

const PASSWORD = '松风吹解带山月照';

/** `AUTHOR` is the operator. */
const test = base.extend('stage', { scope: 'file', auto: true }, async ({ site, author }) => {
  await site.app.services.roles.set(author.username, 'operator', null);
});

async function fillIn(page: Page, username: string): Promise<void> {
  await page.getByLabel('用户名').fill(username);
  await page.getByLabel('密码', { exact: true }).fill(PASSWORD);
  await page.getByLabel('确认密码', { exact: true }).fill(PASSWORD);
}
const send = (page: Page) => page.getByRole('button', { name: '注册', exact: true });

test('an operator enables it in the console; signing up needs no waiting or interaction', async ({
  visit,
}) => {
  const { page } = await visit({ username: AUTHOR, viewport: sizes.phone });
  await page.goto('/admin/signup');
  await page.getByLabel('确认不是机器人').selectOption('注册时验证');
  await page.getByRole('button', { name: '保存' }).click();
  await page.getByText('已保存').waitFor();
  expect(await violationsOf(page, { include: 'main' })).toEqual([]);

  const guest = (await visit({ viewport: sizes.phone })).page;
  const origins = new Set<string>();
  guest.on('request', (request) => origins.add(new URL(request.url()).origin));
  await guest.goto('/signup');
  const note = guest.getByRole('status').filter({ hasText: '机器人' });
  await expectPage(note).toHaveText('已确认你不是机器人');
  expect(await violationsOf(guest, { include: 'main' })).toEqual([]);
  await fillIn(guest, '新来的');
  await guest.getByLabel('确认密码', { exact: true }).press('Enter');
  await guest.waitForURL('**/home');
  expect([...origins]).toEqual([new URL(guest.url()).origin]);
});

test('without crypto.subtle the work is done by script', { tags: ['long'] }, async ({ visit, site }) => {
  await site.app.services.options.change({ humanCheck: 'signup' }, null);
  const { page } = await visit();
  // A worker of an insecure origin has no crypto.subtle; here it is removed before the worker's code runs.
  await page.route(/human-check-worker/, async (route) => {
    const response = await route.fetch();
    const body = `Object.defineProperty(Crypto.prototype, 'subtle', { value: undefined });
      delete Crypto.prototype.subtle;\n${await response.text()}`;
    await route.fulfill({ response, body });
  });
  await page.goto('/signup');
  await fillIn(page, '旧浏览器的');
  await send(page).click();
  await page.waitForURL('**/home');
});

test('a failure is reported, and the next try works', { tags: ['long'] }, async ({ visit, site }) => {
  await site.app.services.options.change({ humanCheck: 'signup' }, null);
  const { page, forgive } = await visit();
  forgive(/human-check-worker|Failed to load resource/);
  const broken = /human-check-worker/;
  await page.route(broken, (route) => route.abort());
  await page.goto('/signup');
  await expectPage(page.getByText('没能确认你不是机器人，提交时会再试一次')).toBeVisible();
  await fillIn(page, '网络不好的');
  await send(page).click();
  await expectPage(page.getByRole('alert').filter({ hasText: '没能确认你不是机器人' })).toBeVisible();
  await page.unroute(broken);
  await send(page).click();
  await page.waitForURL('**/home');
});

test('a new account’s comment is sent automatically once the work is done, which loads only then', async ({
  visit,
  site,
  author,
}) => {
  const { options } = site.app.services;
  await options.change({ humanCheck: 'off' }, null);
  await site.join('初来乍到');
  await options.change({ humanCheck: 'comments' }, null);
  const article = await site.write(author, { title: '有人评论的' });
  const { page } = await visit({ username: '初来乍到' });
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(request.url()));
  await page.goto(`/detail/${article}`);
  await page.getByRole('textbox', { name: '写评论' }).fill('第一次来，写得真好');
  expect(loaded.filter((url) => url.includes('human-check'))).toEqual([]);
  await page.getByRole('button', { name: '发表评论' }).click();
  await page.getByRole('listitem').filter({ hasText: '第一次来，写得真好' }).waitFor();
  expect(loaded.some((url) => url.includes('human-check-worker'))).toBe(true);
  expect(loaded.filter((url) => url.endsWith('/api/comment/create'))).toHaveLength(2);
});
