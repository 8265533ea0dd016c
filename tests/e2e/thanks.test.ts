import sharp from 'sharp';
import { expect } from 'vitest';
import { violationsOf } from './axe.ts';
import { expectPage } from './expect-page.ts';
import { test } from './fixtures.ts';
import { overflowOf } from './sign-form.ts';
import { sizes } from './visit.ts';

test('an author shows a picture for thanks, which readers load with the button, and takes it away', async ({
  site,
  visit,
}) => {
  const { viewer } = await site.join(`mojie${Math.random().toString(36).slice(2, 8)}`);
  const id = await site.write(viewer, { title: '山居秋暝', content: '空山新雨后，天气晚来秋。' });
  const repost = await site.write(viewer, {
    title: '鹿柴',
    content: '空山不见人，但闻人语响。',
    source: 'https://other.example/1',
  });
  const author = await visit({ username: viewer.username, viewport: sizes.phone });
  const reader = await visit({ viewport: sizes.phone });
  const button = reader.page.getByText('赞赏作者', { exact: true });
  await reader.page.goto(`/detail/${id}`);
  await expectPage(button).toHaveCount(0);

  const form = author.page.getByRole('form', { name: '编辑个人资料' });
  const edit = async () => {
    await author.page.goto(`/user/info/${viewer.username}`);
    await author.page.getByRole('button', { name: '编辑资料' }).click();
  };
  await edit();
  const buffer = await sharp({ create: { width: 600, height: 600, channels: 3, background: '#183' } })
    .png()
    .toBuffer();
  await form.getByLabel('选择赞赏码').setInputFiles({ name: '收款码.png', mimeType: 'image/png', buffer });
  await expectPage(form.getByRole('img', { name: '现在的赞赏码' })).toBeVisible();
  expect(await overflowOf(author.page)).toBe(0);
  expect(await violationsOf(author.page)).toEqual([]);
  await form.getByRole('button', { name: '保存' }).click();
  await expectPage(form).toHaveCount(0);

  const loaded: string[] = [];
  reader.page.on('request', (request) => {
    if (request.url().includes('-600x600.')) loaded.push(request.url());
  });
  await reader.page.reload();
  await button.scrollIntoViewIfNeeded();
  await reader.page.waitForLoadState('networkidle');
  expect(loaded).toEqual([]);
  await button.focus();
  await reader.page.keyboard.press('Enter');
  const picture = reader.page.getByRole('img', { name: `${viewer.username}的赞赏码` });
  await expectPage(picture).toBeVisible();
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(600);
  expect(loaded).toHaveLength(1);
  expect(await overflowOf(reader.page)).toBe(0);
  expect(await violationsOf(reader.page)).toEqual([]);
  await reader.page.emulateMedia({ media: 'print' });
  await expectPage(picture).toBeHidden();
  await reader.page.emulateMedia({ media: 'screen' });
  // The text of a repost is another author's.
  await reader.page.goto(`/detail/${repost}`);
  await expectPage(button).toHaveCount(0);

  await edit();
  await form.getByRole('button', { name: '去掉赞赏码' }).click();
  await form.getByRole('button', { name: '保存' }).click();
  await expectPage(form).toHaveCount(0);
  await reader.page.goto(`/detail/${id}`);
  await expectPage(button).toHaveCount(0);
});
