import type { Page } from '@playwright/test';
import { expect } from 'vitest';
import { violationsOf } from './axe.ts';
import { AUTHOR, test as base } from './fixtures.ts';
import { sizes } from './visit.ts';

const WRITER = '路人甲';
export const TEXT = '空山新雨后，天气晚来秋。明月松间照，清泉石上流。'.repeat(9);
export const ANNOUNCED = '内容在你看过之后又改过，请看过现在的内容再决定';
export const CHANGED = '你看过之后有改动';

export const LOOKS = [
  ['phone', 'light'],
  ['phone', 'dark'],
  ['desktop', 'light'],
  ['desktop', 'dark'],
] as const;
type Look = (typeof LOOKS)[number];

/** `AUTHOR` is the operator; texts and changes of others must be approved. */
export const test = base
  .extend('writer', { scope: 'file' }, async ({ site, author }) => {
    const { roles, options } = site.app.services;
    await roles.set(author.username, 'operator', null);
    await options.change({ holdArticles: 'all', holdComments: 'all', holdChanges: 'always' }, null);
    return (await site.join(WRITER)).viewer;
  })
  /** Opens a page of the console. */
  .extend('open', ({ visit }) => async (path: string, [size, theme]: Look): Promise<Page> => {
    const { page, context } = await visit({
      username: AUTHOR,
      viewport: sizes[size],
      reducedMotion: 'reduce',
    });
    await context.addInitScript((chosen) => {
      if (location.protocol === 'http:') localStorage.setItem('theme', chosen);
    }, theme);
    await page.goto(path);
    return page;
  });

/** Fields of an article whose title is unique to a test. */
export const fieldsOf = (title: string) => ({
  title,
  content: TEXT,
  tags: ['诗'],
  type: '',
  status: 'normal' as const,
  secret: false,
});

/** Expects a page without violations of accessibility that is as wide as its window. */
export async function look(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  expect(await violationsOf(page, { exclude: '[data-type]' })).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
}
