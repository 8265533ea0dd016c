import { describe, expect } from 'vitest';
import { expectPage } from './expect-page.ts';
import { looks } from './looks.ts';
import { violationsOf } from './axe.ts';
import { test as base } from './fixtures.ts';
import { sizes } from './visit.ts';
import { BOUNDS, PAGE_SIZE } from '../../src/lib/contract/rules/bounds.ts';

let accounts = 0;
const test = base
  .extend('owner', async ({ site }) => (await site.join(`管理者${++accounts}`)).viewer)
  .extend('username', ({ owner }) => owner.username);

describe.each(looks(Object.entries({ phone: sizes.phone, desktop: sizes.desktop })))(
  'one’s own articles (%s)',
  (_, viewport) => {
    test.override('window', { viewport });

    test('are searched, filtered and sorted by URL, and deleted together, which can be undone', async ({
      site,
      owner,
      page,
    }) => {
      for (const [title, tag] of [
        ['山居秋暝', '诗'],
        ['终南别业', '诗'],
        ['山中与裴秀才迪书', '文'],
      ] as const)
        await site.write(owner, { title, tags: [tag] });
      const titles = () => page.locator('main ol[role=list] bdi:not([aria-label] *)').allInnerTexts();
      const status = page.locator('main output').first();
      await page.goto('/user/list');
      await expectPage(status).toHaveText('共 3 篇');
      await page.getByRole('searchbox', { name: '搜索标题、标签和摘要' }).fill('山');
      await page.keyboard.press('Enter');
      await expectPage(status).toHaveText('共 2 篇');
      await page.getByRole('link', { name: '只看标签「诗」' }).first().click();
      await expectPage(status).toHaveText('共 1 篇');
      expect(await titles()).toEqual(['山居秋暝']);
      await page.reload();
      await expectPage(status).toHaveText('共 1 篇');
      expect(await titles()).toEqual(['山居秋暝']);
      await page.getByRole('link', { name: '私密', exact: true }).click();
      await expectPage(page.getByText('没有符合搜索词「山」、标签「诗」、「私密」的文章')).toBeVisible();
      await page.goBack();
      await expectPage(status).toHaveText('共 1 篇');
      await page.getByRole('button', { name: '不限标签' }).click();
      await expectPage(status).toHaveText('共 2 篇');
      await page.getByRole('searchbox', { name: '搜索标题、标签和摘要' }).fill('');
      await expectPage(status).toHaveText('共 3 篇');
      await page.getByRole('combobox', { name: '排序' }).selectOption({ label: '按标题' });
      await expectPage(page).toHaveURL(/\?sort=title$/);
      const changed = page.getByRole('link', { name: /^有(未发布的)?修改$/ });
      await changed.focus();
      await page.keyboard.press('Enter');
      await expectPage(page).toHaveURL(/show=changed/);
      await expectPage(changed).toHaveAttribute('aria-current', 'true');
      await page.goBack();
      await expectPage(status).toHaveText('共 3 篇');

      await page.getByRole('checkbox', { name: '选择《终南别业》' }).check();
      await expectPage(page.getByText('已选 1 篇')).toBeVisible();
      await page.getByRole('checkbox', { name: '全选这一页' }).click();
      await expectPage(page.getByText('已选 3 篇')).toBeVisible();
      await page.getByRole('checkbox', { name: '选择《终南别业》' }).uncheck();
      expect(await violationsOf(page, { include: 'main' })).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);
      // One row each, also on a phone.
      const rows = await page.evaluate(() =>
        ['main nav[aria-label=筛选] a', 'main :is(input[type=search], search button, select)'].map((each) =>
          Array.from(document.querySelectorAll(each), (part) => part.getBoundingClientRect().top),
        ),
      );
      expect(rows.map((tops) => [tops.length, new Set(tops).size])).toEqual([
        [6, 1],
        [3, 1],
      ]);
      await page.getByRole('button', { name: '批量操作' }).click();
      await page.getByRole('menuitem', { name: '移到回收站' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: '删除' }).click();
      await expectPage(status).toHaveText('共 1 篇');
      expect(await titles()).toEqual(['终南别业']);
      await page.getByRole('button', { name: '撤销' }).click();
      await expectPage(status).toHaveText('共 3 篇');
    });
  },
);

test('several are withdrawn, tagged and closed for comments at once, and each action can be undone', async ({
  site,
  owner,
  page,
}) => {
  const ids = [
    await site.write(owner, { title: '鹿柴', tags: ['诗'] }),
    await site.write(owner, { title: '竹里馆', tags: ['诗'] }),
  ];
  await site.write(owner, { title: '', content: '没有题目', status: 'draft' });
  const read = (id: string) => site.app.services.articles.readSource(id, owner);
  const status = page.locator('main output').first();
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const act = async (name: string) => {
    await press('批量操作');
    await page.getByRole('menuitem', { name, exact: true }).click();
  };
  await page.goto('/user/list');
  await page.getByRole('checkbox', { name: '全选这一页' }).check();
  await act('加上或去掉标签');
  await page.getByRole('textbox', { name: '要加上或去掉的标签' }).fill('辋川');
  await page.keyboard.press('Enter');
  await expectPage(page.getByText('已给 2 篇加上「辋川」')).toBeVisible();
  for (const id of ids) expect((await read(id)).tags).toEqual(['诗', '辋川']);
  await press('撤销');
  await expectPage(page.getByText('已改回 2 篇')).toBeVisible();
  await act('关闭评论');
  await expectPage(page.getByText('已关闭 2 篇的评论')).toBeVisible();
  await act('关闭评论');
  await expectPage(page.getByText('选中的文章本来就是这样')).toBeVisible();
  await act('设为私密');
  await expectPage(page.getByText('已把 2 篇设为私密')).toBeVisible();
  for (const id of ids) expect((await read(id)).secret).toBe(true);
  const hidden = page.getByText('已把 2 篇设为私密').locator('..');
  await hidden.getByRole('button', { name: '撤销' }).click();
  for (const id of ids) await expect.poll(async () => (await read(id)).secret).toBe(false);
  await page.getByRole('checkbox', { name: '全选这一页' }).check();
  await act('设为公开');
  const question = page.getByRole('alertdialog', { name: '公开选中的 2 篇？' });
  await question.getByRole('button', { name: '取消' }).click();
  await expectPage(question).toBeHidden();
  await act('撤回为草稿');
  await expectPage(status).toHaveText('共 0 篇');
  await page.goto('/user/draft');
  await page.getByRole('checkbox', { name: '全选这一页' }).check();
  await act('发布');
  await page
    .getByRole('alertdialog', { name: '发布选中的 3 篇？' })
    .getByRole('button', { name: '发布' })
    .click();
  await expectPage(page.getByText('已发布 2 篇')).toBeVisible();
  await expectPage(page.getByText('有 1 篇没有改：请填写标题')).toBeVisible();
  await expectPage(status).toHaveText('共 1 篇草稿');
  await press('撤销');
  await expectPage(status).toHaveText('共 3 篇草稿');
  expect(await read(ids[0] ?? '')).toMatchObject({ status: 'draft', tags: ['诗'], comments_closed: true });
});

test('those of all pages are put in a series, also after failed requests', async ({
  site,
  owner,
  guest,
  page,
}) => {
  guest.forgive(/ERR_FAILED/);
  const { series } = site.app.services;
  const { _id } = await series.create({ title: '辋川集', description: '', cover: '' }, owner);
  for (let count = 0; count <= PAGE_SIZE; count++) await site.write(owner, { title: `之${count}` });
  const [all, choice] = [`选择全部 ${PAGE_SIZE + 1} 篇`, page.getByRole('combobox', { name: '放进专栏' })];
  await page.goto('/user/list');
  await page.getByRole('checkbox', { name: '全选这一页' }).check();
  await page.route('**/api/page/limitpagelist', (route) => route.abort(), { times: 1 });
  await page.getByRole('button', { name: all }).click();
  await expectPage(page.getByText('网络不通').first()).toBeVisible();
  await page.getByRole('button', { name: all }).click();
  await expectPage(page.getByText(`已选 ${PAGE_SIZE + 1} 篇`)).toBeVisible();
  await page.route('**/api/series/list', (route) => route.abort(), { times: 1 });
  await page.getByRole('button', { name: '批量操作' }).click();
  await page.getByRole('menuitem', { name: '放进专栏' }).click();
  await page.getByRole('button', { name: '重试' }).click();
  await expectPage(choice).toBeFocused();
  // Arrow keys only choose: moving cannot be undone.
  await page.keyboard.press('ArrowDown');
  await expectPage(choice).toHaveValue(_id);
  expect((await series.find(_id, owner))?.articles).toEqual([]);
  await page.getByRole('button', { name: '放进', exact: true }).click();
  await expectPage(page.getByText(`已把 ${PAGE_SIZE + 1} 篇放进《辋川集》`)).toBeVisible();
  expect((await series.find(_id, owner))?.articles).toHaveLength(PAGE_SIZE + 1);
});

test('more are selected than one request lists', async ({ site, owner, page }) => {
  const total = BOUNDS.ownPageSize + PAGE_SIZE;
  await site.write(owner, { title: '鹿柴' });
  // As if the author had written so many.
  await page.route('**/api/page/limitpagelist', async (route) => {
    const response = await route.fetch();
    const fields = new URLSearchParams(route.request().postData() ?? '');
    const [at, size] = [Number(fields.get('page')), Number(fields.get('pageSize'))];
    const answer = (await response.json()) as { data: { result: object[] } };
    const length = Math.min(size, total - (at - 1) * size);
    const result = Array.from({ length }, (__, index) => ({
      ...answer.data.result[0],
      _id: String((at - 1) * size + index).padStart(24, '0'),
    }));
    await route.fulfill({ response, json: { ...answer, data: { ...answer.data, result, total } } });
  });
  await page.goto('/user/list');
  await page.getByRole('checkbox', { name: '全选这一页' }).check();
  await page.getByRole('button', { name: `选择全部 ${total} 篇` }).click();
  await expectPage(page.getByText(`已选 ${total} 篇`)).toBeVisible();
});
