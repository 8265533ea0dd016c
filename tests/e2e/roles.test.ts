import { describe, expect } from 'vitest';
import { violationsOf } from './axe.ts';
import { test as base } from './fixtures.ts';
import { PASSWORD } from './sign-form.ts';

const test = base
  .extend('stage', { scope: 'file', auto: true }, async ({ site }) => {
    for (const name of ['老王', '候选']) await site.join(name);
  })
  .override('username', '老王');

describe('roles in the console', () => {
  test.beforeEach(async ({ site }) => {
    await site.app.services.roles.set('老王', 'operator', null);
    await site.app.services.roles.set('候选', 'author', null);
  });

  test('an operator is appointed in a dialog, with the password', { tags: ['long'] }, async ({ page }) => {
    await page.goto('/admin/users');
    await page.getByRole('button', { name: '修改 候选 的身份' }).click();
    const dialog = page.getByRole('dialog', { name: '候选 的身份' });
    await dialog.getByLabel('身份', { exact: true }).selectOption('站务');
    await dialog.getByText('你自己的密码').waitFor({ state: 'hidden' });
    await dialog.getByLabel('身份', { exact: true }).selectOption('站长');
    await dialog.getByLabel('你自己的密码', { exact: true }).fill(PASSWORD);
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: '改为站长' }).click();
    await page.getByText('候选 现在是站长').waitFor();
    await dialog.waitFor({ state: 'hidden' });
  });

  test('dismissing oneself is warned of', { tags: ['long'] }, async ({ site, guest, page }) => {
    guest.forgive(/status of 404/);
    await site.app.services.roles.set('候选', 'operator', null);
    await page.goto('/admin/users');
    await page.getByRole('button', { name: '修改 老王 的身份' }).click();
    const dialog = page.getByRole('dialog', { name: '老王 的身份' });
    await dialog.getByLabel('身份', { exact: true }).selectOption('作者');
    await dialog.getByRole('alert').filter({ hasText: '这是你自己的账号' }).waitFor();
    await dialog.getByLabel('你自己的密码', { exact: true }).fill(PASSWORD);
    await dialog.getByRole('button', { name: '改为作者' }).click();
    await page.waitForURL('**/home');
    await page.goto('/admin');
    await page.waitForURL('**/404');
  });
});
