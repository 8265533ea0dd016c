import { expect } from 'vitest';
import { violationsOf } from './axe.ts';
import { expectPage } from './expect-page.ts';
import { test } from './fixtures.ts';
import { overflowOf } from './sign-form.ts';

test('a user sets and corrects display name, website and links on the profile, and readers see them', async ({
  site,
  visit,
}) => {
  const { viewer } = await site.join(`mojie${Math.random().toString(36).slice(2, 8)}`);
  const { page } = await visit({ username: viewer.username });
  await page.goto('/user/settings');
  const names = page.getByRole('region', { name: '名字', exact: true });
  await expectPage(names.getByText('还没有显示名')).toBeVisible();
  await names.getByRole('link', { name: '个人主页' }).click();
  await page.getByRole('button', { name: '编辑资料' }).click();
  const form = page.getByRole('form', { name: '编辑个人资料' });
  const name = form.getByLabel('显示名');
  await expectPage(name).toBeFocused();
  await name.fill('站长');
  await form.getByLabel('个人网站').fill('javascript:alert(1)');
  await form.getByLabel('链接').fill('https://a.example/我\nhttps://b.example');
  await form.getByRole('button', { name: '保存' }).click();
  await expectPage(form.getByText('网址应以 http:// 或 https:// 开头')).toBeVisible();
  await form.getByLabel('个人网站').fill('https://www.site.example');
  // Unsaved texts survive a reload.
  await page.reload();
  await expectPage(form.getByLabel('链接')).toHaveValue('https://a.example/我\nhttps://b.example');
  await form.getByLabel('个人网站').press('Enter');
  await expectPage(form.getByText('这个显示名由本站保留')).toBeVisible();
  await expectPage(name).toBeFocused();
  const heading = page.getByRole('heading', { level: 1 });
  for (const typed of ['摩洁 居士', '摩诘 居士']) {
    await name.fill(typed);
    await form.getByRole('button', { name: '保存' }).click();
    await expectPage(heading).toHaveText(typed);
    await page.getByRole('button', { name: '编辑资料' }).click();
    await expectPage(name).toHaveValue(typed);
  }
  expect(await overflowOf(page)).toBe(0);
  expect(await violationsOf(page)).toEqual([]);
  await form.getByRole('button', { name: '取消' }).click();
  await expectPage(page.getByRole('list', { name: '网站和链接' }).getByRole('listitem')).toHaveCount(3);

  const reader = await visit();
  await reader.page.goto(`/user/info/${viewer.username}`);
  await expectPage(reader.page.getByRole('heading', { level: 1 })).toHaveText('摩诘 居士');
  await expectPage(reader.page.getByText(`@${viewer.username}`)).toBeVisible();
  await expectPage(reader.page.getByRole('link', { name: 'site.example' })).toHaveAttribute(
    'rel',
    'me nofollow ugc noopener',
  );
  expect(await overflowOf(reader.page)).toBe(0);
});
