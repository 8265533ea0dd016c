import { expect } from 'vitest';
import { expectPage } from './expect-page.ts';
import { looks } from './looks.ts';
import { violationsOf } from './axe.ts';
import { test as base } from './fixtures.ts';
import { sizes } from './visit.ts';

const WRITER = '投稿人';

/** The author is the operator; articles of others must be approved. */
const test = base.extend('writer', { scope: 'file' }, async ({ site, author }) => {
  const { roles, options } = site.app.services;
  await roles.set(author.username, 'operator', null);
  await options.change({ holdArticles: 'all' }, null);
  return (await site.join(WRITER)).viewer;
});

test.for(looks(Object.entries(sizes)))(
  'decisions reach the author by the bell, its list and 我的文章 (%s)',
  async ([, viewport], { site, writer, visit }) => {
    const decide = (id: string, action: 'restore' | 'hide', note: string) =>
      site.app.services.takedowns.decide('article', { ids: [id], action, note }, null);
    const [approved, refused] = [`鹿柴 ${viewport.width}`, `竹里馆 ${viewport.width}`];
    const ids = [await site.write(writer, { title: approved }), await site.write(writer, { title: refused })];
    const { page } = await visit({ username: WRITER, viewport });
    await page.goto('/user/list');
    await page.getByRole('link', { name: '没有未读评论' }).waitFor();
    await decide(ids[0] ?? '', 'restore', '');
    await decide(ids[1] ?? '', 'hide', '请注明出处');

    // The page that is open is told at once.
    const bell = page.getByRole('link', { name: '有 2 条未读通知' });
    await bell.waitFor();
    const results = page.getByRole('region', { name: '审核结果' });
    await expectPage(results.getByRole('listitem').filter({ hasText: approved })).toContainText('通过了审核');
    await expectPage(results.getByRole('listitem').filter({ hasText: refused })).toContainText(
      '没有通过审核。理由：请注明出处',
    );
    expect(await violationsOf(page, { include: 'main' })).toEqual([]);

    await bell.click();
    await page.waitForURL('**/comment/list?tab=notice');
    const entry = page.getByRole('listitem').filter({ hasText: refused });
    await expectPage(entry).toContainText('你的文章没有通过审核');
    await expectPage(entry).toContainText('理由：请注明出处');
    await expectPage(entry.getByText('未读')).toBeVisible();
    await page.getByRole('link', { name: '没有未读评论' }).waitFor();
    expect(await violationsOf(page, { include: 'main' })).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);

    await page.goto('/user/list');
    await page.getByText(refused).waitFor();
    await expectPage(results).toHaveCount(0);
  },
);
