import { expect } from 'vitest';
import { expectPage } from './expect-page.ts';
import { test } from './fixtures.ts';
import { overflowOf } from './sign-form.ts';

test('a user sets display name, website and links in the settings, and readers see them', async ({
  site,
  visit,
}) => {
  const { viewer } = await site.join(`mojie${Math.random().toString(36).slice(2, 8)}`);
  const { page } = await visit({ username: viewer.username });
  await page.goto('/user/settings');
  const section = page.getByRole('region', { name: '公开资料', exact: true });
  await expectPage(section.getByText('还没有显示名')).toBeVisible();
  await expectPage(section.getByText('还没有网站和链接。')).toBeVisible();
  await section.getByRole('button', { name: '修改公开资料' }).click();
  const name = section.getByLabel('显示名');
  await expectPage(name).toBeFocused();
  await name.fill('站长');
  await section.getByLabel('个人网站').fill('javascript:alert(1)');
  await section.getByLabel('链接').fill('https://a.example/我\nhttps://b.example');
  await section.getByRole('button', { name: '保存' }).click();
  await expectPage(section.getByText('网址应以 http:// 或 https:// 开头')).toBeVisible();
  await section.getByLabel('个人网站').fill('https://www.site.example');
  await section.getByLabel('个人网站').press('Enter');
  await expectPage(section.getByText('这个显示名由本站保留')).toBeVisible();
  await expectPage(name).toBeFocused();
  await name.fill('摩诘 居士');
  await section.getByRole('button', { name: '保存' }).click();
  await expectPage(section.getByText('读者看到的名字是')).toBeVisible();
  await expectPage(section.getByRole('listitem')).toHaveCount(3);
  expect(await overflowOf(page)).toBe(0);

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
