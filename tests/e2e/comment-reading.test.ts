import { AxeBuilder } from '@axe-core/playwright';
import { describe, expect } from 'vitest';
import { boxOf, itemOf, items, live, OTHER, READER, submitOf, test, touch } from './comment-stage.ts';
import { AUTHOR } from './fixtures.ts';
import { signInCookies, sizes } from './visit.ts';

describe('reading', () => {
  test('what others write meanwhile waits behind a button and moves nothing', async ({ stage }) => {
    await stage.put(READER, '先来的');
    const { page, tab } = await stage.open(OTHER);
    await live(page);
    await page.clock.install();
    await stage.put(READER, '后来的');
    const other = await tab();
    await other.bringToFront();
    await page.clock.fastForward(60_000);
    await other.close();
    await page.bringToFront();
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    const button = page.getByRole('button', { name: '有 1 条新评论' });
    await button.waitFor();
    expect(await itemOf(page, '后来的').count()).toBe(0);
    await button.click();
    expect(await items(page).first().innerText()).toContain('后来的');
  });

  test('the server’s list stays, and the box works, when the present one cannot be had', async ({
    site,
    stage,
  }) => {
    await stage.put(OTHER, '服务器印的');
    const { page, context, forgive } = await stage.open(undefined, { at: '/changelog' });
    forgive(/ERR_FAILED/);
    await context.addCookies(await signInCookies(site, READER));
    await page.route('**/api/comment/getpagecommentlist', (route) => route.abort());
    await page.goto(stage.path);
    await page.getByText('没能取得最新的评论').waitFor();
    expect(await itemOf(page, '服务器印的').count()).toBe(1);
    await boxOf(page).fill('照样能写');
    // What was written asks for the list again.
    const again = page.waitForEvent('requestfailed');
    await submitOf(page).click();
    await itemOf(page, '照样能写').waitFor();
    await again;
    await page.unroute('**/api/comment/getpagecommentlist');
    await page.getByRole('button', { name: '重试' }).click();
    await live(page);
    expect(await items(page).count()).toBe(2);
  });

  test.for([
    ['light', 'desktop'],
    ['dark', 'phone'],
  ] as const)(
    'axe finds nothing in the %s theme on a %s',
    { timeout: 120_000 },
    async ([theme, size], { stage }) => {
      const target = await stage.put(READER, '第一条');
      await stage.put(AUTHOR, '答一句', { user: READER, text: '第一条' });
      for (const name of [undefined, READER]) {
        const { page } = await stage.open(name, {
          viewport: sizes[size],
          // Or axe measures colours on their way.
          reducedMotion: 'reduce',
        });
        await page.evaluate((theme) => localStorage.setItem('theme', theme), theme);
        await page.goto(`${stage.path}?#UI-comment-${target}`);
        await live(page);
        if (name !== undefined)
          await itemOf(page, '第一条').last().getByRole('button', { name: '回复' }).click();
        const { violations } = await new AxeBuilder({ page }).include('#UI-comments').analyze();
        expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
      }
    },
  );

  test('on a phone the controls are as large as a thumb and nothing scrolls sideways', async ({ stage }) => {
    await stage.put(OTHER, '一条');
    const { page } = await stage.open(AUTHOR, { viewport: sizes.phone });
    await live(page);
    await itemOf(page, '一条').getByRole('button', { name: '回复' }).click();
    for (const button of await page.locator('#UI-comments button').all()) {
      const box = await button.boundingBox();
      expect(Math.min(box?.height ?? 0, box?.width ?? 0), await button.innerText()).toBeGreaterThanOrEqual(
        44,
      );
    }
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBe(0);
  });

  test('nothing moves when the server’s list comes alive', async ({ stage }) => {
    for (let number = 1; number <= 3; number++) await stage.put(OTHER, `第 ${number} 条`);
    for (const name of [undefined, AUTHOR]) {
      const { page, context } = await stage.open(name, { at: '/changelog' });
      await page.route('**/api/comment/getpagecommentlist', async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 500));
        await route.continue();
      });
      await context.addInitScript(() => {
        const tops: number[] = [];
        Object.assign(window, { tops });
        addEventListener('DOMContentLoaded', () => {
          const top = () => document.querySelector('#UI-comments')?.getBoundingClientRect().top ?? 0;
          const measure = () => {
            for (const item of document.querySelectorAll('#UI-comments li, #UI-comment-box'))
              tops.push(Math.round(item.getBoundingClientRect().top - top()));
            requestAnimationFrame(measure);
          };
          measure();
        });
      });
      await page.goto(stage.path);
      await touch(page);
      await live(page);
      // As it has been measured once more after the change.
      const tops = await page.evaluate(async () => {
        for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
        return (window as unknown as { tops: number[] }).tops;
      });
      expect(new Set(tops), JSON.stringify([...new Set(tops)])).toHaveProperty('size', 4);
    }
  });

  test('the focus stays on the same link when the server’s list comes alive', async ({ stage }) => {
    for (let number = 1; number <= 3; number++) await stage.put(OTHER, `第 ${number} 条`);
    const { page } = await stage.open(undefined, { at: '/changelog' });
    await page.route('**/api/comment/getpagecommentlist', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      await route.continue();
    });
    await page.goto(stage.path);
    await itemOf(page, '第 2 条').getByRole('link', { name: OTHER }).focus();
    await live(page);
    await page.keyboard.press('Tab');
    const next = await page.evaluate(() => document.activeElement?.closest('li')?.textContent ?? '');
    expect(next).toContain('第 1 条');
  });
});
