import { describe, expect } from 'vitest';
import { test as base } from './fixtures.ts';
import { overflowOf } from './sign-form.ts';

const BIO = '写字的人，住在山里。\n偶尔写代码。';

/** Profile of an author whose bio is `BIO` at the start of each test. */
const test = base
  .extend('username', async ({ site, author }) => {
    await site.app.services.users.updateBio(author, BIO);
    return author.username;
  })
  .extend('profile', ({ page }) => {
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    return {
      button,
      bioField: page.getByRole('textbox', { name: '个人简介' }),
      isFocused: (name: string) => button(name).evaluate((element) => element === document.activeElement),
      async edit(): Promise<void> {
        await page.goto('/user/info/林间');
        await button('编辑资料').click();
      },
    };
  });

describe('editing the bio', () => {
  test(
    'the text on the page follows at once, as text with its line breaks',
    { tags: ['long'] },
    async ({ site, page, profile }) => {
      await profile.edit();
      expect(await profile.bioField.inputValue()).toBe(BIO);
      const text = '第一行 <b>粗</b>\n第二行 👩‍🚀';
      await profile.bioField.fill(`  ${text}  `);
      await page.getByText(`${[...text].length} / 500`).waitFor();
      await profile.button('保存').click();
      await profile.button('编辑资料').waitFor();
      expect(await profile.isFocused('编辑资料')).toBe(true);
      expect(await page.locator('main').innerText()).toContain(text);
      expect(await page.locator('main b').count()).toBe(0);
      expect((await site.app.services.users.detail('林间')).bio).toBe(text);
      await page.reload();
      await profile.button('编辑资料').waitFor();
      expect((await page.locator('main').innerText()).split('第二行').length).toBe(2);
    },
  );

  test('the gender is edited next to it, and shown to everyone', async ({ visit, page, profile }) => {
    await profile.edit();
    await page.getByRole('radio', { name: '女' }).check();
    await profile.button('取消').click();
    await page.getByRole('alertdialog').getByRole('button', { name: '放弃修改' }).click();
    await profile.button('编辑资料').click();
    expect(await page.getByRole('radio', { name: '保密' }).isChecked()).toBe(true);
    await page.getByRole('radio', { name: '女' }).check();
    await profile.button('保存').click();
    await profile.button('编辑资料').waitFor();
    const reader = await visit();
    for (const each of [page, reader.page]) {
      await each.goto('/user/info/林间');
      await each.getByText('女', { exact: true }).filter({ visible: true }).waitFor();
      expect(await each.locator('main').innerText()).toContain(BIO);
    }
    // Only other readers may report the profile.
    expect(await reader.page.getByRole('link', { name: '举报' }).count()).toBe(1);
    await expect.poll(() => page.getByRole('link', { name: '举报' }).count()).toBe(0);
  });

  test('may be cleared, and written from empty', { tags: ['long'] }, async ({ site, page, profile }) => {
    await profile.edit();
    await profile.bioField.fill('');
    await profile.button('保存').click();
    await profile.button('编辑资料').click();
    await profile.bioField.fill('又有了');
    await profile.bioField.press('Control+Enter');
    await profile.button('编辑资料').waitFor();
    expect(await page.locator('main').innerText()).toContain('又有了');
    expect((await site.app.services.users.detail('林间')).bio).toBe('又有了');
  });

  test(
    'more than 500 characters are counted, refused and kept',
    { tags: ['long'] },
    async ({ page, profile }) => {
      await profile.edit();
      await profile.bioField.fill('😀'.repeat(501));
      await page.getByText('501 / 500').waitFor();
      await profile.button('保存').click();
      await page.getByText('个人简介不能超过 500 个字符').waitFor();
      await profile.bioField.fill('😀'.repeat(500));
      await profile.button('保存').click();
      await profile.button('编辑资料').waitFor();
      expect(await overflowOf(page)).toBe(0);
    },
  );

  test('Escape leaves at once when nothing has changed, and asks when something has', async ({
    site,
    page,
    profile,
  }) => {
    await profile.edit();
    await profile.bioField.press('Escape');
    await profile.button('编辑资料').click();
    await profile.bioField.fill('想了很久的句子');
    await profile.bioField.press('Escape');
    const question = page.getByRole('alertdialog');
    await question.getByRole('button', { name: '取消' }).click();
    expect(await profile.bioField.inputValue()).toBe('想了很久的句子');
    await profile.button('取消').click();
    await question.getByRole('button', { name: '放弃修改' }).click();
    await profile.button('编辑资料').waitFor();
    expect(await page.locator('main').innerText()).toContain(BIO);
    expect((await site.app.services.users.detail('林间')).bio).toBe(BIO);
  });

  test(
    'typed text survives a failed call and a reload',
    { tags: ['long'] },
    async ({ site, guest, page, profile }) => {
      guest.forgive(/ERR_INTERNET_DISCONNECTED/);
      await profile.edit();
      // Islands that load without interaction are hydrated.
      await expect.poll(() => page.locator('astro-island[ssr]').count()).toBe(0);
      await profile.bioField.fill('断网时写下的');
      await guest.context.setOffline(true);
      await profile.button('保存').click();
      await expect.poll(() => page.locator('form').getByRole('alert').innerText()).toContain('网络不通');
      expect(await profile.bioField.inputValue()).toBe('断网时写下的');
      await guest.context.setOffline(false);
      await page.reload();
      await expect.poll(() => profile.bioField.inputValue()).toBe('断网时写下的');
      await profile.button('保存').click();
      await profile.button('编辑资料').waitFor();
      expect((await site.app.services.users.detail('林间')).bio).toBe('断网时写下的');
    },
  );

  test('typed text survives signing in again', { tags: ['long'] }, async ({ site, guest, page, profile }) => {
    guest.forgive(/402/);
    await profile.edit();
    await profile.bioField.fill('登录过期时写下的');
    // Signed out elsewhere: all sign-ins of the account have ended.
    await site.app.services.auth.setPassword('林间', 'correct horse');
    await profile.button('保存').click();
    await page.waitForURL(/\/signin\?redirect=/);
    await page.getByLabel('用户名', { exact: true }).fill('林间');
    await page.getByLabel('密码', { exact: true }).fill('correct horse');
    await profile.button('登录').click();
    await page.waitForURL(/\/user\/info\//);
    await expect.poll(() => profile.bioField.inputValue()).toBe('登录过期时写下的');
  });

  test('a double click saves once', async ({ page, profile }) => {
    await profile.edit();
    let saves = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/updatebio')) saves += 1;
    });
    await profile.bioField.fill('只存一次');
    await profile.button('保存').dblclick();
    await profile.button('编辑资料').waitFor();
    expect(saves).toBe(1);
  });

  test(
    'the Escape that ends a composition closes nothing',
    { tags: ['long'] },
    async ({ guest, page, profile }) => {
      await profile.edit();
      await profile.bioField.fill('写到一半');
      const devtools = await guest.context.newCDPSession(page);
      await devtools.send('Input.imeSetComposition', { text: 'pin', selectionStart: 3, selectionEnd: 3 });
      const key = { key: 'Escape', code: 'Escape', windowsVirtualKeyCode: 229 };
      await devtools.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...key });
      await devtools.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key });
      await devtools.send('Input.insertText', { text: '拼' });
      expect(await page.getByRole('alertdialog').count()).toBe(0);
      expect(await profile.bioField.inputValue()).toBe('写到一半拼');
    },
  );

  test(
    'a name in another case in the cookie is still the owner',
    { tags: ['long'] },
    async ({ site, visit }) => {
      await site.join('Ink');
      const other = await visit({ username: 'iNK' });
      await other.page.goto('/user/info/ink');
      const edit = other.page.getByRole('button', { name: '编辑资料' });
      await edit.waitFor();
      expect(await other.page.getByRole('heading', { level: 1 }).innerText()).toBe('Ink');
    },
  );
});
