import type { Browser, Page } from '@playwright/test';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { launchBrowser } from './browser.ts';
import { overflowOf } from './sign-form.ts';
import { openSite, type Site } from './site.ts';
import { visit, type Visit } from './visit.ts';

const BIO = '写字的人，住在山里。\n偶尔写代码。';

let site: Site;
let browser: Browser;
let owner: Visit;
let page: Page;

beforeAll(async () => {
  site = await openSite();
  browser = await launchBrowser();
  for (const name of ['林间', 'Ink', '路人']) await site.join(name);
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});
beforeEach(async () => {
  await setBio(BIO);
  owner = await visit(browser, site, { username: '林间' });
  page = owner.page;
});
afterEach(() => owner.end());

async function setBio(bio: string): Promise<void> {
  const user = await site.app.services.users.detail('林间');
  await site.app.services.users.updateBio({ id: user._id, username: user.username }, bio);
}

const button = (name: string) => page.getByRole('button', { name, exact: true });
const bioField = () => page.getByRole('textbox', { name: '个人简介' });
const isFocused = (name: string) => button(name).evaluate((element) => element === document.activeElement);

describe('editing the bio', () => {
  async function edit(): Promise<void> {
    await page.goto('/user/info/林间');
    await button('编辑简介').click();
  }

  test('the text on the page follows at once, as text with its line breaks', async () => {
    await edit();
    expect(await bioField().inputValue()).toBe(BIO);
    const text = '第一行 <b>粗</b>\n第二行 👩‍🚀';
    await bioField().fill(`  ${text}  `);
    await page.getByText(`${[...text].length} / 500`).waitFor();
    await button('保存').click();
    await button('编辑简介').waitFor();
    expect(await isFocused('编辑简介')).toBe(true);
    expect(await page.locator('main').innerText()).toContain(text);
    expect(await page.locator('main b').count()).toBe(0);
    expect((await site.app.services.users.detail('林间')).bio).toBe(text);
    await page.reload();
    await button('编辑简介').waitFor();
    expect((await page.locator('main').innerText()).split('第二行').length).toBe(2);
  });

  test('may be emptied, and begun from nothing', async () => {
    await edit();
    await bioField().fill('');
    await button('保存').click();
    await button('写几句介绍自己').click();
    await bioField().fill('又有了');
    await bioField().press('Control+Enter');
    await button('编辑简介').waitFor();
    expect(await page.locator('main').innerText()).toContain('又有了');
    expect((await site.app.services.users.detail('林间')).bio).toBe('又有了');
  });

  test('more than 500 characters are counted, refused and kept', async () => {
    await edit();
    await bioField().fill('😀'.repeat(501));
    await page.getByText('501 / 500').waitFor();
    await button('保存').click();
    await page.getByText('个人简介不能超过 500 个字符').waitFor();
    await bioField().fill('😀'.repeat(500));
    await button('保存').click();
    await button('编辑简介').waitFor();
    expect(await overflowOf(page)).toBe(0);
  });

  test('Escape leaves at once when nothing has changed, and asks when something has', async () => {
    await edit();
    await bioField().press('Escape');
    await button('编辑简介').click();
    await bioField().fill('想了很久的句子');
    await bioField().press('Escape');
    const question = page.getByRole('alertdialog');
    await question.getByRole('button', { name: '取消' }).click();
    expect(await bioField().inputValue()).toBe('想了很久的句子');
    await button('取消').click();
    await question.getByRole('button', { name: '放弃修改' }).click();
    await button('编辑简介').waitFor();
    expect(await page.locator('main').innerText()).toContain(BIO);
    expect((await site.app.services.users.detail('林间')).bio).toBe(BIO);
  });

  test('what was typed survives a failed call and a reload', async () => {
    owner.forgive(/ERR_INTERNET_DISCONNECTED/);
    await edit();
    // Everything that hydrates by itself has its code.
    await expect.poll(() => page.locator('astro-island[ssr]').count()).toBe(0);
    await bioField().fill('断网时写下的');
    await owner.context.setOffline(true);
    await button('保存').click();
    await expect.poll(() => page.locator('form').getByRole('alert').innerText()).toContain('网络不通');
    expect(await bioField().inputValue()).toBe('断网时写下的');
    await owner.context.setOffline(false);
    await page.reload();
    await expect.poll(() => bioField().inputValue()).toBe('断网时写下的');
    await button('保存').click();
    await button('编辑简介').waitFor();
    expect((await site.app.services.users.detail('林间')).bio).toBe('断网时写下的');
  });

  test('what was typed survives signing in again', async () => {
    owner.forgive(/402/);
    await edit();
    await bioField().fill('登录过期时写下的');
    // Signed out elsewhere: every sign-in of the account has ended.
    await site.app.services.auth.setPassword('林间', 'correct horse');
    await button('保存').click();
    await page.waitForURL(/\/signin\?redirect=/);
    await page.getByLabel('用户名', { exact: true }).fill('林间');
    await page.getByLabel('密码', { exact: true }).fill('correct horse');
    await button('登录').click();
    await page.waitForURL(/\/user\/info\//);
    await expect.poll(() => bioField().inputValue()).toBe('登录过期时写下的');
  });

  test('a double click saves once', async () => {
    await edit();
    let saves = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/updatebio')) saves += 1;
    });
    await bioField().fill('只存一次');
    await button('保存').dblclick();
    await button('编辑简介').waitFor();
    expect(saves).toBe(1);
  });

  test('the Escape that ends a composition ends nothing else', async () => {
    await edit();
    await bioField().fill('写到一半');
    const devtools = await owner.context.newCDPSession(page);
    await devtools.send('Input.imeSetComposition', { text: 'pin', selectionStart: 3, selectionEnd: 3 });
    const key = { key: 'Escape', code: 'Escape', windowsVirtualKeyCode: 229 };
    await devtools.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...key });
    await devtools.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key });
    await devtools.send('Input.insertText', { text: '拼' });
    expect(await page.getByRole('alertdialog').count()).toBe(0);
    expect(await bioField().inputValue()).toBe('写到一半拼');
  });

  test('a name written otherwise in the cookie is still the owner', async () => {
    const other = await visit(browser, site, { username: 'iNK' });
    await other.page.goto('/user/info/ink');
    const edit = other.page.getByRole('button', { name: '写几句介绍自己' });
    await edit.waitFor();
    expect(await other.page.getByRole('heading', { level: 1 }).innerText()).toBe('Ink');
    await other.end();
  });
});
