import { describe, expect } from 'vitest';
import { ANNOUNCED, CHANGED, fieldsOf, LOOKS, look, test, TEXT } from './console-stage.ts';
import { looks } from './looks.ts';

/** Has the length of the text that it replaces, so that excerpts end at the same place. */
const SPAM = '本店来新茶';

describe.each(looks(LOOKS))('the reader of the console (%s, %s)', (size, theme) => {
  const looked = [size, theme] as const;
  const fields = fieldsOf(`鸟鸣涧 ${size} ${theme}`);
  const content = TEXT.replace('空山新雨后', SPAM);

  test('has the decisions of the list', async ({ site, writer, open }) => {
    const { articles } = site.app.services;
    const [approved, refused] = [fieldsOf(`${fields.title}，通过`), fieldsOf(`${fields.title}，拒绝`)];
    const { id } = await articles.create(approved, writer);
    const { id: other } = await articles.create(refused, writer);
    const page = await open('/admin/held?kind=article', looked);
    const dialog = page.getByRole('dialog', { name: '文章全文' });
    const read = async ({ title }: typeof fields) => {
      const item = page.getByRole('article', { name: `文章《${title}》` });
      await item.getByRole('button', { name: /^看全文/ }).click();
      await dialog.getByRole('region', { name: '正文' }).waitFor();
    };
    await read(approved);
    await look(page);
    await dialog.getByRole('button', { name: /^通过/ }).click();
    await page.getByText('已通过 1 项').waitFor();
    await dialog.waitFor({ state: 'detached' });
    expect(await articles.findPublic(id)).not.toBeNull();

    await read(refused);
    await dialog.getByRole('button', { name: /^不予通过/ }).click();
    await dialog.getByRole('textbox', { name: '理由，作者会看到' }).fill('不要广告');
    await look(page);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    expect((await site.app.services.reviews.ofAuthor(other, writer)).note).toContain('不要广告');
  });

  test('marks what changed in the part of an article that the list showed', async ({
    site,
    writer,
    open,
  }) => {
    const { articles } = site.app.services;
    const { id } = await articles.create(fields, writer);
    const page = await open('/admin/held?kind=article', looked);
    const item = page.getByRole('article', { name: `文章《${fields.title}》` });
    await item.waitFor();
    const title = `卖茶 ${size} ${theme}`;
    await articles.edit({ ...fields, id, title, content }, writer);
    await page
      .getByRole('button', { name: /^通过：路人甲的文章/ })
      .last()
      .click();
    const dialog = page.getByRole('dialog', { name: '文章全文' });
    await dialog.getByText(ANNOUNCED).waitFor();
    await dialog.getByText('你还没有看过全文').waitFor();
    const changes = dialog.getByRole('region', { name: '你看过之后的改动' });
    expect(await changes.locator('ins').allTextContents()).toEqual([title, SPAM]);
    await look(page);

    // Staff has now read the whole text, and decides on it where it is shown.
    await dialog.getByRole('button', { name: /^通过/ }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await articles.findPublic(id)).toMatchObject({ title, content });
  });

  test('announces changes while the list and the text are on screen', async ({ site, writer, open }) => {
    const { articles } = site.app.services;
    const own = fieldsOf(`${fields.title}，直播`);
    const { id } = await articles.create(own, writer);
    const page = await open('/admin/held?kind=article', looked);
    const item = page.getByRole('article', { name: `文章《${own.title}》` });
    await item.waitFor();
    await articles.edit({ ...own, id, content: `${TEXT}完` }, writer);
    await item.getByText(CHANGED).waitFor();
    await look(page);
    await item.getByRole('button', { name: /^看全文/ }).click();
    const dialog = page.getByRole('dialog', { name: '文章全文' });
    await dialog.getByText('你还没有看过全文').waitFor();

    await articles.edit({ ...own, id, content: `${TEXT}完，${SPAM}` }, writer);
    const news = dialog.getByRole('button', { name: '看改动' });
    await news.waitFor();
    await look(page);
    await news.click();
    const changes = dialog.getByRole('region', { name: '你看过之后的改动' });
    await changes.getByText(SPAM).waitFor();
    expect(await changes.locator('ins').allTextContents()).toEqual([`，${SPAM}`]);
    await dialog.getByRole('button', { name: /^通过/ }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await articles.findPublic(id))?.content).toContain(SPAM);
  });

  test('announces changes of a reported text when staff is about to hide it', async ({
    site,
    author,
    writer,
    open,
  }) => {
    const { articles, takedowns, reports, options } = site.app.services;
    const own = fieldsOf(`${fields.title}，举报`);
    const { id } = await articles.create(own, writer);
    await takedowns.decide('article', { ids: [id], action: 'restore', note: '' }, null);
    await reports.create({ kind: 'article', id, reason: 'spam', note: '' }, author);
    const page = await open('/admin/reports', looked);
    const row = page.getByRole('listitem').filter({ hasText: own.title });
    await row.getByRole('button', { name: /^看全文/ }).click();
    const reader = page.getByRole('dialog', { name: '文章全文' });
    await reader.getByRole('region', { name: '正文' }).waitFor();
    await page.keyboard.press('Escape');
    await options.change({ holdArticles: 'none' }, null);
    await articles.edit({ ...own, id, content }, writer);
    await options.change({ holdArticles: 'all' }, null);

    await row.getByRole('button', { name: '隐藏' }).click();
    const reason = page.getByRole('dialog', { name: '隐藏被举报的文章' });
    await reason.getByText(CHANGED).waitFor();
    await look(page);
    await reason.getByRole('textbox', { name: '理由' }).fill('广告');
    await reason.getByRole('button', { name: '隐藏' }).click();
    await reader.getByText(ANNOUNCED).waitFor();
    expect(await articles.findPublic(id)).not.toBeNull();
    expect(
      await reader.getByRole('region', { name: '你看过之后的改动' }).locator('ins').allTextContents(),
    ).toEqual([SPAM]);

    // The reader decides the reports too.
    await reader.getByRole('button', { name: /^隐藏/ }).click();
    await reason.getByRole('textbox', { name: '理由' }).fill('广告');
    await reason.getByRole('button', { name: '隐藏' }).click();
    await page.getByText('已处理，作者会看到理由').waitFor();
    await reader.waitFor({ state: 'detached' });
    expect(await articles.findPublic(id)).toBeNull();
  });

  test('hides and restores articles', async ({ site, writer, open }) => {
    const { articles, takedowns } = site.app.services;
    const own = fieldsOf(`${fields.title}，公开`);
    const { id } = await articles.create(own, writer);
    await takedowns.decide('article', { ids: [id], action: 'restore', note: '' }, null);
    const page = await open('/admin/articles', looked);
    const row = page.getByRole('listitem').filter({ hasText: own.title });
    const reader = page.getByRole('dialog', { name: '文章全文' });
    await row.getByRole('button', { name: /^看全文/ }).click();
    await reader.getByRole('button', { name: /^隐藏/ }).click();
    const reason = page.getByRole('dialog', { name: '隐藏 1 篇文章' });
    await reason.getByRole('textbox', { name: '理由' }).fill('广告');
    await reason.getByRole('button', { name: '隐藏' }).click();
    // The reader has no role while a dialog covers it.
    await reason.waitFor({ state: 'detached' });
    await reader.waitFor({ state: 'detached' });
    expect(await articles.findPublic(id)).toBeNull();
    await page.goto('/admin/articles?show=hidden');
    await row.getByRole('button', { name: /^看全文/ }).click();
    await reader.getByRole('button', { name: /^恢复/ }).click();
    await reader.waitFor({ state: 'detached' });
    expect(await articles.findPublic(id)).not.toBeNull();
  });

  test('marks what changed in a profile of which staff removes a part', async ({ site, open }) => {
    const { users, series } = site.app.services;
    const username = `裴迪${size}${theme}`;
    const { viewer } = await site.join(username);
    await users.updateBio(viewer, '诗人');
    const made = { title: '辋川', description: '唱和', cover: '' };
    const { _id } = await series.create(made, viewer);
    const page = await open(`/admin/users?q=${encodeURIComponent(username)}`, looked);
    await page.getByRole('button', { name: `${username} 的公开资料` }).click();
    const dialog = page.getByRole('dialog', { name: `${username} 的公开资料` });
    const remove = async (name: string) => {
      await dialog.getByRole('button', { name, exact: true }).click();
      await page.getByRole('textbox', { name: '理由' }).fill('广告');
      await page.getByRole('button', { name: '移除', exact: true }).click();
      await dialog.waitFor();
    };
    await dialog.getByText('诗人').waitFor();
    await users.updateBio(viewer, '卖茶的诗人');
    await series.edit({ ...made, id: _id, description: '唱和，代开发票' }, viewer);
    await remove('移除个人简介');
    await dialog.getByText('资料在你看过之后又改过，请看过现在的资料再决定').waitFor();
    expect(await dialog.locator('del').allTextContents()).toEqual(['诗人', '唱和']);
    expect(await dialog.locator('ins').allTextContents()).toEqual(['卖茶的诗人', '唱和，代开发票']);
    await look(page);
    const { bio } = await site.app.services.profiles.read({ username, page: 1, pageSize: 1 });
    expect(bio).toBe('卖茶的诗人');

    await remove('移除个人简介');
    await dialog.getByText('卖茶的诗人').waitFor({ state: 'detached' });
    await remove('移除专栏介绍');
    await dialog.getByText('代开发票').waitFor({ state: 'detached' });
    expect(await dialog.locator('ins').count()).toBe(0);
  });
});
