import { describe, expect } from 'vitest';
import { violationsOf } from './axe.ts';
import { expectPage } from './expect-page.ts';
import { test } from './fixtures.ts';
import { looks } from './looks.ts';
import { PASSWORD } from './sign-form.ts';
import { sizes } from './visit.ts';

const views = [
  ['phone', 'dark'],
  ['desktop', 'light'],
] as const;

describe.each(looks(views))('access tokens in the settings (%s, %s)', (size, theme) => {
  test('are created once, shown once, copied, used and revoked', async ({ site, visit }) => {
    const { viewer } = await site.join(`令牌${Math.random().toString(36).slice(2, 8)}`);
    const { context, page } = await visit({ username: viewer.username, viewport: sizes[size] });
    await page.addInitScript((name) => localStorage.setItem('theme', name), theme);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('/user/settings');
    const section = page.getByRole('region', { name: '访问令牌', exact: true });
    await expectPage(section.getByText('现在没有访问令牌。')).toBeVisible();

    // By keyboard: opening the form moves the focus into it, Escape of nothing leaves it open.
    await section.getByRole('button', { name: '新建访问令牌' }).press('Enter');
    const form = section.getByRole('form', { name: '新建访问令牌' });
    const name = form.getByLabel('名称', { exact: true });
    await expectPage(name).toBeFocused();
    await page.keyboard.type('笔记同步');
    await expectPage(form.getByRole('checkbox', { name: '审核内容' })).toHaveCount(0);
    await form.getByLabel('当前密码', { exact: true }).fill(PASSWORD);
    await form.getByRole('button', { name: '新建', exact: true }).click();
    await expectPage(form.getByRole('alert').filter({ hasText: '请选择权限' })).toBeVisible();
    const reads = form.getByRole('checkbox', { name: '读自己的文章' });
    await expectPage(reads).toBeFocused();
    await page.keyboard.press('Space');
    await expectPage(reads).toBeChecked();
    await form.getByLabel('有效期').selectOption('7 天');
    expect(await violationsOf(page)).toEqual([]);
    await form.getByRole('button', { name: '新建', exact: true }).dblclick();

    const box = section.getByRole('group', { name: '新的访问令牌' });
    await expectPage(box).toBeFocused();
    const token = /moye_pat_\w{36}/.exec(await box.innerText())?.[0] ?? '';
    expect(token).not.toBe('');
    const rows = section.getByRole('list', { name: '访问令牌' }).getByRole('listitem');
    await expectPage(rows).toHaveCount(1);
    await expectPage(rows).toContainText('还没有用过');
    expect(await violationsOf(page)).toEqual([]);
    await box.getByRole('button', { name: '复制' }).click();
    await page.getByText('访问令牌已复制').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(sizes[size].width);
    await box.getByRole('button', { name: '已经存好' }).click();
    await expectPage(section.getByText(token)).toHaveCount(0);

    const ask = () =>
      fetch(`${site.url}/api/page/limitpagelist`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}` },
      });
    expect((await ask()).status).toBe(200);
    await page.reload();
    await expectPage(rows).toContainText('来自 127.0.0.1');
    expect(await page.content()).not.toContain(token);
    await section.getByRole('button', { name: '撤销访问令牌「笔记同步」' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: '撤销' }).click();
    await expectPage(section.getByText('现在没有访问令牌。')).toBeVisible();
    expect((await ask()).status).toBe(401);
  });
});
