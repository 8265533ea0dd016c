import type { Page } from '@playwright/test';
import { describe, expect } from 'vitest';
import { test as base } from './fixtures.ts';
import { sizes } from './visit.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/lib/contract/rules/units.ts';

/** Behaviour of pages without islands. */
const WRITTEN = Date.UTC(2026, 2, 4, 18, 0);

const test = base
  .extend('article', { scope: 'file' }, ({ site, author }) =>
    site.write(author, { title: '长文', content: '一段话。\n\n'.repeat(400), create_time: WRITTEN }),
  )
  /** First time element of the page. */
  .extend('shown', ({ page }) => page.locator('main time').first())
  /** The loading message. */
  .extend('sign', ({ page }) => page.getByRole('status').filter({ hasText: '数据加载中' }));

const themeOf = (tab: Page) => tab.locator('html').getAttribute('data-theme');
const groundOf = (tab: Page) => tab.evaluate(() => getComputedStyle(document.body).backgroundColor);
const switchTo = (page: Page, theme: string) => page.getByRole('button', { name: `切换到${theme}主题` });

describe('the theme', () => {
  test('is light, changes without islands, is stored, and synchronises across tabs', async ({
    guest,
    page,
  }) => {
    const scripts: string[] = [];
    page.on('request', (request) => {
      if (request.resourceType() === 'script') scripts.push(request.url());
    });
    await page.goto('/changelog');
    const light = await groundOf(page);
    const other = await guest.tab();
    await other.goto('/tag/list');
    await switchTo(page, '深色').click();
    expect(await themeOf(page)).toBe('dark');
    expect(await groundOf(page)).not.toBe(light);
    await expect.poll(() => groundOf(other)).toBe(await groundOf(page));
    expect(scripts).toEqual([]);
    await page.reload();
    expect(await themeOf(page)).toBe('dark');
    await switchTo(page, '浅色').click();
    expect(await groundOf(page)).toBe(light);
    await expect.poll(() => groundOf(other)).toBe(light);
  });

  test('is applied before the first paint', async ({ page }) => {
    await page.goto('/home');
    await switchTo(page, '深色').click();
    // When the body first appears, only the head has been processed.
    await page.addInitScript(() => {
      new MutationObserver((_, watcher) => {
        if (!document.body) return;
        watcher.disconnect();
        document.documentElement.dataset['seen'] = document.documentElement.dataset['theme'] ?? 'none';
      }).observe(document, { childList: true, subtree: true });
    });
    await page.reload();
    expect(await page.locator('html').getAttribute('data-seen')).toBe('dark');
  });

  test('changes on a phone too, in the menu', async ({ page }) => {
    await page.setViewportSize(sizes.phone);
    await page.goto('/home');
    await page.getByRole('button', { name: '菜单' }).click();
    await switchTo(page, '深色').click();
    expect(await themeOf(page)).toBe('dark');
  });
});

describe('the theme of the system', () => {
  const follow = (page: Page) => page.getByRole('button', { name: '主题跟随系统' });
  const stored = (page: Page) => page.evaluate(() => localStorage.getItem('theme'));

  test('is not followed unless chosen; then at once, live, and from the first paint', async ({ page }) => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto('/changelog');
    const light = await groundOf(page);
    expect(await themeOf(page)).toBe('');
    await follow(page).press('Enter');
    expect(await stored(page)).toBe('system');
    const dark = await groundOf(page);
    expect(dark).not.toBe(light);
    await page.emulateMedia({ colorScheme: 'light' });
    await expect.poll(() => groundOf(page)).toBe(light);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(() => groundOf(page)).toBe(dark);
    await page.reload();
    expect([await themeOf(page), await groundOf(page)]).toEqual(['system', dark]);
  });

  test('colours code as it colours the page; paper is light', async ({ page, site, author }) => {
    const id = await site.write(author, { content: '```js\nconst a = 1;\n```' });
    await page.goto(`/detail/${id}`);
    const keyword = page.locator('pre .tk-k').first();
    const shown = async (
      theme: string,
      colorScheme: 'light' | 'dark',
      media: 'screen' | 'print' = 'screen',
    ) => {
      await page.emulateMedia({ colorScheme, media });
      await page.evaluate((chosen) => (document.documentElement.dataset['theme'] = chosen), theme);
      return keyword.evaluate((token) => getComputedStyle(token).color);
    };
    const [light, dark] = [await shown('light', 'light'), await shown('dark', 'light')];
    expect(dark).not.toBe(light);
    expect([await shown('light', 'dark'), await shown('dark', 'dark')]).toEqual([light, dark]);
    expect([await shown('system', 'light'), await shown('system', 'dark')]).toEqual([light, dark]);
    expect([await shown('dark', 'dark', 'print'), await shown('system', 'dark', 'print')]).toEqual([
      light,
      light,
    ]);
  });

  test('is left by its own switch, for light, or by that of the dark theme', async ({ page }) => {
    await page.setViewportSize(sizes.desktop);
    await page.goto('/changelog');
    await follow(page).click();
    await page.getByRole('button', { name: '主题不再跟随系统' }).click();
    expect(await stored(page)).toBe('');
    await follow(page).click();
    await switchTo(page, '深色').click();
    expect([await themeOf(page), await stored(page)]).toEqual(['dark', 'dark']);
  });
});

describe('text size and line width of articles', () => {
  const choice = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const lookOf = (page: Page) =>
    page.locator('article .prose').evaluate((text) => {
      const { size: seenSize = '', width: seenWidth = '' } = document.documentElement.dataset;
      const px = Math.round(parseFloat(getComputedStyle(text).fontSize));
      return [px, text.clientWidth > 700, seenSize, seenWidth];
    });
  /** Records layout shifts, and the choice that the first paint has. */
  const watch = (page: Page) =>
    page.addInitScript(() => {
      const seen = { shifts: 0, atBody: '' };
      Object.assign(window, { seen });
      new PerformanceObserver((list) => {
        seen.shifts += list.getEntries().length;
      }).observe({ type: 'layout-shift', buffered: true });
      new MutationObserver((_, watcher) => {
        if (!document.body) return;
        watcher.disconnect();
        const { size: text = '', width: line = '' } = document.documentElement.dataset;
        seen.atBody = `${text} ${line}`;
      }).observe(document, { childList: true, subtree: true });
    });
  const seenBy = (page: Page) => page.evaluate(() => (window as unknown as { seen: object }).seen);

  test('are chosen by keys, remembered from the first paint without a shift, and undone', async ({
    page,
    article,
  }) => {
    await page.setViewportSize(sizes.desktop);
    await page.goto(`/detail/${article}`);
    const usual = await lookOf(page);
    expect(usual).toEqual([17, false, '', '']);
    await choice(page, '大字').press('Enter');
    await choice(page, '宽行').press('Enter');
    expect(await lookOf(page)).toEqual([20, true, 'large', 'wide']);
    // Browsers restore the position, at the end of the page, while fonts still load.
    await page.evaluate(() => scrollTo(0, 0));
    await watch(page);
    await page.reload();
    expect(await lookOf(page)).toEqual([20, true, 'large', 'wide']);
    expect(await seenBy(page)).toEqual({ shifts: 0, atBody: 'large wide' });
    await choice(page, '小字').click();
    expect(await lookOf(page)).toEqual([16, true, 'small', 'wide']);
    await choice(page, '标准字号').click();
    await choice(page, '标准行宽').click();
    await page.reload();
    expect(await lookOf(page)).toEqual(usual);
  });

  test('on a phone it is the size alone; other pages have no choice', async ({ page, article }) => {
    await page.setViewportSize(sizes.phone);
    await page.goto(`/detail/${article}`);
    await choice(page, '小字').click();
    expect(await lookOf(page)).toEqual([15, false, 'small', '']);
    expect(await choice(page, '宽行').count()).toBe(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(sizes.phone.width);
    await page.goto('/home');
    expect(await choice(page, '标准字号').count()).toBe(0);
  });
});

describe('times', () => {
  test.for([
    [30_000, '刚刚'],
    [MINUTE_MS, '1 分钟前'],
    [3 * HOUR_MS, '3 小时前'],
    [6.5 * DAY_MS, '6 天前'],
    [7 * DAY_MS, '03月05日'],
    [400 * DAY_MS, '2026-03-05'],
  ] as const)('%i ms after the writing an article says %s', async ([age, text], { page, article, shown }) => {
    await page.clock.install({ time: WRITTEN + age });
    await page.goto(`/detail/${article}`);
    expect(await shown.innerText()).toBe(text);
    // To the minute, in the site's time zone regardless of the reader's.
    expect(await shown.getAttribute('title')).toBe('2026-03-05 02:00');
    expect(await shown.getAttribute('datetime')).toBe('2026-03-04T18:00:00.000Z');
  });

  test('are updated while the page is open', async ({ page, article, shown }) => {
    await page.clock.install({ time: WRITTEN + 30_000 });
    await page.goto(`/detail/${article}`);
    expect(await shown.innerText()).toBe('刚刚');
    await page.clock.fastForward(MINUTE_MS);
    expect(await shown.innerText()).toBe('1 分钟前');
  });

  test('are dates with their year without script', async ({ visit, article }) => {
    const { page } = await visit({ javaScriptEnabled: false });
    await page.goto(`/detail/${article}`);
    expect(await page.locator('main time').first().innerText()).toBe('2026-03-05');
  });
});

describe('the header', () => {
  const isAway = (page: Page) =>
    page.getByRole('banner').evaluate((header) => header.getBoundingClientRect().bottom <= 0);
  /** Scrolls to another position and waits for the scroll event. */
  const scrollTo = (page: Page, y: number) =>
    page.evaluate(
      (top) =>
        new Promise((resolve) => {
          addEventListener('scroll', resolve, { once: true });
          window.scrollTo({ top, behavior: 'instant' });
        }).then(() => undefined),
      y,
    );

  test('slides away when scrolled down past 500 px, and comes back on the way up', async ({
    page,
    article,
  }) => {
    await page.clock.install();
    await page.goto(`/detail/${article}`);
    await scrollTo(page, 400);
    await page.clock.runFor(400);
    expect(await isAway(page)).toBe(false);
    await scrollTo(page, 1500);
    await expect.poll(() => isAway(page)).toBe(true);
    await scrollTo(page, 1300);
    await expect.poll(() => isAway(page)).toBe(false);
  });

  test('stays while something in it has the focus or its menu is open', async ({ page, article }) => {
    await page.goto(`/detail/${article}`);
    await page.getByLabel('搜索标题或内容').first().focus();
    await scrollTo(page, 1500);
    await expect.poll(() => page.locator('html').getAttribute('data-away')).toBe('true');
    expect(await isAway(page)).toBe(false);
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await expect.poll(() => isAway(page)).toBe(true);
    await page.setViewportSize(sizes.phone);
    await scrollTo(page, 1400);
    await expect.poll(() => isAway(page)).toBe(false);
    await page.getByRole('button', { name: '菜单' }).click();
    await scrollTo(page, 3000);
    await expect.poll(() => page.locator('html').getAttribute('data-away')).toBe('true');
    expect(await isAway(page)).toBe(false);
  });
});

describe('the back-to-top button', () => {
  const way = (page: Page) => page.getByRole('link', { name: '回到顶部' });

  test('appears once the page is scrolled, and scrolls to the top', async ({ page, article }) => {
    await page.goto(`/detail/${article}`);
    expect(await way(page).isVisible()).toBe(false);
    await page.evaluate(() => window.scrollTo({ top: 3000, behavior: 'instant' }));
    await way(page).click();
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
    await expect.poll(() => way(page).isVisible()).toBe(false);
  });

  test('covers no text of a phone on the way down', async ({ page, article }) => {
    await page.setViewportSize(sizes.phone);
    await page.goto(`/detail/${article}`);
    await page.evaluate(() => window.scrollTo({ top: 3000, behavior: 'instant' }));
    await expect.poll(() => page.locator('html').getAttribute('data-away')).toBe('true');
    expect(await way(page).isVisible()).toBe(false);
    await page.evaluate(() => window.scrollTo({ top: 2800, behavior: 'instant' }));
    await expect.poll(() => way(page).isVisible()).toBe(true);
  });

  test('is at the end without script', async ({ visit, article }) => {
    const { page } = await visit({ javaScriptEnabled: false });
    await page.goto(`/detail/${article}`);
    expect(await way(page).isVisible()).toBe(true);
  });
});

describe('the table of contents beside an article', () => {
  test.for([true, false])(
    'follows the reading position (script: %s)',
    async (hasScript, { site, author, visit }) => {
      const content = Array.from({ length: 300 }, (_, index) => `## 第 ${index + 1} 节\n\n一段话。`).join(
        '\n\n',
      );
      const long = await site.write(author, { title: '三百节', content });
      const { page } = await visit({ javaScriptEnabled: hasScript, viewport: sizes.desktop });
      await page.goto(`/detail/${long}#h2-150`);
      const link = page.locator('.detail-toc').getByRole('link', { name: '第 150 节' });
      const isSeen = async () => {
        const [place, panel] = await Promise.all([
          link.boundingBox(),
          page.locator('.detail-toc').boundingBox(),
        ]);
        return place !== null && panel !== null && place.y > panel.y && place.y < panel.y + panel.height;
      };
      await expect.poll(isSeen).toBe(true);
    },
  );
});

describe('leaving the page', () => {
  const held = { path: '**/tag/list', ms: 3000 };
  // By keyboard: a pointer over the link would prefetch the page and so bypass the delay set up here.
  const goToTags = (page: Page) =>
    page.getByRole('banner').getByRole('link', { name: '标签' }).press('Enter');
  /**
   * Texts of the loading message, each with the milliseconds since the navigation started. Stored by the
   * page, because it cannot be queried while it is being left.
   */
  const log = (page: Page) =>
    page.evaluate(
      () => JSON.parse(sessionStorage.getItem('said') ?? '[]') as { text: string; after: number }[],
    );

  test.beforeEach(({ page }) =>
    page.addInitScript(() => {
      let began = 0;
      window.navigation?.addEventListener('navigate', () => (began = performance.now()));
      addEventListener('DOMContentLoaded', () => {
        const element = document.getElementById('UI-loading') as HTMLElement;
        new MutationObserver(() => {
          const said = JSON.parse(sessionStorage.getItem('said') ?? '[]') as object[];
          const entry = { text: element.textContent, after: performance.now() - began };
          sessionStorage.setItem('said', JSON.stringify([...said, entry]));
        }).observe(element, { childList: true });
      });
    }),
  );

  test('says 数据加载中 after 300 ms', async ({ page, sign }) => {
    await page.route(held.path, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, held.ms));
      await route.continue();
    });
    await page.goto('/home');
    await goToTags(page);
    await page.waitForURL('/tag/list');
    const said = (await log(page)).find(({ text }) => text === '数据加载中');
    expect(said?.after).toBeGreaterThanOrEqual(299);
    expect(await sign.count()).toBe(0);
  });

  test('hides it when the reader stays or comes back', async ({ page, sign }) => {
    await page.route(held.path, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, held.ms));
      await route.fulfill({ status: 204 });
    });
    await page.goto('/home');
    await goToTags(page);
    await expect.poll(async () => (await log(page)).map(({ text }) => text)).toContain('数据加载中');
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
    expect(await sign.count()).toBe(0);
  });

  test('shows nothing for a link within the page', async ({ page, article, sign }) => {
    await page.clock.install();
    await page.goto(`/detail/${article}`);
    await page.evaluate(() => (location.hash = 'UI-main'));
    await page.clock.runFor(1000);
    expect(await sign.count()).toBe(0);
    expect(await log(page)).toEqual([]);
  });
});
