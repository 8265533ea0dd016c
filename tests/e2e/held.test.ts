import { describe, expect } from 'vitest';
import { looks } from './looks.ts';
import { violationsOf } from './axe.ts';
import { boxOf, itemOf, READER, submitOf, test as base, touch } from './comment-stage.ts';
import { AUTHOR } from './fixtures.ts';
import { sizes } from './visit.ts';

/** `AUTHOR` is the operator; comments by others must be approved. */
const test = base.extend('held', { auto: true }, async ({ site }) => {
  const { roles, options } = site.app.services;
  await roles.set(AUTHOR, 'operator', null);
  await options.change({ holdComments: 'all' }, null);
});

describe.each(looks(Object.entries(sizes)))('a pending comment (%s)', (_, viewport) => {
  test('is shown only to its writer, marked, and to everyone once approved', async ({ stage }) => {
    const words = `这句话要先看一看 ${viewport.width}`;
    const writer = await stage.open(READER, { viewport });
    await boxOf(writer.page).fill(words);
    await submitOf(writer.page).click();
    const own = itemOf(writer.page, words);
    await own.getByText('审核中').waitFor();
    await writer.page.reload();
    await own.getByText('审核中').waitFor();

    const { page } = await stage.open(AUTHOR, { viewport });
    await touch(page);
    await boxOf(page).waitFor();
    expect(await page.content()).not.toContain(words);

    await page.goto('/admin/held');
    const item = page.getByRole('listitem').filter({ hasText: words });
    await item.getByText('全部先审后发').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await item.getByRole('button', { name: /^通过/ }).click();
    await page.getByText('已通过 1 项').waitFor();
    await item.waitFor({ state: 'detached' });
    // An accidental approval can be undone.
    await page.getByRole('button', { name: '撤销' }).click();
    await item.waitFor();
    await item.getByRole('button', { name: /^通过/ }).click();
    await item.waitFor({ state: 'detached' });

    await writer.page.reload();
    await own.waitFor();
    expect(await own.getByText('审核中').count()).toBe(0);
  });

  test('is rejected with a reason, shown to its writer', async ({ visit, stage }) => {
    const words = `这一句不合适 ${viewport.width}`;
    await stage.put(READER, words);
    const { page } = await visit({ username: AUTHOR, viewport });
    await page.goto('/admin/held?kind=comment');
    const item = page.getByRole('listitem').filter({ hasText: words });
    await item.getByRole('button', { name: /^不予通过/ }).click();
    await item.getByRole('textbox', { name: '理由，作者会看到' }).fill('和文章无关');
    await item.getByRole('textbox').press('Enter');
    await item.waitFor({ state: 'detached' });
    const writer = await visit({ username: READER, viewport });
    await writer.page.goto('/comment/list?tab=sent');

    await writer.page.getByText('未通过：和文章无关').first().waitFor();
  });
});

test(
  'the list of pending items follows decisions of other staff',
  { tags: ['long'] },
  async ({ site, stage, visit }) => {
    const words = '这一句由同事来看';
    const id = await stage.put(READER, words);
    const { page } = await visit({ username: AUTHOR });
    await page.goto('/admin/held?kind=comment');
    const item = page.getByRole('listitem').filter({ hasText: words });
    await item.waitFor();
    await site.app.services.takedowns.decide('comment', { ids: [id], action: 'restore', note: '' }, null);
    await item.waitFor({ state: 'detached' });
  },
);

describe.each(looks(Object.entries(sizes)))('the list of words (%s)', (_, viewport) => {
  test('is filled, searched and cleared with the keyboard', async ({ visit }) => {
    const { page } = await visit({ username: AUTHOR, viewport });
    await page.goto('/admin/words');
    const form = page.getByRole('form', { name: '添加词语' });
    await form.waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await form.getByRole('textbox', { name: '词语，一行一个' }).fill('赌博\n代开发票\n');
    await form.getByLabel('出现时').selectOption('拒绝发布');
    await form.getByRole('button', { name: '添加' }).press('Enter');
    await page.getByText('添加了 2 个词').waitFor();
    await page.getByRole('searchbox', { name: '搜索词库' }).fill('代 开');
    await page.getByRole('searchbox', { name: '搜索词库' }).press('Enter');
    await page.getByText('共 1 个词').waitFor();
    await page.getByRole('checkbox', { name: '全选这一页' }).check();
    await page.getByRole('button', { name: '移除' }).click();
    await page.getByText('没有符合条件的词。').waitFor();
    await page.getByRole('button', { name: '撤销' }).click();
    await page.getByText('共 1 个词').waitFor();
    await page.goto('/admin/words');
    await page.getByRole('checkbox', { name: '全选这一页' }).check();
    await page.getByRole('button', { name: '移除' }).click();
    await page.getByText('词库是空的。').waitFor();
  });

  test('is previewed before it grows, and excepts words from it', async ({ site, stage, visit }) => {
    const { words } = site.app.services;
    await stage.put(READER, `洗手间的消毒品牌 ${viewport.width}`);
    const { page, forgive } = await visit({ username: AUTHOR, viewport });
    await page.goto('/admin/words');
    const form = page.getByRole('form', { name: '添加词语' });
    const preview = form.getByRole('button', { name: '先看会命中什么' });
    await preview.press('Enter');
    await form.getByRole('alert').filter({ hasText: '请先填写词语' }).waitFor();
    const field = form.getByRole('textbox', { name: '词语，一行一个' });
    await field.fill('毒品\n没有写过的词');
    await preview.press('Enter');
    const place = form.getByRole('list', { name: '命中的地方' }).getByRole('listitem').first();
    await place.getByText('毒品', { exact: true }).waitFor();
    await form.getByText('没有命中的词：没有写过的词').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    // The result belongs to the words that were asked for.
    await field.fill('毒品');
    await place.waitFor({ state: 'detached' });
    await form.getByRole('button', { name: '添加' }).press('Enter');
    await page.getByText('添加了 1 个词').waitFor();

    await field.fill('消毒品牌');
    await form.getByLabel('出现时').selectOption('例外');
    await form.getByRole('button', { name: '添加' }).press('Enter');
    await page.getByText('添加了 1 个例外').waitFor();
    expect(await words.find('消毒品牌')).toEqual([]);
    await page.getByText('共 1 个词').waitFor();
    await page.getByLabel('处理方式').selectOption('例外');
    await page.getByText('共 1 个例外').waitFor();
    await field.fill('毒品');
    await form.getByLabel('出现时').selectOption('先审后发');
    await preview.press('Enter');
    await form.getByText('都没有命中。').waitFor();

    forgive(/ERR_FAILED/);
    await page.route('**/api/staff/words/preview', (route) => route.abort());
    await preview.press('Enter');
    await form.getByRole('alert').filter({ hasText: /[^ ]/ }).waitFor();
    await page.getByRole('checkbox', { name: '全选这一页' }).check();
    await page.getByRole('button', { name: '移除' }).click();
    await page.getByText('还没有例外。').waitFor();
    const { result } = await words.list({ q: '', category: '', action: '', page: 1, pageSize: 10 });
    await words.remove(
      result.map(({ id }) => id),
      null,
    );
  });
});
