import { expect } from 'vitest';
import { boxOf, itemOf, live, OTHER, READER, test } from './comment-stage.ts';
import { openInputMethod } from './composition.ts';
import { AUTHOR } from './fixtures.ts';

test('typing @ offers participants; keys and clicks choose, without disturbing an input method', async ({
  stage,
  site,
  readers,
}) => {
  await stage.put(OTHER, '我说一句');
  const { page } = await stage.open(READER);
  await live(page);
  const box = boxOf(page);
  const list = page.getByRole('listbox', { name: '提到谁' });
  const options = () => list.getByRole('option').allInnerTexts();
  await box.click();
  await page.keyboard.type('同意 @');
  await expect.poll(options).toEqual([AUTHOR, OTHER]);
  await page.keyboard.press('Escape');
  expect(await list.count()).toBe(0);
  await page.keyboard.press('Backspace');
  await page.keyboard.type('@');
  await list.waitFor();
  await page.keyboard.press('ArrowDown');
  const active = await box.getAttribute('aria-activedescendant');
  expect(await page.locator(`#${active ?? ''}`).innerText()).toBe(OTHER);
  await page.keyboard.press('Enter');
  expect(await box.inputValue()).toBe(`同意 @${OTHER} `);

  await page.keyboard.type('和@');
  await list.waitFor();
  const ime = await openInputMethod(page);
  await ime.compose('lin');
  expect(await list.count()).toBe(0);
  await ime.commit('林');
  await expect.poll(options).toEqual([AUTHOR]);
  await list.getByRole('option', { name: AUTHOR }).click();
  expect(await box.inputValue()).toBe(`同意 @${OTHER} 和@${AUTHOR} `);
  await page.getByRole('button', { name: '发表评论' }).click();
  const link = itemOf(page, '同意').getByRole('link', { name: `@${OTHER}` });
  expect(await link.getAttribute('href')).toBe(`/user/info/${encodeURIComponent(OTHER)}`);
  expect(await site.app.services.comments.countUnread(readers[OTHER])).toBe(1);
});
