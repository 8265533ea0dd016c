import { describe, expect } from 'vitest';
import { violationsOf } from './axe.ts';
import { AUTHOR, test } from './fixtures.ts';
import { looks } from './looks.ts';
import { sizes } from './visit.ts';

describe.each(looks(Object.entries(sizes)))('webhooks of an author (%s)', (_, viewport) => {
  test('are added in the settings, and their log shows what was sent', async ({ visit, site, author }) => {
    const { page } = await visit({ username: AUTHOR, viewport });
    await page.goto('/user/settings');
    const section = page.getByRole('region', { name: '通知地址' });
    await section.getByRole('button', { name: '添加' }).click();
    const form = section.getByRole('form', { name: '添加通知地址' });
    await form.getByLabel('名称').fill('静态站');
    await form.getByLabel('格式').selectOption('通用 JSON（Standard Webhooks 签名）');
    await form.getByRole('textbox', { name: '地址' }).fill('https://hooks.example.com/secret-part');
    await form.getByRole('button', { name: '生成一个密钥' }).click();
    const secret = await form.getByRole('textbox', { name: '密钥' }).inputValue();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
    expect(await form.getByLabel('账号注册').count()).toBe(0);
    await form.getByRole('button', { name: '保存' }).click();
    await section.getByText('https://hooks.example.com · 文章公开').waitFor();
    expect(await page.content()).not.toContain('secret-part');
    expect(await page.content()).not.toContain(secret);

    await site.write(author, { title: '鹿柴', content: '空山' });
    await section.getByRole('button', { name: '发给「静态站」的记录' }).click();
    await section.getByText('文章公开 · 等着发').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(viewport.width);

    await section.getByRole('button', { name: '删除「静态站」' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: '删除' }).click();
    await section.getByText('还没有通知地址').waitFor();
  });
});
