import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { describe, expect } from 'vitest';
import { DEFAULT_LOOK } from '../../src/lib/contract/rules/looks.ts';
import { violationsOf } from './axe.ts';
import { look, LOOKS, test as base } from './console-stage.ts';
import { expectPage } from './expect-page.ts';
import { looks } from './looks.ts';

/** The author is the operator. */
const test = base.extend('stage', { scope: 'file', auto: true }, ({ writer }) => writer);

const colour = (page: Page, name: string) =>
  page.getByRole('group', { name: '浅色' }).getByLabel(name, { exact: true });
const frameOf = (page: Page) => page.frameLocator('iframe[title="预览的网页"]');
const ground = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
const previewed = (page: Page) =>
  frameOf(page)
    .locator('body')
    .evaluate((body) => getComputedStyle(body).backgroundColor);

const BLUE = 'rgb(238, 244, 255)';

describe.each(
  looks([
    ['phone', 'light'],
    ['desktop', 'light'],
  ] as const),
)('%s', (size, theme) => {
  // On a phone the preview opens over the form.
  const isPhone = size === 'phone';
  const begin = async (page: Page) => {
    if (isPhone) await page.getByRole('button', { name: '看看效果' }).click();
  };
  const finish = async (page: Page) => {
    if (isPhone) await page.getByRole('button', { name: '接着改' }).click();
  };

  test('an operator changes the look, sees it at once, keeps it and uses it', async ({
    open,
    visit,
    site,
    author,
    onTestFinished,
  }) => {
    onTestFinished(async () => void (await site.app.services.site.change({ look: DEFAULT_LOOK }, author)));
    const page = await open('/admin/look', [size, theme]);
    await begin(page);
    await expect.poll(() => previewed(page)).toBe('rgb(250, 247, 241)');
    await finish(page);
    await page.getByRole('radio', { name: '画册' }).check();
    await colour(page, '页面底色').fill('#eef4ff');
    await begin(page);
    await expectPage(frameOf(page).locator('html')).toHaveAttribute('data-list', 'cards');
    await expect.poll(() => previewed(page)).toBe(BLUE);
    await page.getByLabel('页面', { exact: true }).selectOption('标签');
    await expectPage(frameOf(page).getByRole('heading', { level: 1, name: '标签' })).toBeVisible();
    await expect.poll(() => previewed(page)).toBe(BLUE);
    // The page of the preview has no links, so it cannot be left.
    await expectPage(frameOf(page).getByRole('link')).toHaveCount(0);
    await finish(page);

    // Colours that cannot be read are named at the field, and neither used nor kept.
    await colour(page, '次要文字').fill('#dddddd');
    await expectPage(page.getByText('次要文字在选中处的底色上看不清：对比度')).toBeVisible();
    await page.getByRole('button', { name: '用到网站' }).click();
    await expectPage(page.getByText('颜色看不清，还不能用')).toBeVisible();
    await page.getByRole('button', { name: '保存外观' }).click();
    await expectPage(page.getByText('颜色看不清，还不能保存')).toBeVisible();
    await page.getByRole('button', { name: '撤销改动' }).click();
    await expectPage(colour(page, '次要文字')).toHaveValue('#625c55');
    await expectPage(colour(page, '页面底色')).toHaveValue('#eef4ff');

    await page.getByLabel('外观的名字').fill('画册');
    await page.getByRole('button', { name: '保存外观' }).click();
    await expectPage(page.getByText('画册是自带的外观，请换一个名字')).toBeVisible();
    await page.getByLabel('外观的名字').fill('蓝图');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: '保存外观' }).dblclick();
    await expectPage(page.getByRole('radio', { name: '蓝图' })).toBeChecked();
    await page.getByRole('button', { name: '用到网站' }).dblclick();
    await expectPage(page.getByText('外观已经换好')).toBeVisible();
    await expect.poll(() => ground(page)).toBe(BLUE);

    const { page: visitor } = await visit();
    await visitor.goto('/home');
    expect(await ground(visitor)).toBe(BLUE);
    await expectPage(visitor.locator('html')).toHaveAttribute('data-list', 'cards');
    await visitor.goto('/home?look=plain');
    expect(await ground(visitor)).toBe(BLUE);
    await page.goto('/home?look=plain');
    expect(await ground(page)).toBe('rgb(250, 247, 241)');

    // A saved look that is removed stays in use.
    await page.goBack();
    await page.getByRole('button', { name: '删除外观「蓝图」' }).click();
    await page.getByRole('dialog').getByRole('button', { name: '删除' }).click();
    await expectPage(page.getByText('已删除「蓝图」')).toBeVisible();
    await expectPage(page.getByRole('button', { name: '删除外观「蓝图」' })).toBeHidden();
    await expectPage(page.getByRole('radio', { name: '蓝图 正在用' })).toBeChecked();
    await visitor.goto('/home');
    expect(await ground(visitor)).toBe(BLUE);
  });
});

test('a look is exchanged as a file, and a file that is none says why', async ({ open }) => {
  const page = await open('/admin/look', ['desktop', 'light']);
  await page.getByRole('radio', { name: '简报' }).check();
  await page.getByLabel('字号（15–20 px）').fill('18.5');
  await page.getByLabel('外观的名字').fill('大字简报');
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: '导出文件' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('大字简报.json');
  const text = await readFile(await download.path(), 'utf8');
  const give = (content: string) =>
    page
      .getByLabel('选择外观的文件')
      .setInputFiles({ name: 'a.json', mimeType: 'application/json', buffer: Buffer.from(content) });
  for (const [content, reason] of [
    ['{', '这个文件不是 JSON，读不出外观'],
    ['[]', '外观应为一组值'],
    [text.replace('18.5', '99'), '字号应为 15 到 20 的数'],
    [text.replace('"size"', '"extra": 1, "size"'), '文字里没有 extra'],
    [' '.repeat(70_000), '这个文件太大，不是外观'],
  ] as const) {
    await give(content);
    await expectPage(page.getByText(reason)).toBeVisible();
  }
  await page.getByRole('radio', { name: '墨页' }).check();
  await expectPage(page.getByLabel('字号（15–20 px）')).toHaveValue('17');
  await give(text);
  await expectPage(page.getByLabel('字号（15–20 px）')).toHaveValue('18.5');
  await expectPage(page.getByLabel('外观的名字')).toHaveValue('大字简报');
});

test('unsaved changes are asked about, and undone one by one', async ({ open }) => {
  const page = await open('/admin/look', ['desktop', 'light']);
  const questions: string[] = [];
  page.on('dialog', (dialog) => {
    questions.push(dialog.type());
    void dialog.dismiss();
  });
  await page.getByRole('radio', { name: '简报' }).check();
  await page.getByRole('radio', { name: '居中' }).first().check();
  const radius = page.getByLabel('圆角的滑块');
  await radius.focus();
  for (let left = 3; left > 0; left -= 1) await page.keyboard.press('ArrowRight');
  await expectPage(page.getByText('有还没保存的修改。').first()).toBeVisible();
  await page.getByRole('link', { name: '设置', exact: true }).first().click();
  await expect.poll(() => questions).toEqual(['beforeunload']);
  const undo = page.getByRole('button', { name: '撤销改动' });
  await undo.click();
  await expectPage(radius).toHaveValue('2');
  await undo.click();
  await expectPage(page.getByRole('radio', { name: '居左' })).toBeChecked();
  await undo.click();
  await expectPage(page.getByRole('radio', { name: '墨页' })).toBeChecked();
  await expectPage(undo).toBeHidden();
});

test('the operator’s style sheet is checked, and reaches pages for readers alone', async ({
  open,
  visit,
  site,
  author,
  onTestFinished,
}) => {
  onTestFinished(async () => void (await site.app.services.site.change({ style: '' }, author)));
  const page = await open('/admin/look', ['desktop', 'light']);
  const form = page.getByRole('form', { name: '自己的样式' });
  const css = form.getByLabel('CSS');
  await css.fill('.page-title { color: rgb(1, 2, 3); }\n\n.a { position: fixed; }');
  await form.getByRole('button', { name: '保存' }).click();
  await expectPage(form.getByRole('alert').filter({ hasText: '第 3 行第 1 列' })).toBeVisible();
  expect(
    await css.evaluate((area: HTMLTextAreaElement) =>
      area.value.slice(area.selectionStart, area.selectionEnd),
    ),
  ).toBe('.a { position: fixed; }');
  await css.fill('h1 { color: rgb(1, 2, 3) }');
  await form.getByRole('button', { name: '保存' }).click();
  await expectPage(page.getByText('已保存，马上生效')).toBeVisible();
  await expectPage(css).toHaveValue('h1 {\n  color: #010203;\n}');
  const title = async (shown: Page, path: string) => {
    await shown.goto(path);
    return shown
      .locator('h1')
      .first()
      .evaluate((heading) => getComputedStyle(heading).color);
  };
  const { page: visitor } = await visit();
  expect(await title(visitor, '/tag/list')).toBe('rgb(1, 2, 3)');
  expect(await title(visitor, '/signin')).not.toBe('rgb(1, 2, 3)');
  expect(await title(page, '/admin/look')).not.toBe('rgb(1, 2, 3)');
  expect(await title(page, '/tag/list?look=plain')).not.toBe('rgb(1, 2, 3)');
});

test.for(looks(LOOKS))(
  'the page has nothing that axe finds on a %s in the %s theme',
  async (how, { open }) => {
    const page = await open('/admin/look', how);
    await colour(page, '次要文字').fill('#dddddd');
    await expectPage(page.getByText('次要文字在选中处的底色上看不清：对比度')).toBeVisible();
    await look(page);
    if (how[0] === 'phone') await page.getByRole('button', { name: '看看效果' }).click();
    await expectPage(frameOf(page).getByRole('main')).toBeVisible();
    expect(await violationsOf(page, { exclude: '[data-type]' })).toEqual([]);
  },
);
