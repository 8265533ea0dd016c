import type { Page } from '@playwright/test';
import { describe, expect } from 'vitest';
import { violationsOf } from './axe.ts';
import { looks } from './looks.ts';
import { answerOf, boxOf, itemOf, items, live, OTHER, READER, test, touch } from './comment-stage.ts';
import { AUTHOR } from './fixtures.ts';
import { sizes } from './visit.ts';

const answerButton = (page: Page, text: string) =>
  itemOf(page, text).last().getByRole('button', { name: /^回复/ });
const send = (page: Page) => page.getByRole('button', { name: '发表回复' });
const topOf = (page: Page, text: string) =>
  itemOf(page, text)
    .last()
    .evaluate((item) => Math.round(item.getBoundingClientRect().top));
const isFocused = (page: Page, name: string) =>
  answerOf(page, name).evaluate((box) => box === document.activeElement);

describe('replying', () => {
  test('opens a focused box under the comment; the reply quotes it', async ({ stage }) => {
    await stage.put(READER, '明月松间照');
    const { page } = await stage.open(OTHER);
    await answerButton(page, '明月松间照').click();
    await expect.poll(() => isFocused(page, READER)).toBe(true);
    expect(await itemOf(page, '明月松间照').getByRole('form').count()).toBe(1);
    await page.keyboard.type('清泉石上流');
    await page.keyboard.press('Control+Enter');
    const reply = itemOf(page, '清泉石上流');
    await expect.poll(() => reply.locator('blockquote').innerText()).toMatch(/回复\s+路人甲[^]*明月松间照/);
    expect(await answerOf(page, READER).count()).toBe(0);
    await expect
      .poll(() => answerButton(page, '明月松间照').evaluate((button) => button === document.activeElement))
      .toBe(true);
    expect((await stage.stored())[0]).toMatchObject({ reply_user: READER, reply_content: '明月松间照' });
    await page.getByRole('button', { name: '查看' }).click();
    await expect.poll(() => page.locator('li[aria-current=true]').innerText()).toContain('清泉石上流');
    expect(await boxOf(page).inputValue()).toBe('');
  });

  test(
    'to a deleted comment says so instead of its text, before and after hydration',
    { tags: ['long'] },
    async ({ stage }) => {
      await stage.put(READER, '明月松间照');
      await stage.put(OTHER, '清泉石上流', { user: READER, text: '明月松间照' });
      await stage.drop('明月松间照');
      const { page } = await stage.open();
      const quote = itemOf(page, '清泉石上流').locator('blockquote');
      const gone = /^回复\s+路人甲\s+原评论已删除$/;
      expect(await quote.innerText()).toMatch(gone);
      await touch(page);
      await live(page);
      expect(await quote.innerText()).toMatch(gone);
      expect(await page.content()).not.toContain('明月松间照');
    },
  );

  test.for(looks(['phone', 'desktop'] as const))(
    'moves nothing on a %s: not by opening a box, nor another, nor by cancelling, nor by sending',
    { tags: ['long'] },
    async (size, { stage }) => {
      for (let number = 9; number > 0; number--)
        await stage.put(number % 2 ? READER : OTHER, `第 ${number} 条`);
      const { page } = await stage.open(READER, { viewport: sizes[size] });
      await live(page);
      // Leaves space below the fourth comment for its reply box.
      await itemOf(page, '第 4 条').evaluate((item) => item.scrollIntoView({ block: 'center' }));
      const before = await topOf(page, '第 4 条');
      await answerButton(page, '第 2 条').evaluate((button) => button.focus({ preventScroll: true }));
      await page.keyboard.press('Enter');
      await expect.poll(() => isFocused(page, OTHER)).toBe(true);
      await page.keyboard.type('二的回复');
      const scrolled = await topOf(page, '第 4 条');
      await answerButton(page, '第 4 条').evaluate((button) => button.focus({ preventScroll: true }));
      await page.keyboard.press('Enter');
      await expect.poll(() => itemOf(page, '第 4 条').getByRole('form').count()).toBe(1);
      expect(await page.locator('#UI-comments li form').count()).toBe(1);
      const opened = await topOf(page, '第 4 条');
      expect(opened).toBeLessThanOrEqual(scrolled);
      await page.getByRole('button', { name: '取消', exact: true }).click();
      expect(await topOf(page, '第 4 条')).toBe(scrolled);
      await expect
        .poll(() => answerButton(page, '第 4 条').evaluate((button) => button === document.activeElement))
        .toBe(true);
      expect(before).toBeGreaterThan(0);

      await answerButton(page, '第 2 条').click();
      expect(await answerOf(page, OTHER).inputValue()).toBe('二的回复');
      const place = await topOf(page, '第 2 条');
      await send(page).click();
      await expect.poll(() => items(page).count()).toBe(10);
      expect(Math.abs((await topOf(page, '第 2 条')) - place)).toBeLessThanOrEqual(1);
    },
  );

  test('keeps the text of each box, and of the user’s own comment', { tags: ['long'] }, async ({ stage }) => {
    await stage.put(OTHER, '第一条');
    await stage.put(AUTHOR, '作者的话');
    const { page } = await stage.open(READER);
    await boxOf(page).fill('自己的话');
    await answerButton(page, '第一条').click();
    await page.keyboard.type('答第一条');
    await answerButton(page, '作者的话').click();
    await page.keyboard.type('答作者');
    await answerButton(page, '第一条').click();
    expect(await answerOf(page, OTHER).inputValue()).toBe('答第一条');
    await page.getByRole('button', { name: '取消', exact: true }).click();
    await answerButton(page, '作者的话').click();
    expect(await answerOf(page, AUTHOR).inputValue()).toBe('答作者');
    await page.reload();
    await expect.poll(() => answerOf(page, AUTHOR).inputValue()).toBe('答作者');
    expect(await boxOf(page).inputValue()).toBe('自己的话');
    expect(await stage.stored()).toHaveLength(2);
  });

  test('of a comment that is not on the page keeps its box, with the quote', async ({ stage }) => {
    await stage.put(OTHER, '要删的');
    await stage.put(OTHER, '留下的');
    const { page } = await stage.open(READER);
    await answerButton(page, '要删的').click();
    await page.keyboard.type('写给它的');
    await stage.drop('要删的');
    await page.reload();
    await live(page);
    const form = page.getByRole('form', { name: `回复 ${OTHER}` });
    await expect.poll(() => form.getByRole('textbox').inputValue()).toBe('写给它的');
    expect(await form.innerText()).toContain('要删的');
    await form.getByRole('button', { name: '取消' }).click();
    expect(await form.count()).toBe(0);
  });

  test('every button has the site’s background in both themes', { tags: ['long'] }, async ({ stage }) => {
    for (let number = 0; number < 21; number++) await stage.put(OTHER, `第 ${number} 条`);
    const { page } = await stage.open(READER);
    await live(page);
    await answerButton(page, '第 20 条').click();
    for (const name of ['取消', /^显示更多评论/]) {
      const button = page.getByRole('button', { name });
      expect(await button.evaluate((element) => getComputedStyle(element).backgroundColor)).toBe(
        'rgba(0, 0, 0, 0)',
      );
    }
  });
});

describe('conversations', () => {
  test('show answers below what they answer, without script too; new ones wait and then take their place', async ({
    stage,
    visit,
  }) => {
    await stage.put(READER, '第一条，**重要**。');
    await stage.put(READER, '第二条。');
    await stage.put(OTHER, '答第一条。', { user: READER, text: '第一条，**重要**。' });
    const texts = (page: Page) => items(page).locator('div[dir=auto]').allInnerTexts();
    const order = ['第二条。', '第一条，重要。', '答第一条。'];
    const plain = (await visit({ javaScriptEnabled: false })).page;
    await plain.goto(stage.path);
    await expect.poll(() => texts(plain)).toEqual(['答第一条。', '第二条。', '第一条，重要。']);
    // Quotes are plain text.
    expect(await items(plain).first().locator('blockquote').innerText()).toContain('第一条，重要。');
    await plain.getByRole('navigation', { name: '评论顺序' }).getByRole('link', { name: '对话' }).click();
    expect(await texts(plain)).toEqual(order);

    const { page } = await stage.open(READER, { at: `${stage.path}?sort=conversation` });
    await live(page);
    expect(await texts(page)).toEqual(order);
    const left = async (text: string) => (await itemOf(page, text).boundingBox())?.x ?? 0;
    expect(await left('答第一条。')).toBeGreaterThan(await left('第一条，重要。'));
    expect(await itemOf(page, '答第一条。').locator('blockquote').count()).toBe(0);
    await stage.put(OTHER, '再答第一条。', { user: READER, text: '第一条，**重要**。' });
    await stage.put(OTHER, '答第二条。', { user: READER, text: '第二条。' });
    const more = page.getByRole('button', { name: '有 2 条新评论' });
    await more.waitFor();
    expect(await texts(page)).toEqual(order);
    await more.click();
    const joined = ['第二条。', '答第二条。', '第一条，重要。', '答第一条。', '再答第一条。'];
    await expect.poll(() => texts(page)).toEqual(joined);
    expect(await violationsOf(page, { include: '#UI-comments' })).toEqual([]);
    await page.setViewportSize(sizes.phone);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(sizes.phone.width);
  });
});
