import type { Page } from '@playwright/test';
import { TOTP } from 'otpauth';
import { expect } from 'vitest';
import { formatMinute } from '../../src/lib/shared/time.ts';
import { openMailbox } from '../engines/mailbox.ts';
import { violationsOf } from './axe.ts';
import { expectPage } from './expect-page.ts';
import { freePort } from '../free-port.ts';
import { test as base } from './fixtures.ts';
import { looks } from './looks.ts';
import { PASSWORD } from './sign-form.ts';

const NEW_PASSWORD = 'battery staple';
const LOOKS = [390, 1440].flatMap((width) => (['light', 'dark'] as const).map((theme) => ({ width, theme })));

/** Adds a virtual authenticator; `answer` sets whether the user confirms with a finger. */
async function addDevice(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    answer: (enabled: boolean) =>
      session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
  };
}

/** Account security from end to end; the rules are tested in tests/engines. */
const test = base.extend('person', async ({ site, visit }) => {
  const { viewer } = await site.join(`账号${Math.random().toString(36).slice(2, 8)}`);
  const { context, page, forgive } = await visit({ username: viewer.username });
  return { ...viewer, context, page, forgive, visit };
});

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const settle = (page: Page) => page.waitForLoadState('networkidle');

async function signIn(page: Page, username: string, password = PASSWORD): Promise<void> {
  await page.goto('/signin');
  await page.locator('astro-island:not([ssr]) form').waitFor();
  await page.getByLabel('用户名', { exact: true }).fill(username);
  await page.getByLabel('密码', { exact: true }).fill(password);
  await page.getByRole('button', { name: '登录', exact: true }).click();
}

test('a password is changed, and devices are seen and signed out', async ({ person, visit }) => {
  const { page, username } = person;
  const phone = await visit();
  await signIn(phone.page, username);
  await phone.page.waitForURL('**/home');
  await page.goto('/user/settings');
  const devices = region(page, '登录的设备').getByRole('listitem');
  // Three sign-ins: the one that created the account, this browser and the phone.
  await expectPage(devices).toHaveCount(3);
  await expectPage(devices.filter({ hasText: '这台设备' })).toHaveCount(1);
  await devices
    .filter({ hasText: '上的' })
    .getByRole('button', { name: /退出登录/ })
    .click();
  await page.getByRole('alertdialog').getByRole('button', { name: '退出登录' }).click();
  await expectPage(devices).toHaveCount(2);
  phone.forgive(/status of 40[12]/);
  await phone.page.goto('/user/settings');
  await phone.page.waitForURL('**/signin*');

  const section = region(page, '密码');
  await section.getByRole('button', { name: '修改密码' }).click();
  const form = section.getByRole('form', { name: '修改密码' });
  await expectPage(form.getByLabel('当前密码', { exact: true })).toBeFocused();
  await form.getByLabel('当前密码', { exact: true }).fill('wrong horse');
  await form.getByLabel('新密码', { exact: true }).fill(NEW_PASSWORD);
  await form.getByLabel('再输一次新密码', { exact: true }).fill('something else');
  await form.getByRole('button', { name: '修改密码' }).click();
  await expectPage(form.getByText('两次填写的密码不一致')).toBeVisible();
  await form.getByLabel('再输一次新密码', { exact: true }).fill(NEW_PASSWORD);
  await form.getByRole('button', { name: '修改密码' }).click();
  await expectPage(form.getByText('密码不对')).toBeVisible();
  await expectPage(form.getByLabel('当前密码', { exact: true })).toBeFocused();
  await form.getByLabel('当前密码', { exact: true }).fill(PASSWORD);
  await form.getByRole('button', { name: '修改密码' }).click();
  await expectPage(page.getByText('密码已修改，其他设备已退出登录')).toBeVisible();
  await expectPage(section.getByRole('button', { name: '修改密码' })).toBeFocused();
  await signIn(phone.page, username, NEW_PASSWORD);
  await phone.page.waitForURL('**/home');
});

test('two-step verification is enabled by the app’s first code, and required from then on', async ({
  person,
  visit,
}) => {
  const { page, username } = person;
  await page.goto('/user/settings');
  const section = region(page, '两步验证');
  await section.getByRole('button', { name: '开启两步验证' }).click();
  await section.getByLabel('当前密码', { exact: true }).fill(PASSWORD);
  await section.getByRole('button', { name: '下一步' }).click();
  await expectPage(section.getByRole('img', { name: '验证器应用的二维码' })).toBeVisible();
  const uri = await section.getByRole('link', { name: '在这台设备的应用里打开' }).getAttribute('href');
  const secret = new URL(uri ?? '').searchParams.get('secret') ?? '';
  const totp = new TOTP({ secret });
  await section.getByLabel('验证码', { exact: true }).fill('000000');
  await section.getByRole('button', { name: '开启', exact: true }).click();
  await expectPage(section.getByText('验证码不对，或者已经用过')).toBeVisible();
  await section.getByLabel('验证码', { exact: true }).fill(totp.generate());
  await section.getByRole('button', { name: '开启', exact: true }).click();
  const codes = section.getByRole('group', { name: '恢复码' });
  await expectPage(codes.getByRole('listitem')).toHaveCount(10);
  const [recovery = '', another = ''] = await codes.getByRole('listitem').allInnerTexts();
  await codes.getByRole('button', { name: '已经存好' }).click();
  await expectPage(section.getByText('已开启')).toBeVisible();

  const other = await visit();
  await signIn(other.page, username);
  const form = other.page.getByRole('form', { name: '两步验证' });
  const code = form.getByLabel('验证码', { exact: true });
  await expectPage(code).toBeFocused();
  await code.fill('000000');
  await form.getByRole('button', { name: '登录' }).click();
  await expectPage(form.getByText('验证码不对，或者已经用过')).toBeVisible();
  await code.fill(recovery);
  await form.getByRole('button', { name: '登录' }).click();
  await other.page.waitForURL('**/home');

  await page.reload();
  await settle(page);
  await expectPage(section.getByText('恢复码还剩 9 个')).toBeVisible();
  await section.getByRole('button', { name: '关闭', exact: true }).click();
  await section.getByLabel('当前密码', { exact: true }).fill(PASSWORD);
  await section.getByRole('button', { name: '关闭两步验证' }).click();
  await expectPage(section.getByText('请填写验证码')).toBeVisible();
  await section.getByLabel('验证码', { exact: true }).fill(another);
  await section.getByRole('button', { name: '关闭两步验证' }).click();
  await expectPage(section.getByText('未开启')).toBeVisible();
  const last = await visit();
  await signIn(last.page, username);
  await last.page.waitForURL('**/home');
  expect(await last.page.title()).toContain('墨页');
});

test('a passkey signs in without name or password, is named otherwise and removed', async ({
  startSite,
  visit,
}) => {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const at = await startSite({ PORT: String(port), SITE_URL: origin });
  await at.join('持钥人');
  const { context, page } = await visit({ at, baseURL: origin });
  await addDevice(page);
  await signIn(page, '持钥人');
  await page.waitForURL('**/home');
  await page.goto('/user/settings');
  const section = region(page, '通行密钥');
  await section.getByRole('button', { name: '添加通行密钥' }).click();
  await section.getByRole('button', { name: '添加', exact: true }).click();
  await expectPage(section.getByText('请填写名称')).toBeVisible();
  await section.getByLabel('名称', { exact: true }).fill('我的手机');
  await section.getByLabel('当前密码', { exact: true }).fill(PASSWORD);
  await section.getByRole('button', { name: '添加', exact: true }).click();
  await expectPage(section.getByRole('listitem')).toHaveCount(1);

  await context.clearCookies();
  // The list of passkeys in the name field has a separate test; this authenticator would answer it
  // immediately.
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false);
  });
  await page.goto('/signin?redirect=/tag/list');
  await page.getByRole('button', { name: '用通行密钥登录' }).click();
  await page.waitForURL(({ pathname }) => pathname === '/tag/list');
  await page.goto('/user/settings');
  await section.getByRole('button', { name: '给通行密钥「我的手机」改名' }).click();
  await section.getByLabel('名称', { exact: true }).fill('旧手机');
  await section.getByRole('button', { name: '保存' }).click();
  await section.getByRole('button', { name: '删除通行密钥「旧手机」' }).click();
  await section.getByLabel('当前密码', { exact: true }).fill(PASSWORD);
  await section.getByRole('button', { name: '删除', exact: true }).click();
  await expectPage(section.getByRole('listitem')).toHaveCount(0);

  await context.clearCookies();
  await page.goto('/signin');
  await page.getByRole('button', { name: '用通行密钥登录' }).click();
  await expectPage(page.getByText('这个通行密钥用不了，请换一种方式登录')).toBeVisible();
});

test(
  'a passkey signs in from the list of names that the browser offers',
  { tags: ['long'] },
  async ({ startSite, visit }) => {
    const port = await freePort();
    const origin = `http://localhost:${port}`;
    const at = await startSite({ PORT: String(port), SITE_URL: origin });
    await at.join('持钥人');
    const { page } = await visit({ at, baseURL: origin });
    await addDevice(page);
    await signIn(page, '持钥人');
    await page.waitForURL('**/home');
    await page.goto('/user/settings');
    const section = region(page, '通行密钥');
    await section.getByRole('button', { name: '添加通行密钥' }).click();
    await section.getByLabel('名称', { exact: true }).fill('我的手机');
    await section.getByLabel('当前密码', { exact: true }).fill(PASSWORD);
    await section.getByRole('button', { name: '添加', exact: true }).click();
    await expectPage(section.getByRole('listitem')).toHaveCount(1);

    await page.context().clearCookies();
    // The virtual authenticator chooses the passkey from the browser's list without user interaction.
    await page.goto('/signin?redirect=/tag/list');
    await page.waitForURL(({ pathname }) => pathname === '/tag/list');
  },
);

test('a forgotten password explains how to get a link, and the operator’s link sets a new one', async ({
  site,
  person,
  visit,
}) => {
  const { page } = await visit();
  await page.goto('/signin');
  await page.getByRole('link', { name: '忘记密码？' }).click();
  await page.getByLabel('用户名或邮箱', { exact: true }).fill(person.username);
  await page.getByRole('button', { name: '发送链接' }).click();
  await expectPage(page.getByText('如果这个账号存在，并且确认过邮箱')).toBeVisible();
  const rescue = { dropsSecondFactor: false };
  const { link } = await site.app.services.recovery.rescue(person.username, rescue, async () => {});
  const { hash } = new URL(link);
  await page.goto(`/reset${hash}`);
  await page.getByLabel('新密码', { exact: true }).fill(NEW_PASSWORD);
  await page.getByLabel('再输一次新密码', { exact: true }).fill(NEW_PASSWORD);
  await page.getByRole('button', { name: '设置新密码' }).click();
  await page.getByRole('link', { name: '用新密码登录' }).click();
  await signIn(page, person.username, NEW_PASSWORD);
  await page.waitForURL('**/home');
  // The link has been used.
  const other = await visit();
  await other.page.goto(`/reset${hash}`);
  await other.page.getByLabel('新密码', { exact: true }).fill(NEW_PASSWORD);
  await other.page.getByLabel('再输一次新密码', { exact: true }).fill(NEW_PASSWORD);
  await other.page.getByRole('button', { name: '设置新密码' }).click();
  await expectPage(other.page.getByText('链接已经用过或者过期了')).toBeVisible();
});

test('a closed account ends with a notice, signed out', async ({ person }) => {
  const { page, context, forgive } = person;
  forgive(/status of 402/);
  await page.goto('/user/settings');
  const section = region(page, '删除账号');
  await section.getByRole('button', { name: '删除账号' }).click();
  await section.getByRole('radio', { name: /^留下/ }).check();
  await section.getByLabel('当前密码', { exact: true }).fill(PASSWORD);
  await section.getByRole('button', { name: '删除账号' }).click();
  const notice = page.getByText('账号已删除，所有设备都已退出登录。公开的文章和评论留在「已注销」名下。');
  await expectPage(notice).toBeFocused();
  await expectPage(page.getByRole('link', { name: '登录', exact: true })).toBeVisible();
  expect((await context.cookies()).map(({ name }) => name)).not.toContain('refreshToken');
  await page.getByRole('link', { name: '回到首页' }).click();
  await page.waitForURL('**/home');
});

test('an account that will be closed shows when, after a reload too, and a way to stop it', async ({
  startSite,
  visit,
}) => {
  const mailbox = await openMailbox();
  try {
    const site = await startSite({ SMTP_URL: mailbox.url, SMTP_FROM: '墨页 <blog@mail.example>' });
    const { viewer } = await site.join('去留');
    const email = { address: 'go@mail.example', address_key: 'go@mail.example', create_time: Date.now() };
    await site.app.db.write((trx) =>
      trx
        .insertInto('user_emails')
        .values({ user_id: viewer.id, ...email })
        .execute(),
    );
    const { page } = await visit({ at: site, username: viewer.username });
    await page.goto('/user/settings');
    const section = region(page, '删除账号');
    await expectPage(section.getByText('7 天后才会删除')).toBeVisible();
    await section.getByRole('button', { name: '删除账号' }).click();
    await section.getByRole('radio', { name: /^留下/ }).check();
    await section.getByLabel('当前密码', { exact: true }).fill(PASSWORD);
    await section.getByRole('button', { name: '删除账号' }).click();
    const due = section.getByRole('status').getByRole('time');
    await expectPage(due).toBeVisible();
    await page.reload();
    const time = (await site.app.services.closing.dueTimeOf(viewer.id)) ?? '';
    await expectPage(due).toHaveAttribute('datetime', time);
    await expectPage(due).toHaveText(formatMinute(time, 'Asia/Shanghai'));
    const close = section.getByRole('button', { name: '删除账号', exact: true });
    await expectPage(close).toHaveCount(0);
    for (const look of looks(LOOKS)) {
      await page.setViewportSize({ width: look.width, height: 800 });
      await page.evaluate((theme) => (document.documentElement.dataset['theme'] = theme), look.theme);
      expect(await violationsOf(page, { include: '#closing' })).toEqual([]);
    }
    await section.getByRole('button', { name: '撤销，不删除账号' }).click();
    await expectPage(close).toBeVisible();
    expect(await site.app.services.closing.dueTimeOf(viewer.id)).toBeNull();
  } finally {
    await mailbox.close();
  }
});
