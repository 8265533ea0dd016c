import sharp from 'sharp';
import { describe, expect } from 'vitest';
import { ANNOUNCED, CHANGED, fieldsOf, LOOKS, look, test, TEXT } from './console-stage.ts';
import { looks } from './looks.ts';

describe.each(looks(LOOKS))('the console (%s, %s)', (size, theme) => {
  const fields = fieldsOf(`山居秋暝 ${size} ${theme}`);

  test('announces that an article changed after staff had read it, and marks what changed', async ({
    site,
    writer,
    open,
  }) => {
    const { articles } = site.app.services;
    const { id } = await articles.create(fields, writer);
    const page = await open('/admin/held?kind=article', [size, theme]);
    const item = page.getByRole('article', { name: `文章《${fields.title}》` });
    await item.getByRole('button', { name: /^看全文/ }).click();
    const dialog = page.getByRole('dialog', { name: '文章全文' });
    await dialog.getByText('清泉石上流').first().waitFor();
    expect(await dialog.getByText(ANNOUNCED).count()).toBe(0);
    await page.keyboard.press('Escape');

    const content = TEXT.replace('空山新雨后', '本店新茶到了');
    await articles.edit({ ...fields, id, content, source: 'https://shop.example/tea' }, writer);
    await item.getByRole('button', { name: /^通过/ }).click();
    await dialog.getByText(ANNOUNCED).waitFor();
    expect(await articles.findPublic(id)).toBeNull();
    const changes = dialog.getByRole('region', { name: '你看过之后的改动' });
    expect(await changes.locator('ins').allTextContents()).toEqual([
      'https://shop.example/tea',
      '本店新茶到了',
    ]);
    await look(page);
    await page.keyboard.press('Escape');

    // Staff has now read the current text, and decides again.
    await item.getByRole('button', { name: /^通过/ }).click();
    await page.getByText('已通过 1 项').waitFor();
    await item.waitFor({ state: 'detached' });
    expect((await articles.findPublic(id))?.content).toBe(content);
  });

  test('shows each field of a pending change before and after', async ({ site, writer, open }) => {
    const { articles, files, series, takedowns } = site.app.services;
    const { id } = await articles.create(fields, writer);
    await takedowns.decide('article', { ids: [id], action: 'restore', note: '' }, null);
    const photo = sharp({ create: { width: 640, height: 480, channels: 3, background: '#b5452f' } });
    const cover = (await files.saveImage(writer, await photo.png().toBuffer())).url;
    const { _id } = await series.create({ title: '辋川集', description: '', cover: '' }, writer);
    const changed = {
      description: '欢迎选购',
      cover,
      series: _id,
      source: 'https://shop.example/tea',
      licence: 'cc-by-4.0',
      tags: ['诗', '茶'],
    };
    await articles.edit({ ...fields, id, content: `${TEXT}欢迎`, ...changed }, writer);
    const page = await open('/admin/held?kind=change', [size, theme]);
    const item = page.getByRole('article', { name: `文章《${fields.title}》` });
    await item.getByRole('button', { name: /^看全文/ }).click();
    const change = page.getByRole('region', { name: '批准后的改动' });
    await change.waitFor();
    expect(await change.locator('dl > div').allInnerTexts()).toEqual([
      '标签：诗 → 诗、茶',
      '摘要：没有 → 欢迎选购',
      '封面：没有 → ',
      '专栏：没有 → 辋川集',
      '原文地址：没有 → https://shop.example/tea',
      expect.stringMatching(/^许可协议：没有 → .*署名/),
    ]);
    expect(await change.getByRole('img', { name: '封面' }).getAttribute('src')).toBe(cover);
    await look(page);
    await page.keyboard.press('Escape');
    await item.getByRole('button', { name: /^通过/ }).click();
    await page.getByText('已通过 1 项改动').waitFor();
    expect(await articles.findPublic(id)).toMatchObject(changed);
  });

  test('leaves alone, of several comments, the one that changed, and marks it', async ({
    site,
    author,
    writer,
    open,
  }) => {
    const { comments, takedowns } = site.app.services;
    const place = await site.write(author, { title: `鹿柴 ${size} ${theme}` });
    await takedowns.decide('article', { ids: [place], action: 'restore', note: '' }, null);
    const say = async (content: string) =>
      (
        await comments.create(
          { page_id: place, content, reply_user: '', reply_content: '', request_id: '' },
          writer,
        )
      )._id;
    const words = [`空山不见人 ${size} ${theme}`, `但闻人语响 ${size} ${theme}`];
    const [first] = [await say(words[0] ?? ''), await say(words[1] ?? '')];
    const page = await open('/admin/held?kind=comment', [size, theme]);
    for (const text of words)
      await page.getByRole('listitem').filter({ hasText: text }).getByRole('checkbox').check();
    await comments.edit({ id: first, content: `本店新茶 ${size} ${theme}` }, writer);
    await page.getByRole('button', { name: '通过：选中的各项', exact: true }).click();
    await page.getByText('已通过 1 项；1 项在你看过之后有变化，没有处理').waitFor();
    const left = page.getByRole('listitem').filter({ hasText: `本店新茶 ${size} ${theme}` });
    await left.getByText(CHANGED).waitFor();
    await left.getByRole('button', { name: /^看全文/ }).click();
    const changes = page.getByRole('dialog').getByRole('region', { name: '你看过之后的改动' });
    await changes.waitFor();
    expect(await changes.locator('ins').allTextContents()).toEqual(['本店新茶']);
    await page.keyboard.press('Escape');
    await left.getByText(CHANGED).waitFor({ state: 'detached' });
    await left.getByRole('button', { name: /^通过/ }).click();
    await left.waitFor({ state: 'detached' });
  });
});
