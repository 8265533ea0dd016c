import type { Page, Route } from '@playwright/test';
import { describe, expect } from 'vitest';
import { asStored } from '../clean-texts.ts';
import { looks } from './looks.ts';
import { violationsOf } from './axe.ts';
import { AUTHOR, test as base } from './fixtures.ts';
import { sizes } from './visit.ts';

/** More accounts than one request searches. */
const ACCOUNTS = 50_600;
const NAMED: Readonly<Record<number, string>> = { 50_500: '新竹', 7: '旧竹' };

const test = base.extend('staff', { auto: true }, async ({ startSite }) => {
  const site = await startSite();
  await site.join(AUTHOR);
  await site.app.services.roles.set(AUTHOR, 'operator', null);
  const { db } = site.app;
  const known = await db.read.selectFrom('users').selectAll().executeTakeFirstOrThrow();
  await db.write(async (trx) => {
    for (let from = 0; from < ACCOUNTS; from += 500) {
      const rows = Array.from({ length: Math.min(500, ACCOUNTS - from) }, (_, part) => {
        const index = from + part;
        const username = NAMED[index] ?? `路人${index}`;
        const id = index.toString(16).padStart(24, '0');
        return {
          ...known,
          id,
          role: 'author' as const,
          username,
          username_key: username,
          create_time: index * 60_000,
        };
      });
      await trx.insertInto('users').values(rows.map(asStored)).execute();
    }
  });
  return site;
});

/** Holds every request for a part that is not the first. */
async function holdParts(page: Page) {
  const held: Route[] = [];
  await page.route('**/api/staff/users', (route) => {
    if (/cursor=\d/.test(route.request().postData() ?? '')) held.push(route);
    else void route.continue();
  });
  const next = async () => {
    await expect.poll(() => held.length).toBe(1);
    return held.shift();
  };
  return {
    release: async () => (await next())?.continue(),
    fail: async () => (await next())?.abort(),
  };
}

describe.each(
  looks([
    ['phone', 'dark'],
    ['desktop', 'light'],
  ] as const),
)('a search of the console (%s, %s)', (size, theme) => {
  test('shows results while it goes on, can be stopped and continued, and survives a failure', async ({
    staff,
    visit,
  }) => {
    const opened = await visit({
      at: staff,
      username: AUTHOR,
      viewport: sizes[size],
      reducedMotion: 'reduce',
    });
    const { page } = opened;
    await opened.context.addInitScript((chosen) => {
      if (location.protocol === 'http:') localStorage.setItem('theme', chosen);
    }, theme);
    opened.forgive(/net::ERR_FAILED/);
    const parts = await holdParts(page);
    const row = (name: string) => page.getByRole('listitem').filter({ hasText: name });
    const nav = page.getByRole('navigation', { name: '继续查找' });

    await page.goto(`/admin/users?q=${encodeURIComponent('竹')}`);
    await row('新竹').waitFor();
    await nav.getByText(/^正在查找，已查到 1970-0\d-\d\d…$/).waitFor();
    expect(await page.getByText('没有找到').count()).toBe(0);
    expect(await violationsOf(page)).toEqual([]);
    await parts.release();
    await row('旧竹').waitFor();
    await page.getByText('共 2 个').waitFor();
    await nav.waitFor({ state: 'detached' });

    // Stopped, continued, and back.
    await page.reload();
    await nav.getByRole('button', { name: '停止' }).click();
    const more = nav.getByRole('link', { name: /^继续查找 1970-/ });
    await page.getByText('这里找到 1 个').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await parts.release();
    await page.waitForLoadState('networkidle');
    expect(await row('旧竹').count()).toBe(0);
    await more.click();
    await parts.release();
    await row('旧竹').waitFor();
    await nav.getByText('已经查到最早的。').waitFor();
    expect(new URL(page.url()).searchParams.get('from')).toMatch(/^\d+$/);
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('OUTPUT');
    expect(await violationsOf(page)).toEqual([]);
    await nav.getByRole('link', { name: '从最新的查起' }).waitFor();
    await page.goBack();
    await row('新竹').waitFor();

    // A failure in the middle keeps the results and offers to try again.
    await parts.fail();
    await page.getByRole('button', { name: '重试' }).waitFor();
    await row('新竹').waitFor();
    await page.getByRole('button', { name: '重试' }).click();
    await parts.release();
    await row('旧竹').waitFor();

    // Other keywords supersede a running search.
    await page.reload();
    await row('新竹').waitFor();
    await page.getByRole('searchbox').fill('没有这个人');
    await page.getByRole('searchbox').press('Enter');
    await parts.release();
    await parts.release();
    await page.getByText('没有找到「没有这个人」。').waitFor();
    expect(await row('竹').count()).toBe(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
  });
});
