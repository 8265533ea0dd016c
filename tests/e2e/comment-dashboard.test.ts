import type { Page } from '@playwright/test';
import { describe, expect } from 'vitest';
import { test as base } from './fixtures.ts';

const test = base.extend('username', ({ people }) => people.author.username);

/** The panel of the previous tab is removed only in the next frame. */
const panel = (page: Page) => page.locator('[role=tabpanel]:not([inert])');
const items = (page: Page) => panel(page).getByRole('article');
const status = (page: Page) => panel(page).getByRole('status').first();
const tab = (page: Page, name: string) => page.getByRole('tab', { name });

describe('comments I received', () => {
  test(
    'show author, time, text, parent and article; the article links to the comment',
    { tags: ['long'] },
    async ({ page, people }) => {
      const { author, reader, article, comment } = people;
      await comment(reader, '写得真好 <b>赞</b>\n第二行');
      await comment(author, '谢谢\n夸奖');
      const reply = { reply_user: author.username, reply_content: '谢谢\n夸奖' };
      const answer = await comment(reader, '不客气', reply);
      await comment(author, '自己的评论不算收到');
      await page.goto('/comment/list');
      await expect.poll(() => status(page).textContent()).toBe('共 2 条');
      const [first, second] = [items(page).nth(0), items(page).nth(1)];
      expect(await first.innerText()).toContain('不客气');
      expect(await first.getByRole('blockquote').innerText()).toContain('谢谢 夸奖');
      expect(await second.innerText()).toContain('写得真好 <b>赞</b>\n第二行');
      expect(await second.locator('time').innerText()).toBe('刚刚');
      const writer = second.getByRole('link', { name: reader.username });
      expect(await writer.getAttribute('href')).toBe(`/user/info/${encodeURIComponent(reader.username)}`);
      const place = first.getByRole('link', { name: '文章' });
      expect(await place.getAttribute('href')).toBe(`/detail/${article}#UI-comment-${answer._id}`);
    },
  );

  test(
    'are replied to in place; the reply quotes them, and its draft is kept',
    { tags: ['long'] },
    async ({ page, people, site }) => {
      const { reader, article, comment } = people;
      await comment(reader, '先问的');
      await comment(reader, '后问的');
      await page.goto('/comment/list');
      const boxUnder = (text: string) => items(page).filter({ hasText: text }).getByRole('textbox');
      const answer = (text: string) =>
        items(page).filter({ hasText: text }).getByRole('button', { name: /^回复/ }).click();
      await answer('先问的');
      await expect
        .poll(() => boxUnder('先问的').evaluate((box) => box === document.activeElement))
        .toBe(true);
      await page.keyboard.type('写到一半');
      await answer('后问的');
      expect(await items(page).getByRole('textbox').count()).toBe(1);
      await page.keyboard.type('答后问的');
      await page.getByRole('button', { name: '发表回复' }).click();
      await page.getByText('回复已发表').waitFor();
      expect(await items(page).getByRole('textbox').count()).toBe(0);
      const batches = await Array.fromAsync(site.app.services.comments.newestUnder(article, null));
      expect(batches.flat()[0]?.comment).toMatchObject({
        content: '答后问的',
        reply_user: reader.username,
        reply_content: '后问的',
      });
      await answer('先问的');
      expect(await boxUnder('先问的').inputValue()).toBe('写到一半');
      await page.getByRole('button', { name: '查看' }).click();
      await page.waitForURL(`**/detail/${article}*`);
      await expect.poll(() => page.locator('li[aria-current=true]').innerText()).toContain('答后问的');
    },
  );

  test(
    'exactly those on the page become read, and stay marked until the page is left',
    { tags: ['long'] },
    async ({ page, people }) => {
      const { reader, comment, unread } = people;
      for (let number = 1; number <= 12; number++) await comment(reader, `第 ${number} 条`);
      await page.goto('/comment/list');
      await expect.poll(unread).toBe(2);
      expect(await items(page).filter({ hasText: '未读' }).count()).toBe(10);
      await page.getByRole('link', { name: '下一页' }).click();
      await page.getByText('第 1 条', { exact: true }).waitFor();
      await expect.poll(unread).toBe(0);
      expect(await items(page).filter({ hasText: '未读' }).count()).toBe(2);
      await page.goBack();
      await page.getByText('第 12 条').waitFor();
      expect(await items(page).filter({ hasText: '未读' }).count()).toBe(10);
      await page.reload();
      await page.getByText('第 12 条').waitFor();
      expect(await page.getByText('未读', { exact: true }).count()).toBe(0);
    },
  );

  test('viewing 我发起的 marks nothing as read', { tags: ['long'] }, async ({ page, people }) => {
    const { reader, comment, unread } = people;
    await comment(reader, '给作者的话');
    await page.goto('/comment/list?tab=sent');
    await page.getByText('还没有发表过评论').waitFor();
    expect(await unread()).toBe(1);
  });

  test('a hidden page marks nothing until it is visible', { tags: ['long'] }, async ({ page, people }) => {
    const { reader, comment, unread } = people;
    await comment(reader, '后台打开的页面');
    await page.addInitScript(() => {
      const state = window as Window & { isHidden?: boolean };
      state.isHidden = true;
      Object.defineProperty(document, 'visibilityState', {
        get: () => (state.isHidden ? 'hidden' : 'visible'),
      });
    });
    const told: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/updatecommentstatus')) told.push(request.postData() ?? '');
    });
    await page.goto('/comment/list');
    await page.getByText('后台打开的页面').waitFor();
    await page.waitForLoadState('networkidle');
    expect(told).toEqual([]);
    expect(await items(page).filter({ hasText: '未读' }).count()).toBe(1);
    await page.evaluate(() => {
      (window as Window & { isHidden?: boolean }).isHidden = false;
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await expect.poll(unread).toBe(0);
  });

  test('failed marks are retried later, and stay', { tags: ['long'] }, async ({ guest, page, people }) => {
    const { reader, comment, unread } = people;
    await comment(reader, '网络断了');
    guest.forgive(/ERR_FAILED|Failed to fetch|网络不通/);
    await page.clock.install();
    await page.route('**/updatecommentstatus', (route) => route.abort());
    const failed = page.waitForEvent('requestfailed');
    await page.goto('/comment/list');
    await failed;
    expect(await unread()).toBe(1);
    expect(await items(page).filter({ hasText: '未读' }).count()).toBe(1);
    await page.unroute('**/updatecommentstatus');
    await page.clock.runFor(31_000);
    await expect.poll(unread).toBe(0);
    expect(await items(page).filter({ hasText: '未读' }).count()).toBe(1);
  });

  test('long ones are folded, 展开全文 shows the rest', { tags: ['long'] }, async ({ page, people }) => {
    const { reader, comment } = people;
    await comment(reader, `${'很长的一段话。'.repeat(200)}结尾`);
    await comment(reader, '短的');
    await page.goto('/comment/list');
    const long = items(page).nth(1);
    const height = async () => (await long.boundingBox())?.height ?? 0;
    await page.getByText('展开全文').waitFor();
    expect(await page.getByText('展开全文').count()).toBe(1);
    const cut = await height();
    await page.getByText('展开全文').click();
    expect(await height()).toBeGreaterThan(cut * 1.5);
    await page.getByText('收起').click();
    await expect.poll(height).toBe(cut);
  });

  test('an @ in a reply offers the article’s participants', async ({ page, people, site }) => {
    const { viewer } = await site.join('第三人');
    await people.comment(viewer, '我也说一句');
    await people.comment(people.reader, '先问的');
    await page.goto('/comment/list');
    const asked = items(page).filter({ hasText: '先问的' });
    await asked.getByRole('button', { name: /^回复/ }).click();
    await page.keyboard.type('问问 @');
    const names = page.getByRole('listbox', { name: '提到谁' }).getByRole('option');
    await expect.poll(() => names.allInnerTexts()).toEqual([people.reader.username, '第三人']);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect(await asked.getByRole('textbox').inputValue()).toBe('问问 @第三人 ');
  });

  test(
    'those on my article can be deleted, a reply to me under another one cannot',
    { tags: ['long'] },
    async ({ page, people, meet }) => {
      const other = await meet();
      await people.comment(people.reader, '留在我的文章下');
      await other.comment(other.author, '别处的回复', {
        reply_user: people.author.username,
        reply_content: '',
      });
      await page.goto('/comment/list');
      await expect.poll(() => status(page).textContent()).toBe('共 2 条');
      const elsewhere = items(page).filter({ hasText: '别处的回复' });
      expect(await elsewhere.getByRole('button', { name: '删除' }).count()).toBe(0);
      const own = items(page).filter({ hasText: '留在我的文章下' });
      await own.getByRole('button', { name: '删除' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: '删除' }).click();
      await expect.poll(() => status(page).textContent()).toBe('共 1 条');
      expect(await page.getByText('留在我的文章下').count()).toBe(0);
    },
  );

  test('none yet: a message', { tags: ['long'] }, async ({ page }) => {
    await page.goto('/comment/list');
    await page.getByText('还没有收到评论').waitFor();
    expect(await items(page).count()).toBe(0);
  });
});

describe('comments I wrote', () => {
  test.override('username', ({ people }) => people.reader.username);

  test('have a tab of their own, which Back and reload keep, and can be deleted', async ({
    page,
    people,
  }) => {
    const { author, reader, comment } = people;
    for (let number = 1; number <= 11; number++) await comment(reader, `我写的第 ${number} 条`);
    await comment(author, '作者的回复', { reply_user: reader.username, reply_content: '我写的第 1 条' });
    await page.goto('/comment/list');
    await page.getByText('作者的回复').waitFor();
    await tab(page, '我发起的').click();
    await page.getByText('我写的第 11 条').waitFor();
    expect(await items(page).count()).toBe(10);
    expect(new URL(page.url()).search).toBe('?tab=sent');
    await page.reload();
    await page.getByText('我写的第 11 条').waitFor();
    expect(await tab(page, '我发起的').getAttribute('aria-selected')).toBe('true');
    await page.goBack();
    await page.getByText('作者的回复').waitFor();
    await tab(page, '我收到的').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.getByText('我写的第 11 条').waitFor();
    await page.getByRole('link', { name: '下一页' }).click();
    await page.getByText('我写的第 1 条', { exact: true }).waitFor();
    await page.getByRole('button', { name: '删除' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: '删除' }).click();
    await page.getByText('我写的第 11 条').waitFor();
    await expect.poll(() => status(page).textContent()).toBe('共 10 条');
    expect(new URL(page.url()).search).toBe('?tab=sent');
  });

  test('under an article that was hidden are gone', { tags: ['long'] }, async ({ site, page, people }) => {
    const { author, reader, article, comment } = people;
    await comment(reader, '文章变成私密之前');
    const fields = { title: '文章', content: '正文', tags: ['随笔'], status: 'normal' as const, type: '' };
    await site.app.services.articles.edit({ id: article, ...fields, secret: true }, author);
    await page.goto('/comment/list?tab=sent');
    await page.getByText('还没有发表过评论').waitFor();
    expect(await page.content()).not.toContain('文章变成私密之前');
  });
});
