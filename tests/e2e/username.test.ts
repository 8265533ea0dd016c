import { expect } from 'vitest';
import { expectPage } from './expect-page.ts';
import { boxOf, touch } from './comment-stage.ts';
import { test } from './fixtures.ts';
import { overflowOf } from './sign-form.ts';

test('a user changes the username in the settings, stays signed in, and the old address redirects', async ({
  site,
  visit,
}) => {
  const old = `chuzhou${Math.random().toString(36).slice(2, 8)}`;
  const next = `zuiweng${Math.random().toString(36).slice(2, 8)}`;
  const { viewer } = await site.join(old);
  const article = await site.write(viewer, { title: '琅琊' });
  const reader = await visit();
  await reader.page.goto(`/user/info/${old}`);
  await expectPage(reader.page.getByRole('heading', { level: 1 })).toHaveText(old);

  const { page, tab } = await visit({ username: old });
  const other = await tab();
  await other.goto('/home');
  // A text that was not sent yet.
  await page.goto(`/detail/${article}`);
  await touch(page);
  await boxOf(page).fill('没有发出的评论');
  await page.goto('/user/settings');
  const section = page.getByRole('region', { name: '名字', exact: true });
  await section.getByRole('button', { name: '修改用户名' }).click();
  const name = section.getByLabel('新用户名');
  await expectPage(name).toBeFocused();
  expect(await name.inputValue()).toBe(old);
  await name.fill('站长');
  await section.getByLabel('当前密码', { exact: true }).fill('correct horse');
  await section.getByLabel('当前密码', { exact: true }).press('Enter');
  await expectPage(section.getByText('保留')).toBeVisible();
  await name.fill(next);
  expect(await overflowOf(page)).toBe(0);
  await section.getByRole('button', { name: '修改用户名' }).dblclick();
  await expectPage(page.getByText('用户名已修改')).toBeVisible();
  await expectPage(section.getByText(`读者看到的是用户名 ${next}`)).toBeVisible();

  // Each tab shows the new name and stays signed in.
  for (const each of [other, page]) {
    await expectPage(each.getByRole('button', { name: new RegExp(`^账户，.*${next}`) })).toBeVisible();
    await each.goto('/user/list');
    await expectPage(each.getByText('琅琊')).toBeVisible();
  }
  await reader.page.reload();
  await expectPage(reader.page).toHaveURL(new RegExp(`/user/info/${next}$`));
  await expectPage(reader.page.getByRole('heading', { level: 1 })).toHaveText(next);

  await page.goto(`/detail/${article}`);
  await touch(page);
  await expectPage(boxOf(page)).toHaveValue('没有发出的评论');
});
