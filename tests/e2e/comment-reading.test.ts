import { describe, expect } from 'vitest';
import { looks } from './looks.ts';
import { violationsOf } from './axe.ts';
import { boxOf, itemOf, items, live, OTHER, READER, submitOf, test, touch } from './comment-stage.ts';
import { AUTHOR } from './fixtures.ts';
import { signInCookies, sizes } from './visit.ts';

describe('reading', () => {
  test('new comments of others wait behind a button and shift nothing', async ({ stage }) => {
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

  test(
    'comments and replies reach an open page of a signed-in user at once, and wait without shifting anything',
    { tags: ['long'] },
    async ({ stage }) => {
      for (let number = 1; number <= 8; number++) await stage.put(OTHER, `第 ${number} 条`);
      const { page } = await stage.open(READER, { at: '/changelog' });
      const sent: string[] = [];
      page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => sent.push(String(payload))));
      await page.goto(stage.path);
      await live(page);
      await expect.poll(() => sent.filter((frame) => frame.includes('watch-article')).length).toBe(1);
      await itemOf(page, '第 5 条').evaluate((item) => item.scrollIntoView({ block: 'center' }));
      const top = () => itemOf(page, '第 5 条').evaluate((item) => item.getBoundingClientRect().top);
      const before = await top();
      await stage.put(OTHER, '新来的');
      await page.getByRole('button', { name: '有 1 条新评论' }).waitFor();
      await stage.put(OTHER, '答第五条', { user: OTHER, text: '第 5 条' });
      const button = page.getByRole('button', { name: '有 2 条新评论' });
      await button.waitFor();
      expect(await top()).toBe(before);
      expect(await items(page).count()).toBe(8);
      await button.click();
      await expect.poll(() => items(page).count()).toBe(10);
      await expect
        .poll(() =>
          items(page)
            .first()
            .evaluate((item) => item === document.activeElement),
        )
        .toBe(true);
      expect(await items(page).first().innerText()).toContain('答第五条');
    },
  );

  test('comments reach a visitor’s open page within a minute, without a socket', async ({ stage }) => {
    await stage.put(OTHER, '先来的');
    const { page, context } = await stage.open(undefined, { at: '/changelog' });
    const sockets: unknown[] = [];
    page.on('websocket', (socket) => sockets.push(socket));
    await context.clock.install();
    await page.goto(stage.path);
    await touch(page);
    await live(page);
    await stage.put(OTHER, '后来的');
    await page.clock.fastForward(31_000);
    await page.getByRole('button', { name: '有 1 条新评论' }).waitFor();
    expect(sockets).toEqual([]);
  });

  test('the server’s list stays, and the box works, when the current one cannot be loaded', async ({
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
    // Posting a comment reloads the list.
    const again = page.waitForEvent('requestfailed');
    await submitOf(page).click();
    await itemOf(page, '照样能写').waitFor();
    await again;
    await page.unroute('**/api/comment/getpagecommentlist');
    await page.getByRole('button', { name: '重试' }).click();
    await live(page);
    expect(await items(page).count()).toBe(2);
  });

  test('basic markdown is rendered, with script and without, and legacy clients get the text', async ({
    site,
    browser,
    stage,
  }) => {
    const text = '**粗** `let a` [链](https://a.cn)\n\n> 引\n\n- 项\n\n# 不是标题 <b>';
    await stage.put(READER, text);
    const context = await browser.newContext({ javaScriptEnabled: false, baseURL: site.url });
    const plain = await context.newPage();
    await plain.goto(stage.path);
    const { page } = await stage.open(OTHER);
    await live(page);
    for (const each of [plain, page]) {
      const item = items(each).first();
      for (const [tag, words] of Object.entries({ strong: '粗', code: 'let a', blockquote: '引', li: '项' }))
        expect(await item.locator(`.prose ${tag}`).innerText()).toBe(words);
      expect(await item.getByRole('link', { name: '链' }).getAttribute('rel')).toBe('noopener nofollow ugc');
      expect(await item.innerText()).toContain('# 不是标题 <b>');
    }
    await context.close();
    expect((await stage.stored())[0]?.content).toBe(text);
    await itemOf(page, '不是标题').getByRole('button', { name: /^回复/ }).click();
    await page.keyboard.type('答 **一**');
    const form = page.getByRole('form', { name: `回复 ${READER}` });
    await form.getByRole('button', { name: '预览' }).click();
    await form.getByRole('region', { name: '预览' }).locator('strong', { hasText: '一' }).waitFor();
    await form.getByRole('button', { name: '发表回复' }).click();
    await expect.poll(() => items(page).first().locator('strong').innerText()).toBe('一');
  });

  test.for(
    looks([
      ['light', 'desktop'],
      ['dark', 'phone'],
    ] as const),
  )('axe finds nothing in the %s theme on a %s', { tags: ['long'] }, async ([theme, size], { stage }) => {
    const target = await stage.put(READER, '第一条');
    await stage.put(OTHER, '有 `码`、[链](https://a.cn) 和\n\n> 引\n\n```js\nlet a;\n```');
    await stage.put(AUTHOR, '答一句', { user: READER, text: '第一条' });
    for (const name of [undefined, READER]) {
      const { page } = await stage.open(name, {
        viewport: sizes[size],
        // Otherwise axe would measure colours during a transition.
        reducedMotion: 'reduce',
      });
      await page.evaluate((theme) => localStorage.setItem('theme', theme), theme);
      await page.goto(`${stage.path}?#UI-comment-${target}`);
      await live(page);
      if (name !== undefined) {
        await itemOf(page, '第一条').last().getByRole('button', { name: '回复' }).click();
        const form = page.getByRole('form', { name: `回复 ${READER}` });
        await form.getByRole('button', { name: '预览' }).click();
        await form.getByRole('region', { name: '预览' }).waitFor();
      }
      const violations = await violationsOf(page, { include: '#UI-comments' });
      expect(violations).toEqual([]);
    }
  });

  test(
    'on a phone the controls are large enough and nothing scrolls sideways',
    { tags: ['long'] },
    async ({ stage }) => {
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
    },
  );

  test('nothing shifts when the server’s list hydrates', async ({ stage }) => {
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
      // Waits for the measurement in the frame after the change.
      const tops = await page.evaluate(async () => {
        for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
        return (window as unknown as { tops: number[] }).tops;
      });
      expect(new Set(tops), JSON.stringify([...new Set(tops)])).toHaveProperty('size', 4);
    }
  });

  test(
    'the focus stays on the same link when the server’s list hydrates',
    { tags: ['long'] },
    async ({ stage }) => {
      for (let number = 1; number <= 3; number++) await stage.put(OTHER, `第 ${number} 条`);
      const { page } = await stage.open(undefined, { at: '/changelog' });
      await page.route('**/api/comment/getpagecommentlist', async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 500));
        await route.continue();
      });
      await page.goto(stage.path);
      await itemOf(page, '第 2 条').getByRole('link', { name: OTHER, exact: true }).focus();
      await live(page);
      await page.keyboard.press('Tab');
      // The next link, which is the time of the same comment.
      const next = await page.evaluate(() => document.activeElement?.closest('li')?.textContent ?? '');
      expect(next).toContain('第 2 条');
      expect(await page.evaluate(() => document.activeElement?.querySelector('time') !== null)).toBe(true);
    },
  );
});
