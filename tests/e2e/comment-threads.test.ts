import type { Page } from '@playwright/test';
import { describe, expect } from 'vitest';
import { fillThread } from '../api/long-thread.ts';
import { focused, itemOf, items, live, OTHER, READER, test as base, touch } from './comment-stage.ts';
import { AUTHOR } from './fixtures.ts';

/** Number of comments in the thread of `long`. */
const TOTAL = 1000;

const test = base.extend('long', { scope: 'file' }, async ({ site, author, readers }) => {
  const article = await site.write(author, { title: '长卷', content: '正文。' });
  const text = (number: number) => `第 ${number} 条。`;
  const writer = readers[READER].username;
  const ids = await fillThread(site.app, { articleId: article, writer, count: TOTAL, text });
  return { article, idOf: (number: number) => ids[number - 1] ?? '' };
});

describe('deleting', () => {
  const removal = (page: Page, text: string) => itemOf(page, text).getByRole('button', { name: /^删除/ });
  const confirm = (page: Page) => page.getByRole('alertdialog').getByRole('button', { name: '删除' }).click();

  test(
    'is offered for own comments, for all on one’s own article, and to no one else',
    { tags: ['long'] },
    async ({ stage }) => {
      await stage.put(READER, '读者写的');
      await stage.put(OTHER, '旁人写的');
      const seen = async (name?: string) => {
        const { page } = await stage.open(name);
        await touch(page);
        await live(page);
        return [await removal(page, '读者写的').count(), await removal(page, '旁人写的').count()];
      };
      expect(await seen(READER)).toEqual([1, 0]);
      expect(await seen(AUTHOR)).toEqual([1, 1]);
      expect(await seen()).toEqual([0, 0]);
    },
  );

  test(
    'an own comment asks first, then is removed with the focus on the next',
    { tags: ['long'] },
    async ({ stage }) => {
      await stage.put(OTHER, '下一条');
      await stage.put(READER, '写错了的');
      const { page } = await stage.open(READER);
      await removal(page, '写错了的').click();
      await page.getByRole('alertdialog').getByRole('button', { name: '取消' }).click();
      expect(await itemOf(page, '写错了的').count()).toBe(1);
      await removal(page, '写错了的').click();
      await confirm(page);
      await itemOf(page, '写错了的').waitFor({ state: 'detached' });
      await page.getByRole('status').filter({ hasText: '评论已删除' }).waitFor({ state: 'attached' });
      await expect.poll(() => focused(page)).toContain('下一条');
      expect((await stage.stored()).map(({ content }) => content)).toEqual(['下一条']);
      await page.reload();
      await live(page);
      expect(await items(page).count()).toBe(1);
    },
  );

  test('a reader’s comment under one’s own article; the last one leaves an empty state', async ({
    stage,
  }) => {
    await stage.put(READER, '广告');
    const { page } = await stage.open(AUTHOR);
    await removal(page, '广告').click();
    await confirm(page);
    await page.getByText('还没有人评论').waitFor();
    await expect.poll(stage.stored).toEqual([]);
  });

  test('on failure restores the comment and offers a retry', async ({ stage }) => {
    await stage.put(READER, '删不掉');
    const { page, forgive } = await stage.open(READER);
    forgive(/ERR_FAILED|网络不通/);
    await page.route('**/api/comment/delete', (route) => route.abort());
    await removal(page, '删不掉').click();
    await confirm(page);
    await page.getByText('网络不通').waitFor();
    expect(await itemOf(page, '删不掉').count()).toBe(1);
    await page.unroute('**/api/comment/delete');
    await page.getByRole('button', { name: '重试' }).click();
    await itemOf(page, '删不掉').waitFor({ state: 'detached' });
    await expect.poll(stage.stored).toEqual([]);
  });
});

test(
  'a long comment is folded without script too, and open when the URL names it',
  { tags: ['long'] },
  async ({ browser, site, stage }) => {
    const text = `${'说来话长。'.repeat(300)}完。`;
    const id = await stage.put(OTHER, text);
    await stage.put(OTHER, '短。');
    const context = await browser.newContext({ javaScriptEnabled: false, baseURL: site.url });
    const plain = await context.newPage();
    await plain.goto(stage.path);
    const height = (page: Page) =>
      itemOf(page, '说来话长')
        .locator('div[dir=auto]')
        .evaluate((box) =>
          Math.round(box.clientHeight / Number.parseFloat(getComputedStyle(box).lineHeight)),
        );
    expect(await height(plain)).toBe(12);
    expect(await plain.getByText('展开全文').count()).toBe(1);
    await plain.locator('summary', { hasText: '展开全文' }).press('Enter');
    expect(await height(plain)).toBeGreaterThan(30);
    await plain.locator('summary', { hasText: '收起' }).press('Enter');
    expect(await height(plain)).toBe(12);
    await context.close();

    const { page } = await stage.open(undefined, { at: `${stage.path}#UI-comment-${id}` });
    await live(page);
    expect(await height(page)).toBeGreaterThan(30);
    expect(await page.getByText('展开全文').isVisible()).toBe(false);
  },
);

describe('a long thread', () => {
  test.override('article', ({ long }) => long.article);
  const isInView = (page: Page, id: string) =>
    page.locator(`#UI-comment-${id}`).evaluate((item) => {
      const { top, bottom } = item.getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    });

  test('is shown twenty at a time; the next step has the focus', async ({ stage }) => {
    const { page } = await stage.open(READER);
    await live(page);
    expect(await items(page).count()).toBe(20);
    const nodes = await page.locator('#UI-comments *').count();
    expect(nodes).toBeLessThan(20 * 26);
    await page.getByRole('button', { name: /^显示更多评论/ }).click();
    expect(await items(page).count()).toBe(40);
    await expect.poll(() => focused(page)).toContain(`第 ${TOTAL - 20} 条。`);
    await page.getByRole('button', { name: /^显示更多评论/ }).press('Enter');
    await expect.poll(() => items(page).count()).toBe(60);
  });

  test(
    'can be read to its oldest comment, and says how many are left',
    { tags: ['long'] },
    async ({ stage }) => {
      const { page } = await stage.open(undefined, { at: `${stage.path}?page=46` });
      await touch(page);
      await live(page);
      expect(await page.getByRole('heading', { name: /^评论\s*1000$/ }).count()).toBe(1);
      expect(await items(page).first().innerText()).toContain('第 100 条。');
      const more = page.getByRole('button', { name: /^显示更多评论/ });
      for (const left of [80, 60, 40, 20]) {
        expect(await more.innerText()).toContain(`还有 ${left} 条`);
        await more.click();
        await expect.poll(() => items(page).count()).toBe(120 - left);
      }
      expect(await items(page).last().innerText()).toContain('第 1 条。');
      expect(await more.count()).toBe(0);
    },
  );

  test('is sent to legacy clients as its newest 500', { tags: ['long'] }, async ({ site, long }) => {
    const body = new URLSearchParams({ page_id: long.article });
    const answer = await fetch(`${site.url}/api/comment/getpagecommentlist`, {
      method: 'POST',
      body,
    });
    const { data } = (await answer.json()) as { data: { content: string }[] };
    expect(data.map(({ content }) => content)).toEqual(
      Array.from({ length: 500 }, (_, index) => `第 ${TOTAL - index} 条。`),
    );
  });

  test('can be read completely without script', { tags: ['long'] }, async ({ browser, site, stage }) => {
    const context = await browser.newContext({ javaScriptEnabled: false, baseURL: site.url });
    const page = await context.newPage();
    await page.goto(stage.path);
    const seen = [await items(page).count()];
    for (const number of ['2', '50']) {
      const pages = page.getByRole('navigation', { name: '分页' }).last();
      await pages.getByRole('link', { name: `第 ${number} 页` }).click();
      await page.waitForURL((url) => url.searchParams.get('page') === number);
      seen.push(await items(page).count());
      const top = () => page.locator('#UI-comments').evaluate((list) => list.getBoundingClientRect().top);
      await expect.poll(top).toBeLessThan(200);
    }
    expect(seen).toEqual([20, 20, 20]);
    expect(await items(page).last().innerText()).toContain('第 1 条。');
    await page.goto(`${stage.path}?page=9999`);
    expect(await items(page).last().innerText()).toContain('第 1 条。');
    await context.close();
  });

  test('can be read from its oldest comment, by plain links and in steps; a comment’s link leads to it', async ({
    browser,
    site,
    long,
    stage,
  }) => {
    const context = await browser.newContext({ javaScriptEnabled: false, baseURL: site.url });
    const plain = await context.newPage();
    await plain.goto(stage.path);
    await plain.getByRole('navigation', { name: '评论顺序' }).getByRole('link', { name: '最早' }).click();
    expect(await items(plain).first().innerText()).toContain('第 1 条。');
    await plain.getByRole('navigation', { name: '分页' }).getByRole('link', { name: '第 2 页' }).click();
    await plain.waitForURL(/sort=oldest&page=2/);
    expect(await items(plain).first().innerText()).toContain('第 21 条。');
    await items(plain).first().locator('a[href*="/comment/"]').click();
    await plain.waitForURL(`${stage.path}?page=49#UI-comment-${long.idOf(21)}`);
    expect(await plain.locator(`#UI-comment-${long.idOf(21)}`).count()).toBe(1);
    await context.close();

    const { page } = await stage.open(READER, { at: `${stage.path}?sort=oldest&page=3` });
    await live(page);
    expect(await items(page).first().innerText()).toContain('第 41 条。');
    await page.getByRole('button', { name: /^显示更多评论/ }).click();
    await expect.poll(() => items(page).last().innerText()).toContain('第 80 条。');
    await page.getByRole('button', { name: '显示较早的 40 条评论' }).click();
    expect(await items(page).first().innerText()).toContain('第 1 条。');
    await expect.poll(() => items(page).count()).toBe(80);
  });

  test(
    'opened at a later page stays there, with a link to newer comments',
    { tags: ['long'] },
    async ({ stage }) => {
      const { page } = await stage.open(READER, { at: `${stage.path}?page=3#UI-comments` });
      await live(page);
      expect(await items(page).first().innerText()).toContain(`第 ${TOTAL - 40} 条。`);
      await page.getByRole('button', { name: '显示较新的 40 条评论' }).click();
      expect(await items(page).first().innerText()).toContain(`第 ${TOTAL} 条。`);
      expect(await items(page).count()).toBe(60);
    },
  );

  test.for([
    ['the first step', TOTAL - 3],
    ['a later step', 700],
  ] as const)(
    'the URL of a comment of %s opens and highlights it',
    { tags: ['long'] },
    async ([, number], { long, stage }) => {
      for (const name of [READER, undefined]) {
        const { page } = await stage.open(name, { at: `${stage.path}#UI-comment-${long.idOf(number)}` });
        await live(page);
        await expect.poll(() => isInView(page, long.idOf(number))).toBe(true);
        const marked = page.locator('#UI-comments li[aria-current=true]');
        expect(await marked.count()).toBe(1);
        expect(await marked.innerText()).toContain(`第 ${number} 条。`);
        await page.evaluate((id) => (location.hash = `#UI-comment-${id}`), long.idOf(650));
        await expect.poll(() => isInView(page, long.idOf(650))).toBe(true);
      }
    },
  );

  test('the URL of a deleted comment says so', async ({ stage }) => {
    const { page } = await stage.open(READER, { at: `${stage.path}#UI-comment-${'0'.repeat(24)}` });
    await page.getByText('这条评论已被删除').waitFor();
    expect(await page.locator('#UI-comments li[aria-current=true]').count()).toBe(0);
  });
});
