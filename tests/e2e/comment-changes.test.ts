import type { Page } from '@playwright/test';
import { describe, expect } from 'vitest';
import { itemOf, items, live, OTHER, READER, test } from './comment-stage.ts';
import { AUTHOR } from './fixtures.ts';
import { sizes } from './visit.ts';

const change = (page: Page, text: string) => itemOf(page, text).getByRole('button', { name: /^修改/ });
const boxOf = (page: Page) => page.getByRole('form', { name: '修改评论' }).getByRole('textbox');

describe('editing one’s own comment', () => {
  test('happens in place, and is marked for everyone', async ({ stage }) => {
    await stage.put(OTHER, '旁人的');
    await stage.put(READER, '写错了');
    const { page } = await stage.open(READER, { viewport: sizes.phone });
    await live(page);
    expect(await change(page, '旁人的').count()).toBe(0);
    await change(page, '写错了').click();
    await expect.poll(() => boxOf(page).evaluate((box) => box === document.activeElement)).toBe(true);
    expect(await boxOf(page).inputValue()).toBe('写错了');
    await boxOf(page).fill('写**对**了');
    await boxOf(page).press('Control+Enter');
    await items(page).filter({ hasText: '已编辑' }).locator('strong', { hasText: '对' }).waitFor();
    expect(await boxOf(page).count()).toBe(0);
    await expect
      .poll(() => change(page, '写对了').evaluate((button) => button === document.activeElement))
      .toBe(true);
    const { page: other } = await stage.open(AUTHOR);
    expect(await items(other).filter({ hasText: '已编辑' }).innerText()).toContain('写对了');
    expect((await stage.stored())[0]).toMatchObject({ content: '写**对**了' });
  });

  test('can be cancelled; typed text survives a reload', async ({ stage }) => {
    await stage.put(READER, '原来的');
    const { page } = await stage.open(READER);
    await live(page);
    await change(page, '原来的').click();
    await boxOf(page).fill('改到一半');
    await page.reload();
    await live(page);
    await change(page, '原来的').click();
    expect(await boxOf(page).inputValue()).toBe('改到一半');
    await page.getByRole('button', { name: '取消', exact: true }).click();
    await change(page, '原来的').click();
    expect(await boxOf(page).inputValue()).toBe('原来的');
    expect((await stage.stored())[0]).toMatchObject({ content: '原来的' });
  });
});

describe('a comment’s lasting address', () => {
  test('can be copied, and leads to the comment on a later page, with script and without', async ({
    browser,
    site,
    stage,
  }) => {
    const id = await stage.put(READER, '很早的一条');
    for (let number = 0; number < 25; number++) await stage.put(OTHER, `第 ${number} 条`);
    const { page, context } = await stage.open(READER, { at: `${stage.path}#UI-comment-${id}` });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await itemOf(page, '很早的一条').getByRole('button', { name: /^复制/ }).click();
    await page.getByText('链接已复制').waitFor();
    const address = await page.evaluate(() => navigator.clipboard.readText());
    expect(address).toBe(`${site.url}${stage.path}/comment/${id}`);
    expect(await itemOf(page, '很早的一条').locator('a:has(time)').getAttribute('href')).toBe(
      `${stage.path}/comment/${id}`,
    );
    const plain = await browser.newContext({ javaScriptEnabled: false, baseURL: site.url });
    const reading = await plain.newPage();
    for (const each of [page, reading]) {
      await each.goto(address);
      expect(new URL(each.url()).searchParams.get('page')).toBe('2');
      const item = itemOf(each, '很早的一条');
      const isInView = () =>
        item.evaluate((element) => {
          const { top, bottom } = element.getBoundingClientRect();
          return top >= 0 && bottom <= innerHeight;
        });
      await expect.poll(isInView).toBe(true);
      expect(await item.evaluate((element) => element.matches(':target'))).toBe(true);
    }
    await plain.close();
    expect(await items(page).count()).toBeGreaterThan(5);
  });
});
