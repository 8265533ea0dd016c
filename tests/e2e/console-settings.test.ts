import { describe, expect } from 'vitest';
import { CLIENT, openIdentityProvider } from '../identity-provider.ts';
import { look, LOOKS, test as base } from './console-stage.ts';
import { expectPage } from './expect-page.ts';
import { AUTHOR } from './fixtures.ts';
import { looks } from './looks.ts';
import { PASSWORD } from './sign-form.ts';
import { sizes } from './visit.ts';

/** `AUTHOR` is the operator. */
const test = base.extend('stage', { scope: 'file', auto: true }, ({ writer }) => writer);

const SECTIONS = [
  '网站',
  '导航',
  '注册',
  '审核',
  '平台责任',
  '邮件',
  '搜索引擎',
  '登录方式',
  '图片存储',
  '备份',
  '通知',
];

describe('the settings', () => {
  test('have an address for each section, and Back returns to the last one', async ({ open }) => {
    const page = await open('/admin/options', ['desktop', 'light']);
    const list = page.getByRole('navigation', { name: '设置的各部分' });
    expect(await list.getByRole('link').allInnerTexts()).toEqual(SECTIONS);
    await list.getByRole('link', { name: '审核' }).click();
    await page.waitForURL('**/admin/options/review');
    await expectPage(list.locator('[aria-current=page]')).toHaveText('审核');
    await expectPage(page.getByRole('heading', { level: 2, name: '审核' })).toBeVisible();
    await list.getByRole('link', { name: '导航' }).click();
    await page.waitForURL('**/admin/options/nav');
    await page.goBack();
    await page.waitForURL('**/admin/options/review');
  });

  test('show a new name in the header at once, and ask before unsaved changes are lost', async ({ open }) => {
    const page = await open('/admin/options', ['desktop', 'light']);
    const name = page.getByLabel('站名');
    await name.fill('山居记');
    await expectPage(page.getByText('有还没保存的修改。')).toBeVisible();
    const questions: string[] = [];
    page.on('dialog', (dialog) => {
      questions.push(dialog.type());
      void dialog.dismiss();
    });
    await page.getByRole('link', { name: '导航', exact: true }).click();
    await expect.poll(() => questions).toEqual(['beforeunload']);
    expect(new URL(page.url()).pathname).toBe('/admin/options');
    await page.getByRole('button', { name: '保存', exact: true }).click();
    await expectPage(page.getByText('已保存，马上生效')).toBeVisible();
    await expectPage(page.getByRole('banner').getByText('山居记')).toBeVisible();
    await expectPage(name).toHaveValue('山居记');
    expect(questions).toEqual(['beforeunload']);
    await name.fill('别的');
    await page.getByRole('button', { name: '放弃修改' }).click();
    await expectPage(name).toHaveValue('山居记');
    await page.getByRole('button', { name: '保存', exact: true }).click();
    await expectPage(page.getByText('没有要保存的修改')).toBeVisible();
  });

  test('put header and footer in order, with entries of the operator', async ({
    open,
    site,
    author,
    onTestFinished,
  }) => {
    onTestFinished(async () => void (await site.app.services.site.change({ nav: {}, links: [] }, author)));
    const page = await open('/admin/options/nav', ['phone', 'light']);
    await page.getByRole('button', { name: '加一项' }).click();
    await page.getByRole('textbox', { name: '第 10 项的文字' }).fill('关于');
    await page.getByLabel('第 10 项的地址').fill('/p/about');
    const up = page.getByRole('button', { name: '把「关于」上移' });
    await up.focus();
    for (let left = 9; left > 0; left -= 1) await page.keyboard.press('Enter');
    await expectPage(page.getByRole('button', { name: '把「关于」下移' })).toBeFocused();
    await page.getByLabel('第 5 项放在哪里').selectOption('不显示');
    await page.getByLabel('第 3 项的文字').fill('');
    await page.getByRole('button', { name: '保存', exact: true }).click();
    await expectPage(page.getByText('已保存，马上生效')).toBeVisible();
    const header = page.getByRole('navigation', { name: '主导航', includeHidden: true }).locator('a');
    await expectPage(header).toHaveText(['关于', '首页', '标签', '留言', '更新日志']);
    await page.getByRole('button', { name: '去掉「关于」' }).click();
    await expectPage(page.getByText('有还没保存的修改。')).toBeVisible();
    await page.getByRole('button', { name: '放弃修改' }).click();
    await expectPage(page.getByLabel('第 1 项的文字')).toHaveValue('关于');
  });

  test('keep what a colleague has changed in the meantime', async ({ open, site }) => {
    const page = await open('/admin/options/review', ['desktop', 'light']);
    const count = page.getByLabel('通过几条后不再是新作者');
    await count.selectOption('10 条');
    await site.app.services.options.change({ holdChanges: 'never' }, null);
    await page.getByRole('button', { name: '保存', exact: true }).click();
    await expectPage(page.getByText('已保存，马上生效')).toBeVisible();
    await expectPage(page.getByLabel('先审后发的内容，通过后再改')).toHaveValue('never');
    expect(await site.app.services.options.read()).toMatchObject({ approvedFirst: 10, holdChanges: 'never' });
    await site.app.services.options.change({ holdChanges: 'always' }, null);
  });

  test('refuse an unusable logo at its field and save nothing', async ({ open, site }) => {
    const page = await open('/admin/options', ['desktop', 'light']);
    await page.getByLabel('页脚文字').fill('不该保存的');
    await page
      .getByLabel('选择标志的图片')
      .setInputFiles({ name: 'a.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<p>no picture</p>') });
    await page.getByRole('button', { name: '保存', exact: true }).click();
    await expectPage(page.getByRole('main').getByRole('alert')).not.toHaveText('');
    expect((await site.app.services.site.identity()).footer).toBe('');
  });

  test.for([
    ['phone', 'dark'],
    ['desktop', 'light'],
  ] as const)(
    'add a sign-in provider and test it, on a %s in the %s theme',
    async (how, { open, site, visit, onTestFinished }) => {
      const provider = await openIdentityProvider(site.app.config.origin);
      onTestFinished(() => provider.close());
      const page = await open('/admin/options/providers', how);
      const save = async () => {
        await page.getByLabel('你自己的密码').fill(PASSWORD);
        await page.getByRole('button', { name: '保存', exact: true }).click();
      };
      await page.getByRole('button', { name: '加一个登录方式' }).click();
      await page.getByLabel('按钮上的字').fill('公司账号');
      await page.getByLabel('编号', { exact: true }).fill('company');
      await page.getByLabel('Issuer 的地址').fill(provider.issuer);
      await page.getByLabel('应用编号').fill(CLIENT.client_id);
      await page.getByLabel('应用的密钥').fill('wrong');
      await look(page);
      await save();
      await expectPage(page.getByText('已保存，马上生效')).toBeVisible();
      await page.getByRole('button', { name: '测试「公司账号」' }).click();
      await expectPage(page.getByText('不认这个应用编号或密钥（invalid_client）')).toBeVisible();
      await expectPage(page.getByLabel('应用的密钥')).toHaveValue('');
      await page.getByLabel('应用的密钥').fill(CLIENT.client_secret);
      await save();
      await expectPage(page.getByText('有还没保存的修改。')).toHaveCount(0);
      await page.getByRole('button', { name: '测试「公司账号」' }).click();
      await expectPage(page.getByText('能用：')).toBeVisible();
      await look(page);
      const { page: reader } = await visit({});
      await reader.goto('/signin');
      await expectPage(reader.getByRole('link', { name: '用公司账号登录' })).toBeVisible();
      await page.reload();
      await page.getByRole('button', { name: '去掉「公司账号」' }).click();
      await save();
      await expectPage(page.getByText('已保存，马上生效')).toBeVisible();
      await expectPage(page.getByText('还没有。')).toBeVisible();
      await reader.reload();
      await expectPage(reader.getByRole('link', { name: '用公司账号登录' })).toHaveCount(0);
    },
  );

  const paths = [
    '/admin/options',
    '/admin/options/nav',
    '/admin/signup',
    '/admin/options/duties',
    '/admin/options/mail',
    '/admin/options/search',
    '/admin/options/providers',
    '/admin/options/pictures',
    '/admin/options/backup',
    '/admin/notices',
  ];
  test.for(looks(LOOKS))(
    'are accessible on a %s in the %s theme',
    { tags: ['long'] },
    async (how, { open }) => {
      const page = await open('/admin/options/review', how);
      await expectPage(page.getByRole('button', { name: '保存', exact: true })).toBeVisible();
      await look(page);
      for (const path of paths) {
        await page.goto(path);
        await page.getByRole('heading', { level: 2 }).first().waitFor();
        await look(page);
      }
    },
  );
});

describe('the navigation of the console', () => {
  test('is one row on a wide screen', async ({ open }) => {
    const page = await open('/admin/held', ['desktop', 'light']);
    await page.setViewportSize({ width: 1440, height: 900 });
    const links = page.getByRole('navigation', { name: '管理', exact: true }).getByRole('link');
    await expectPage(links).toHaveCount(13);
    const tops = await links.evaluateAll((all) => all.map((link) => link.getBoundingClientRect().bottom));
    expect(new Set(tops).size).toBe(1);
    expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
  });

  test('is a menu on a phone, by touch and by keyboard', async ({ open }) => {
    const page = await open('/admin/held', ['phone', 'light']);
    const menu = page.getByRole('button', { name: /^审核.*管理的菜单/ });
    const nav = page.getByRole('navigation', { name: '管理', exact: true });
    await expectPage(nav).toBeHidden();
    await menu.click();
    await expectPage(nav.locator('[aria-current=page]')).toHaveText(/^审核/);
    await look(page);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    await expectPage(nav).toBeHidden();
    await expectPage(menu).toBeFocused();
    await page.keyboard.press('Enter');
    await nav.getByRole('link', { name: '用户' }).click();
    await page.waitForURL('**/admin/users');
  });
});

describe('the page 开始', () => {
  test('has ticks for what is done, and goes away once nothing is left', async ({ startSite, visit }) => {
    const site = await startSite();
    const { viewer } = await site.join(AUTHOR);
    await site.app.services.roles.set(AUTHOR, 'operator', null);
    const { page } = await visit({ at: site, username: AUTHOR, viewport: sizes.phone });
    await page.goto('/admin');
    await page.getByRole('link', { name: '开始：还有 7 件事' }).click();
    await page.waitForURL('**/admin/start');
    const row = (text: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: text });
    await expectPage(row('给网站起名').getByText('已完成')).toHaveCount(0);
    await site.app.services.site.change({ title: '山居记' }, viewer);
    await page.reload();
    await expectPage(row('给网站起名').getByText('已完成')).toBeVisible();
    await expectPage(page.getByText('还有 6 件事')).toBeVisible();
    await look(page);
    await page.getByRole('button', { name: '跳过：填写备案号' }).click();
    await expectPage(page.getByText('还有 5 件事')).toBeVisible();
    expect(await site.app.services.options.read()).toMatchObject({ start_skipped: ['beian'] });
    await row('决定谁可以注册').getByRole('link').click();
    await page.waitForURL('**/admin/signup');
    await page.goBack();
    await page.getByRole('button', { name: '其余都跳过，不再提醒' }).click();
    await expectPage(page.getByText('都安排好了')).toBeVisible();
    await page.goto('/admin');
    await expectPage(page.getByText('公开的文章')).toBeVisible();
    await expectPage(page.getByRole('link', { name: /^开始/ })).toHaveCount(0);
  });
});
