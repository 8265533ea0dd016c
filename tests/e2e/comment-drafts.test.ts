import type { Page } from '@playwright/test';
import { describe, expect } from 'vitest';
import { answerOf, boxOf, itemOf, live, OTHER, READER, submitOf, test } from './comment-stage.ts';
import { signInCookies } from './visit.ts';

describe('typed text', () => {
  test('survives a reload and closing the tab, with its parent', { tags: ['long'] }, async ({ stage }) => {
    await stage.put(OTHER, '竹喧归浣女');
    const { page, tab } = await stage.open(READER);
    await itemOf(page, '竹喧归浣女').getByRole('button', { name: '回复' }).click();
    await page.keyboard.type('莲动下渔舟');
    await page.reload();
    await expect.poll(() => answerOf(page, OTHER).inputValue()).toBe('莲动下渔舟');
    await page.close();
    const later = await tab();
    await later.goto(stage.path);
    await expect.poll(() => answerOf(later, OTHER).inputValue()).toBe('莲动下渔舟');
    await later.getByRole('button', { name: '发表回复' }).click();
    await itemOf(later, '莲动下渔舟').waitFor();
    expect((await stage.stored())[0]).toMatchObject({ reply_user: OTHER, reply_content: '竹喧归浣女' });
    await later.reload();
    await live(later);
    expect(await answerOf(later, OTHER).count()).toBe(0);
  });

  test('survives a failed call, and can be sent when the network is back', async ({ stage }) => {
    const { page, context, forgive } = await stage.open(READER);
    forgive(/ERR_INTERNET_DISCONNECTED|网络不通|WebSocket/);
    // Islands that load without interaction are hydrated.
    await page
      .getByRole('button', { name: /^账户，/ })
      .and(page.locator('[aria-controls]'))
      .waitFor();
    await page.waitForLoadState('networkidle');
    await boxOf(page).fill('断网时写的');
    await context.setOffline(true);
    await submitOf(page).click();
    await page.getByRole('alert').filter({ hasText: '网络不通' }).waitFor();
    expect(await boxOf(page).inputValue()).toBe('断网时写的');
    await context.setOffline(false);
    await submitOf(page).click();
    await itemOf(page, '断网时写的').waitFor();
    expect(await stage.stored()).toHaveLength(1);
  });

  test(
    'stays when the article was deleted meanwhile; the server says so',
    { tags: ['long'] },
    async ({ stage }) => {
      const { page } = await stage.open(READER);
      await boxOf(page).fill('来晚了');
      await stage.burn();
      await submitOf(page).click();
      await page.getByText('文章不存在或已被删除').waitFor();
      expect(await boxOf(page).inputValue()).toBe('来晚了');
    },
  );

  test(
    'stays when the reader signs out in another tab, hidden from others',
    { tags: ['long'] },
    async ({ site, stage }) => {
      const { page, context } = await stage.open(READER);
      await boxOf(page).fill('只给自己看');
      const cookies = await context.cookies();
      await context.clearCookies();
      await page.evaluate(() => new BroadcastChannel('moye-session').postMessage('changed'));
      await page.locator('#UI-comment-box').getByRole('link', { name: '登录' }).waitFor();
      await context.addCookies(await signInCookies(site, OTHER));
      await page.reload();
      await boxOf(page).waitFor();
      expect(await boxOf(page).inputValue()).toBe('');
      await context.addCookies(cookies);
      await page.reload();
      await expect.poll(() => boxOf(page).inputValue()).toBe('只给自己看');
    },
  );

  test(
    'survives an expired sign-in: after signing in again, the focused box has it',
    { tags: ['long'] },
    async ({ site, stage }) => {
      const { page, context, forgive } = await stage.open(READER);
      forgive(/402|登录/);
      await boxOf(page).fill('会话过期时写的');
      for (const name of ['token', 'refreshToken'])
        await context.addCookies([{ name, value: 'a.b.c', url: site.url }]);
      await submitOf(page).click();
      await signIn(page, stage.path);
      await expect.poll(() => boxOf(page).inputValue()).toBe('会话过期时写的');
      await expect.poll(() => boxOf(page).evaluate((box) => box === document.activeElement)).toBe(true);
      await page.keyboard.press('Control+Enter');
      await itemOf(page, '会话过期时写的').waitFor();
      expect(await stage.stored()).toHaveLength(1);
    },
  );

  test('a visitor is led to sign in and back to the box', { tags: ['long'] }, async ({ stage }) => {
    const { page } = await stage.open();
    await page.locator('#UI-comment-box').getByRole('link', { name: '登录' }).click();
    await signIn(page, stage.path);
    await expect.poll(() => boxOf(page).evaluate((box) => box === document.activeElement)).toBe(true);
    expect(new URL(page.url()).pathname).toBe(stage.path);
  });
});

/** Fills in the sign-in page, which redirects back to the article. */
async function signIn(page: Page, path: string): Promise<void> {
  await page.waitForURL((url) => url.pathname === '/signin');
  await page.getByLabel('用户名', { exact: true }).fill(READER);
  await page.getByLabel('密码', { exact: true }).fill('correct horse');
  await page.getByRole('main').getByRole('button', { name: '登录', exact: true }).click();
  await page.waitForURL((url) => url.pathname === path);
}
