import type { Page, Route } from '@playwright/test';
import { describe, expect } from 'vitest';
import { boxOf, itemOf, items, live, OTHER, READER, submitOf, test } from './comment-stage.ts';
import { AUTHOR } from './fixtures.ts';
import { openInputMethod } from './composition.ts';
import { sizes } from './visit.ts';

/** Lets `count` calls of `name` reach the server and drops their responses. */
async function loseAnswers(page: Page, name: string, count = 1): Promise<void> {
  let lost = 0;
  await page.route(`**/api/comment/${name}`, async (route: Route) => {
    if (lost++ >= count) return route.continue();
    await route.fetch();
    return route.abort('connectionreset');
  });
}

describe('writing', () => {
  test('a comment appears on top, empties the box and is announced, with Ctrl+Enter or the button', async ({
    stage,
  }) => {
    await stage.put(OTHER, '早先的一条');
    const { page } = await stage.open(READER);
    await boxOf(page).fill('随意春芳歇\n王孙自可留');
    await boxOf(page).press('Control+Enter');
    await expect.poll(() => items(page).first().innerText()).toContain('随意春芳歇\n王孙自可留');
    expect(await boxOf(page).inputValue()).toBe('');
    expect(await boxOf(page).evaluate((box) => box === document.activeElement)).toBe(true);
    await page.getByRole('status').filter({ hasText: '评论已发表' }).waitFor({ state: 'attached' });
    await boxOf(page).fill('第二条');
    await submitOf(page).click();
    await expect.poll(() => items(page).first().innerText()).toContain('第二条');
    expect((await stage.stored()).map(({ content }) => content)).toEqual([
      '第二条',
      '随意春芳歇\n王孙自可留',
      '早先的一条',
    ]);
    await page.reload();
    await live(page);
    expect(await items(page).count()).toBe(3);
    expect(await page.getByRole('heading', { name: /^评论\s*3$/ }).count()).toBe(1);
  });

  test('Enter alone is a new line', async ({ stage }) => {
    const { page } = await stage.open(READER);
    await boxOf(page).fill('一');
    await boxOf(page).press('Enter');
    await page.keyboard.type('二');
    expect(await boxOf(page).inputValue()).toBe('一\n二');
    expect(await stage.stored()).toEqual([]);
  });

  test('Enter that ends a composition sends nothing', async ({ stage }) => {
    const { page } = await stage.open(READER);
    await boxOf(page).focus();
    const method = await openInputMethod(page);
    await method.compose('kong shan');
    await page.keyboard.press('Control+Enter');
    await page.keyboard.press('Meta+Enter');
    await method.commit('空山');
    await expect.poll(() => boxOf(page).inputValue()).toContain('空山');
    expect(await stage.stored()).toEqual([]);
    // For a moment after the composition, Enter still belongs to the input method.
    await expect
      .poll(async () => {
        await boxOf(page).press('Control+Enter');
        return (await stage.stored()).length;
      })
      .toBe(1);
  });

  test('the author of the article is marked, others are not', async ({ stage }) => {
    await stage.put(READER, '读者的话');
    await stage.put(AUTHOR, '作者的话');
    const { page } = await stage.open(READER);
    await live(page);
    expect(await itemOf(page, '作者的话').getByText('作者', { exact: true }).count()).toBe(1);
    expect(await itemOf(page, '读者的话').getByText('作者', { exact: true }).count()).toBe(0);
  });

  test('an empty or too long comment is not sent, with the reason', async ({ stage }) => {
    const { page } = await stage.open(READER);
    await boxOf(page).fill('  \n');
    await submitOf(page).click();
    await page.getByRole('alert').filter({ hasText: '请填写评论' }).waitFor();
    await boxOf(page).fill('😀'.repeat(2001));
    await page.getByText('超出 1 字').waitFor();
    await boxOf(page).press('Control+Enter');
    await page.getByRole('alert').filter({ hasText: '评论不能超过 2000 个字符' }).waitFor();
    expect(await stage.stored()).toEqual([]);
    await boxOf(page).fill('😀'.repeat(2000));
    await page.getByText('还可以写 0 字').waitFor();
    await submitOf(page).click();
    await expect.poll(async () => (await stage.stored()).length).toBe(1);
  });

  test('markup, right-to-left text and endless words are shown as text and stay inside the page', async ({
    stage,
  }) => {
    const odd = [
      `<img src=x onerror="document.title='hit'">`,
      'שלום 世界',
      'x'.repeat(2000),
      '👨‍👩‍👧‍👦'.repeat(200),
    ];
    const { page } = await stage.open(READER, { viewport: sizes.phone });
    for (const text of odd) {
      await boxOf(page).fill(text);
      await submitOf(page).click();
      await expect.poll(() => items(page).first().innerText()).toContain(text);
    }
    await page.reload();
    await live(page);
    for (const text of odd) expect(await itemOf(page, text).count()).toBe(1);
    expect(await page.title()).toContain('山居秋暝');
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBe(0);
  });
});

describe('one comment, not two', () => {
  test('results from a double click', async ({ stage }) => {
    const { page } = await stage.open(READER);
    await boxOf(page).fill('点了两下');
    await submitOf(page).dblclick();
    await itemOf(page, '点了两下').waitFor();
    await page.waitForLoadState('networkidle');
    expect(await stage.stored()).toHaveLength(1);
  });

  test('results from retrying after a lost response, also after a reload', async ({ stage }) => {
    const { page, forgive } = await stage.open(READER);
    forgive(/ERR_CONNECTION_RESET|网络不通/);
    await loseAnswers(page, 'create', 2);
    await boxOf(page).fill('答复丢了');
    await submitOf(page).click();
    await page.getByRole('alert').filter({ hasText: '网络不通' }).waitFor();
    expect(await boxOf(page).inputValue()).toBe('答复丢了');
    expect(await stage.stored()).toHaveLength(1);
    await submitOf(page).click();
    await page.getByRole('alert').filter({ hasText: '网络不通' }).waitFor();
    await page.reload();
    await expect.poll(() => boxOf(page).inputValue()).toBe('答复丢了');
    await submitOf(page).click();
    await expect.poll(() => boxOf(page).inputValue()).toBe('');
    expect(await stage.stored()).toHaveLength(1);
    await live(page);
    expect(await itemOf(page, '答复丢了').count()).toBe(1);
  });
});
