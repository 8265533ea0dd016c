import type { Locator } from '@playwright/test';
import { describe, expect } from 'vitest';
import { looks } from './looks.ts';
import { violationsOf } from './axe.ts';
import { SAMPLE, test } from './desk.ts';
import { sizes } from './visit.ts';

describe('looking at it', () => {
  test('source and preview scroll in step', { tags: ['long'] }, async ({ site, author, page, desk }) => {
    const blocks = Array.from(
      { length: 80 },
      (_, number) => `## 第 ${number} 节\n\n${'一段话。'.repeat(number % 7 === 0 ? 90 : 5)}`,
    );
    const id = await site.write(author, { title: '同步', content: blocks.join('\n\n') });
    await desk.open(`/edit/${id}`);
    await desk.preview.getByText('第 79 节').waitFor();
    await desk.text.hover();
    await page.mouse.wheel(0, 4_000);
    const topOf = (pane: Locator, items: string) =>
      pane.evaluate((element, selector) => {
        const { top } = element.getBoundingClientRect();
        const headings = [...element.querySelectorAll(selector)].filter(({ textContent }) =>
          /第 \d+ 节/.test(textContent),
        );
        const first = headings.find((each) => each.getBoundingClientRect().top >= top - 1);
        return Number(/\d+/.exec(first?.textContent ?? '')?.[0]);
      }, items);
    await expect
      .poll(async () => {
        const left = await topOf(page.locator('.cm-scroller'), '.cm-line');
        const right = await topOf(page.locator('.preview-scroller'), 'h2');
        return left > 10 && Math.abs(left - right) <= 1;
      })
      .toBe(true);
    // The preview renders blocks in groups, which must not change the distances between blocks.
    const gaps = (prose: Element[]) =>
      prose
        .flatMap((each) => [...each.children])
        .filter((each) => !(each as HTMLElement).hidden)
        .map((each) => getComputedStyle(each).marginTop);
    const shown = await desk.preview.evaluateAll(gaps);
    expect(await desk.preview.count()).toBeGreaterThan(1);
    await page.goto(`/detail/${id}`);
    expect(shown).toEqual(await page.locator('article .prose').evaluateAll(gaps));
  });

  test('full screen by button, back by Escape', { tags: ['long'] }, async ({ page, desk }) => {
    await desk.open();
    await desk.button('全屏').click();
    const isHeaderThere = () =>
      page.evaluate(() => document.elementFromPoint(innerWidth / 2, 30)?.closest('header') !== null);
    await expect.poll(isHeaderThere).toBe(false);
    await desk.text.click();
    await page.keyboard.press('Escape');
    await expect.poll(isHeaderThere).toBe(true);
    await desk.button('全屏').waitFor();
  });

  test('the focus mode changes neither text nor caret', async ({ site, author, page, desk }) => {
    const content = '第一段。\n还是它。\n\n第二段。\n\n第三段。';
    await desk.open(`/edit/${await site.write(author, { title: '专注', content })}`);
    // By class, because hidden elements have no role.
    const around = ['.site-header', '.title-input', '.desk-preview'].map((each) => page.locator(each));
    const areSeen = () =>
      Promise.all(
        around.map((each) =>
          each.evaluate((element) => {
            const { left, top } = element.getBoundingClientRect();
            return element.contains(document.elementFromPoint(left + 2, top + 2));
          }),
        ),
      );
    const standsOut = () => page.locator('.cm-here').allInnerTexts();
    await page.locator('.cm-line', { hasText: '第二段' }).click();
    await page.keyboard.press('End');
    await desk.button('更多').click();
    await page.getByRole('menuitem', { name: '专注模式' }).click();
    await expect.poll(areSeen).toEqual([false, false, false]);
    await expect.poll(standsOut).toEqual(['第二段。']);
    await page.keyboard.type('又一句。');
    expect(await desk.source()).toBe(content.replace('第二段。', '第二段。又一句。'));
    await page.keyboard.press('ControlOrMeta+Home');
    await expect.poll(standsOut).toEqual(['第一段。', '还是它。']);
    // The tools appear when the pointer approaches.
    const shade = () => page.locator('.desk-tools').evaluate((tools) => getComputedStyle(tools).opacity);
    await expect.poll(shade).toBe('0');
    await page.mouse.move(700, 10);
    await expect.poll(shade).toBe('1');
    await page.keyboard.press('Escape');
    await expect.poll(areSeen).toEqual([true, true, true]);

    await page.keyboard.press('F8');
    await desk.button('退出专注模式').click();
    await page.keyboard.type('开头，');
    expect(await desk.source()).toContain('开头，第一段。');
    expect(await areSeen()).toEqual([true, true, true]);
    expect(await standsOut()).toEqual([]);
  });
});

/** Forty numbered sections; every third is the parent of the next two. */
const SECTIONS = Array.from(
  { length: 40 },
  (_, number) => `${number % 3 === 0 ? '##' : '###'} 第 ${number} 节\n\n${'一段话。'.repeat(40)}`,
).join('\n\n');

test(
  'the outline links to headings, follows the caret and keeps its state',
  { tags: ['long'] },
  async ({ site, author, page, desk }) => {
    const content = `${SECTIONS}\n\n\`\`\`\n## 代码里的\n\`\`\`\n`;
    await desk.open(`/edit/${await site.write(author, { title: '大纲', content })}`);
    const outline = page.getByRole('navigation', { name: '大纲' });
    const current = outline.locator('[aria-current]');
    await desk.button('更多').click();
    await page.getByRole('menuitem', { name: '大纲' }).click();
    const section = outline.getByRole('listitem').filter({ hasText: '第 30 节' });
    await expect.poll(() => section.getByRole('button').count()).toBe(3);
    expect(await outline.getByRole('button', { name: '代码里的' }).count()).toBe(0);
    await section.getByRole('button', { name: '第 31 节' }).press('Enter');
    await page.keyboard.type('，改了');
    await expect.poll(() => current.allInnerTexts()).toEqual(['第 31 节，改了']);
    const heading = page.locator('.cm-line', { hasText: '第 31 节，改了' });
    const frame = page.locator('.cm-scroller');
    const top = async (of: Locator) => (await of.boundingBox())?.y ?? NaN;
    await expect.poll(async () => (await top(heading)) - (await top(frame))).toBeLessThan(60);
    await page.keyboard.press('ControlOrMeta+Home');
    await expect.poll(() => current.allInnerTexts()).toEqual(['第 0 节']);
    await desk.saved('已保存');
    await page.reload();
    await section.waitFor();
    await desk.button('收起大纲').click();
    expect(await outline.count()).toBe(0);
    await page.reload();
    await desk.text.waitFor();
    expect(await outline.count()).toBe(0);
  },
);

describe('on a phone', () => {
  test.override('window', { viewport: sizes.phone, hasTouch: true });

  test('source and preview are tabs, nothing scrolls sideways, and the actions are at hand', async ({
    site,
    author,
    page,
    desk,
  }) => {
    await desk.open(
      `/edit/${await site.write(author, { title: '手机', content: `${SAMPLE}\n\n${'很长'.repeat(300)}` })}`,
    );
    expect(await desk.preview.count()).toBe(0);
    const panel = page.getByRole('tabpanel', { name: '预览' });
    await page.getByRole('tab', { name: '预览' }).click();
    await panel.getByText('注在这里').waitFor();
    expect(await desk.text.isVisible()).toBe(false);
    for (const tab of ['预览', '编辑']) {
      await page.getByRole('tab', { name: tab }).click();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
      const { y = 0, height = 0 } = (await desk.button('更新').boundingBox()) ?? {};
      expect(y + height).toBeLessThanOrEqual(sizes.phone.height);
      expect(height).toBeGreaterThanOrEqual(44);
    }
  });

  test('the outline is a dialog, and moves the caret to the chosen heading', async ({
    site,
    author,
    page,
    desk,
  }) => {
    await desk.open(`/edit/${await site.write(author, { title: '大纲', content: SECTIONS })}`);
    await page.getByRole('tab', { name: '预览' }).tap();
    await desk.button('更多').tap();
    await page.getByRole('menuitem', { name: '大纲' }).tap();
    await page.getByRole('dialog', { name: '大纲' }).getByRole('button', { name: '第 20 节' }).tap();
    const heading = page.locator('.cm-line', { hasText: '第 20 节' });
    await expect.poll(async () => Math.round(((await heading.boundingBox())?.y ?? NaN) / 100)).toBe(2);
    await page.keyboard.type('，改了');
    await expect.poll(() => heading.innerText()).toContain('第 20 节，改了');
  });

  test('with the keyboard open the text is visible, with the toolbar in one row above the keyboard', async ({
    site,
    author,
    page,
    desk,
  }) => {
    const keyboard = 336;
    const content = Array.from({ length: 30 }, (_, number) => `第 ${number} 段\n\n`).join('');
    await desk.open(`/edit/${await site.write(author, { title: '键盘', content })}`);
    const tools = page.getByRole('toolbar', { name: '排版' });
    const header = page.getByRole('banner');
    /**
     * Position of the tools' lower edge, whether they fit in one row, and the height left for the text above
     * them.
     */
    const room = async () => {
      const { y = 0, height = 0 } = (await tools.boundingBox()) ?? {};
      const top = (await header.boundingBox()) ?? { y: 0, height: 0 };
      return { end: y + height, isOneRow: height < 50, left: y - Math.max(0, top.y + top.height) };
    };
    const isCaretAbove = async (height: number) => {
      const caret = await page.locator('.cm-cursor-primary').boundingBox();
      return caret !== null && caret.y >= 0 && caret.y + caret.height <= height;
    };
    await page.locator('.cm-line', { hasText: '第 7 段' }).tap();
    // Like browsers that shrink the page for the keyboard.
    await page.setViewportSize({ width: 390, height: sizes.phone.height - keyboard });
    await expect.poll(room).toEqual({ end: 508, isOneRow: true, left: 462 });
    await expect.poll(() => isCaretAbove(462)).toBe(true);
    await desk.button('更新').waitFor();
    // The title is at the top of the page.
    await page.evaluate(() => scrollTo(0, 0));
    await expect.poll(async () => (await header.boundingBox())?.y).toBe(0);
    await desk.title.tap();
    await expect.poll(async () => (await tools.boundingBox())?.y).toBeLessThan(400);

    // Like iOS, which lays the keyboard over the page and moves the visual viewport.
    await page.setViewportSize(sizes.phone);
    await page.locator('.cm-line', { hasText: '第 9 段' }).tap();
    await page.evaluate((height) => {
      for (const [name, value] of Object.entries({ height, offsetTop: 100 }))
        Object.defineProperty(visualViewport, name, { value });
      visualViewport?.dispatchEvent(new Event('resize'));
    }, 508);
    await expect.poll(async () => (await room()).end).toBe(608);
    expect(await isCaretAbove(562)).toBe(true);
  });
});

test.for(looks(['light', 'dark']))('axe finds nothing, %s', async (theme, { site, author, page, desk }) => {
  await page.addInitScript((chosen) => localStorage.setItem('theme', chosen), theme);
  const check = async () => {
    const violations = await violationsOf(page);
    expect(violations).toEqual([]);
  };
  const id = await site.write(author, { title: '给机器看', content: SAMPLE, tags: ['随笔'] });
  await desk.open(`/edit/${id}`);
  await desk.preview.getByText('注在这里').waitFor();
  await check();
  // The selection has the usual colour, with and without focus in the editor.
  await desk.text.press('Control+a');
  const selected = page.locator('.cm-selectionBackground').first();
  const ground = (element: Element) => getComputedStyle(element).backgroundColor;
  const usual = await page.evaluate(() => getComputedStyle(document.body, '::selection').backgroundColor);
  await expect.poll(() => selected.evaluate(ground)).toBe(usual);
  await desk.title.focus();
  expect(await selected.evaluate(ground)).toBe(usual);
  await desk.tags.fill('新的签');
  await page.getByRole('option', { name: '新建标签「新的签」' }).click();
  await page.getByRole('button', { name: '给新标签「新的签」写一句描述' }).click();
  await page.getByRole('dialog').waitFor();
  await check();
  await page.keyboard.press('Escape');
  await page.setViewportSize(sizes.phone);
  await check();
});

test('the editor counts the words that the page counts', async ({ desk, site, author, page }) => {
  const content = `${SAMPLE}\n\n见[这里](https://example.com/a/b-c?d=e)。`;
  const id = await site.write(author, { title: '字数', content });
  await page.goto(`/detail/${id}`);
  const words = /[\d,]+ 字/.exec(await page.locator('header.page-head').innerText())?.[0] ?? '';
  expect(words).not.toBe('');
  await desk.open(`/edit/${id}`);
  await page.getByText(words).waitFor();
  await desk.text.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText('再写');
  await page.getByText(`${Number.parseInt(words, 10) + 2} 字`).waitFor();
});
