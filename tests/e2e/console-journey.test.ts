import type { Page } from '@playwright/test';
import { describe, expect } from 'vitest';
import { looks } from './looks.ts';
import { violationsOf } from './axe.ts';
import { boxOf, itemOf, submitOf, touch } from './comment-stage.ts';
import { test } from './fixtures.ts';
import { sizes } from './visit.ts';

const PASSWORD = '松风吹解带山月照';
const OTHER = { light: 'dark', dark: 'light' } as const;

/**
 * Checks that axe finds nothing in either theme and nothing scrolls sideways. Excludes the button of a
 * message, which the library deliberately hides from screen readers until the message has the focus.
 */
async function look(page: Page, theme: keyof typeof OTHER): Promise<void> {
  await page.waitForLoadState('networkidle');
  const found = [];
  for (const shown of [OTHER[theme], theme]) {
    await page.evaluate((each) => (document.documentElement.dataset['theme'] = each), shown);
    const violations = await violationsOf(page, { exclude: '[data-type=notice]' });
    found.push(...violations.map((violation) => `${shown} ${violation}`));
  }
  if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)) found.push('sideways');
  expect([page.url(), ...found]).toEqual([page.url()]);
}

async function fillAccount(page: Page, username: string, action: string): Promise<void> {
  await page.locator('astro-island:not([ssr]) form').waitFor();
  await page.getByLabel('用户名').fill(username);
  await page.getByLabel('密码', { exact: true }).fill(PASSWORD);
  await page.getByLabel('确认密码', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: action, exact: true }).click();
}

const signedIn = async (page: Page) => {
  const cookies = await page.context().cookies();
  return cookies.find(({ name }) => name === 'token')?.value;
};

describe.each(
  looks([
    ['phone', 'dark'],
    ['desktop', 'light'],
  ] as const),
)('%s, %s', (size, theme) => {
  test('an operator runs a fresh site from the console alone', async ({ startSite, visit }) => {
    const site = await startSite();
    const { auth, roles } = site.app.services;
    const viewerOf = async (page: Page) =>
      (await auth.viewerOf(`Bearer ${await signedIn(page)}`)).viewer ?? expect.fail('nobody is signed in');
    const open = async () => {
      const opened = await visit({ at: site, viewport: sizes[size], reducedMotion: 'reduce' });
      await opened.context.addInitScript((chosen) => {
        if (location.protocol === 'http:') localStorage.setItem('theme', chosen);
      }, theme);
      return opened;
    };
    const [{ page }, guest] = [await open(), await open()];
    const nav = page.getByRole('navigation', { name: '管理', exact: true });
    const openMenu = async () => {
      if (size === 'phone') await page.getByRole('button', { name: /管理的菜单/ }).click();
    };

    // The link printed at the first start creates the operator.
    await page.goto(`/setup#${await roles.newLink()}`);
    await look(page, theme);
    await page.getByLabel('一句话简介').fill('纸上的事');
    await page.getByLabel('谁可以注册').selectOption('谁都可以注册');
    await fillAccount(page, '站长本人', '设置');
    await page.waitForURL('**/admin/start');
    await page.getByText('还有 6 件事').waitFor();
    await look(page, theme);
    await page.goto('/admin');
    await page.getByText('还没有备份过。').waitFor();
    await look(page, theme);

    // Sign-up by invitation only, and a guest who signs up with an invitation.
    await page.goto('/admin/signup');
    await page.getByLabel('谁可以注册').selectOption('凭邀请码注册');
    await page.getByRole('button', { name: '保存' }).click();
    await page.getByText('已保存').waitFor();
    await page.getByLabel('备注（可不填）').fill('给老友');
    await page.getByRole('button', { name: '做一个邀请码' }).click();
    const invitation = page.getByRole('listitem').filter({ hasText: '给老友' });
    const code = await invitation.locator('span').first().textContent();
    await look(page, theme);
    await guest.page.goto(`/signup?invite=${code}`);
    await fillAccount(guest.page, '老友', '注册');
    await guest.page.waitForURL('**/home');
    await page.getByLabel('谁可以注册').selectOption('不开放注册');
    // The confirmation of the first save may still be visible.
    await page.getByText('已保存').waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: '保存' }).click();
    await page.getByText('已保存').waitFor();

    // Name of the site.
    await page.goto('/admin/options');
    await page.getByLabel('站名').fill('纸上谈');
    await page.getByLabel('页脚文字').fill('一九九九年至今');
    await page.getByRole('button', { name: '保存', exact: true }).click();
    await page.getByText('已保存，马上生效').waitFor();
    await look(page, theme);
    await guest.page.goto('/home');
    expect(await guest.page.title()).toBe('纸上谈');
    await guest.page.getByText('一九九九年至今').waitFor();

    // A listed word holds a comment for approval, and the navigation shows it without a reload.
    const operator = await viewerOf(page);
    const friend = await viewerOf(guest.page);
    const article = await site.write(operator, { title: '山居秋暝', tags: ['唐诗'] });
    const reported = await site.write(friend, { title: '不好的一篇', tags: ['古诗', '王维'] });
    await page.goto('/admin/words');
    await page.getByRole('textbox', { name: '词语，一行一个' }).fill('代开发票');
    await page.getByRole('button', { name: '添加' }).click();
    await page.getByText('添加了 1 个词').waitFor();
    await look(page, theme);
    await guest.page.goto(`/detail/${article}`);
    await touch(guest.page);
    await boxOf(guest.page).fill('代 开 发 票，找我');
    await submitOf(guest.page).click();
    await itemOf(guest.page, '找我').getByText('审核中').waitFor();
    await openMenu();
    await nav.getByRole('link', { name: '审核 1 项' }).click();
    await page.getByRole('listitem').filter({ hasText: '找我' }).waitFor();
    await look(page, theme);
    await page.getByRole('button', { name: /^通过/ }).click();
    await page.getByText('没有等待审核的内容。').waitFor();
    await openMenu();
    await nav.getByRole('link', { name: '审核', exact: true }).waitFor();

    // A report is decided, and the hidden article is restored.
    const { page: reader } = await open();
    await reader.goto('/signin');
    await reader.locator('astro-island:not([ssr]) form').waitFor();
    await reader.getByLabel('用户名', { exact: true }).fill('站长本人');
    await reader.getByLabel('密码', { exact: true }).fill(PASSWORD);
    await reader.getByRole('button', { name: '登录', exact: true }).click();
    await reader.waitForURL('**/home');
    await reader.goto(`/report?kind=article&id=${reported}`);
    await reader.getByRole('radio').first().check();
    await reader.getByRole('button', { name: '举报' }).click();
    await reader.getByText('已收到举报').waitFor();
    await nav.getByRole('link', { name: '举报 1 项' }).click();
    const report = page.getByRole('listitem').filter({ hasText: '不好的一篇' }).first();
    await report.waitFor();
    await look(page, theme);
    await report.getByRole('button', { name: '隐藏' }).press('Enter');
    await page.getByRole('textbox', { name: '理由' }).fill('先放一放');
    await page.getByRole('dialog').getByRole('button', { name: '隐藏' }).click();
    await page.getByText('没有要处理的举报。').waitFor();
    await page.goto('/admin/articles?show=hidden');
    await page.getByRole('button', { name: /^恢复：/ }).waitFor();
    await look(page, theme);
    await page.getByRole('button', { name: /^恢复：/ }).click();
    await page.getByText('已恢复 1 项').waitFor();

    // Tags: one is renamed and renamed back, and two are merged, with the keyboard only.
    await page.goto('/admin/tags');
    await page.getByRole('button', { name: '改名：王维' }).press('Enter');
    await page.getByLabel('新名字').fill('摩诘');
    await page.getByLabel('新名字').press('Enter');
    await page.getByText('已改名为「摩诘」').waitFor();
    await page.getByRole('button', { name: '撤销' }).press('Enter');
    await page.getByRole('button', { name: '改名：王维' }).waitFor();
    await page.getByRole('checkbox', { name: '选择《唐诗》' }).press('Space');
    await page.getByRole('checkbox', { name: '选择《古诗》' }).press('Space');
    await look(page, theme);
    await page.getByRole('button', { name: '合并', exact: true }).press('Enter');
    await page.getByLabel('留下哪一个').selectOption('唐诗');
    await page.getByRole('dialog').getByRole('button', { name: '合并' }).press('Enter');
    const sure = page.getByRole('alertdialog');
    await sure.getByText('合并不能撤销').waitFor();
    await sure.getByRole('button', { name: '合并' }).press('Enter');
    await page.getByText('旧名：古诗').waitFor();
    await page.goto(`/tag/detail/${encodeURIComponent('古诗')}`);
    expect(decodeURIComponent(page.url())).toContain('/tag/detail/唐诗');
    await page.getByText('共 2 篇文章').waitFor();

    // A ban ends all sign-ins immediately.
    await page.goto('/admin/users');
    await page.getByRole('button', { name: '封禁 老友' }).press('Enter');
    await page.getByRole('textbox', { name: '理由' }).fill('广告');
    await look(page, theme);
    await page.getByRole('dialog').getByRole('button', { name: '封禁' }).click();
    await page.getByText('已封禁 老友').waitFor();
    guest.forgive(/status of 40[12]/);
    await guest.page.goto('/user/list');
    await guest.page.waitForURL('**/signin*');
    await page.goto('/admin/audit');
    for (const done of ['封禁', '合并标签', '改网站信息', '添加词语', '隐藏文章'])
      await page.getByText(done, { exact: true }).first().waitFor();
    await look(page, theme);
  });
});
