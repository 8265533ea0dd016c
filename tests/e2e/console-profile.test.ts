import sharp from 'sharp';
import { describe, expect } from 'vitest';
import { looks } from './looks.ts';
import { violationsOf } from './axe.ts';
import { AUTHOR, test as base } from './fixtures.ts';
import { sizes } from './visit.ts';

const NASTY = '不堪入目';
const test = base.extend('staff', { auto: true }, async ({ site, author }) => {
  await site.app.services.roles.set(author.username, 'operator', null);
});

describe.each(
  looks([
    ['phone', 'dark'],
    ['desktop', 'light'],
  ] as const),
)('the profile of an account (%s, %s)', (size, theme) => {
  test('is removed by staff, part by part, with a reason', async ({ site, visit }) => {
    const username = `来客${size}`;
    const { viewer } = await site.join(username);
    const { users, files, series } = site.app.services;
    await users.updateBio(viewer, `${NASTY}的简介`);
    const png = await sharp({ create: { width: 640, height: 480, channels: 3, background: '#b5452f' } })
      .png()
      .toBuffer();
    const picture = await files.saveImage(viewer, png);
    await files.storeAvatar(viewer, png);
    const made = { title: `${NASTY}的专栏`, description: `${NASTY}的介绍`, cover: picture.url };
    await series.create(made, viewer);

    const opened = await visit({ username: AUTHOR, viewport: sizes[size], reducedMotion: 'reduce' });
    const { page } = opened;
    await opened.context.addInitScript((chosen) => {
      if (location.protocol === 'http:') localStorage.setItem('theme', chosen);
    }, theme);
    await page.goto(`/admin/users?q=${encodeURIComponent(username)}`);
    await page.getByRole('button', { name: `${username} 的公开资料` }).click();
    const dialog = page.getByRole('dialog', { name: `${username} 的公开资料` });
    await dialog.getByText(`${NASTY}的简介`).waitFor();
    await page.waitForLoadState('networkidle');
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);

    const remove = async (name: string) => {
      await dialog.getByRole('button', { name, exact: true }).click();
      await page.getByRole('textbox', { name: '理由' }).fill('违反社区约定');
      await page.getByRole('button', { name: '移除', exact: true }).click();
      await page.getByRole('textbox', { name: '理由' }).waitFor({ state: 'detached' });
      await dialog.waitFor();
    };
    await remove('移除个人简介');
    await dialog.getByText(`${NASTY}的简介`).waitFor({ state: 'detached' });
    await remove('移除头像');
    await remove('移除专栏介绍');
    await remove('移除第 1 张图片');
    await dialog.getByText('上传的图片', { exact: false }).waitFor({ state: 'detached' });

    await dialog.getByRole('button', { name: '移除用户名' }).click();
    await page.getByRole('textbox', { name: '理由' }).fill('违反社区约定');
    await page.getByRole('button', { name: '移除', exact: true }).click();
    await page.getByText(/已移除，现在是「用户-/).waitFor();
    expect(await users.find(username)).toBeNull();
    const shown = await users.listUsers();
    expect(shown.find(({ _id }) => _id === viewer.id)).toMatchObject({ bio: '', avatar: '' });

    await page.goto('/admin/audit');
    await page.getByText('移除图片').first().waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });
});
