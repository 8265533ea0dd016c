import type { Page } from '@playwright/test';
import { describe, expect } from 'vitest';
import { test as base } from './fixtures.ts';
import { sizes } from './visit.ts';
import { contrastOf } from '../../src/lib/contract/rules/looks.ts';

const URL_TEXT =
  'https://docs.spring.io/spring-boot/docs/current/reference/htmlsingle/features-web-applications';
const WIDE_ROW = `|${' spring.datasource.url |'.repeat(12)}`;
const SUM = Array.from({ length: 60 }, (_, index) => `a_{${index}}`).join('+');
const MATRIX = `\\begin{pmatrix}${Array.from({ length: 16 }, () => '\\cos(\\alpha)').join('&')}\\end{pmatrix}`;
const CONTENT = [
  '## 一节',
  `官方文档的地址是：${URL_TEXT} ，照着做一遍。`,
  '同一个桶上的写入会互相等待，所以在高并发的场景里调用 `ConcurrentHashMap.computeIfAbsent` 与 `LinkedHashMap` 都要小心，再往后还有一行。',
  '同一个桶上的写入会互相等待，所以在高并发的场景里调用这个名字不短的 InternationalizationContext 要小心，再往后还有一行。',
  '> [!NOTE]\n> 提示里的 `代码`。',
  `\`\`\`js\nconst long = '${'x'.repeat(300)}';\n\`\`\``,
  `${WIDE_ROW}\n|${' --- |'.repeat(12)}\n${WIDE_ROW}`,
  `$$\n${SUM}\n$$`,
  `$$\nM=${MATRIX}\n$$`,
  `其中 $${SUM}$ 是和。`,
  '## 二节',
  '一段话。\n\n'.repeat(100),
].join('\n\n');

const test = base.extend('article', { scope: 'file' }, async ({ site, author }) => {
  const card = { tags: ['样张'], create_time: Date.now() };
  await site.write(author, { ...card, title: '另一篇' });
  return site.write(author, { ...card, title: '样张', content: CONTENT });
});

/** Widths by which justification stretches the lines of the article, in ems. */
const stretches = (page: Page) =>
  page.evaluate(() => {
    const blocks = [...document.querySelectorAll<HTMLElement>('.prose > p')];
    const ends = () =>
      blocks.map((block) => {
        const range = document.createRange();
        range.selectNodeContents(block);
        const lines = new Map<number, number>();
        for (const { bottom, right } of range.getClientRects()) {
          const line = Math.round(bottom / 12);
          lines.set(line, Math.max(lines.get(line) ?? 0, right));
        }
        return [...lines.values()];
      });
    const justified = ends();
    for (const block of blocks) block.style.textAlign = 'start';
    const em = parseFloat(getComputedStyle(blocks[0] as HTMLElement).fontSize);
    return ends().flatMap((lines, index) =>
      lines.map((end, line) => ((justified[index]?.[line] ?? 0) - end) / em),
    );
  });

test('no line is stretched by more than 3 em', async ({ page, article }) => {
  await page.goto(`/detail/${article}`);
  const found = await stretches(page);
  expect(found.length).toBeGreaterThan(100);
  expect(Math.max(...found)).toBeLessThanOrEqual(3);
});

test('inline code in a callout stands out from its ground', async ({ page, article }) => {
  await page.goto(`/detail/${article}`);
  const grounds = await page
    .locator('.callout, .callout code')
    .evaluateAll((elements) => elements.map((element) => getComputedStyle(element).backgroundColor));
  expect(new Set(grounds).size).toBe(2);
});

test('wide tables and formulas have the edge shadow of code', async ({ page, article }) => {
  await page.setViewportSize(sizes.phone);
  await page.goto(`/detail/${article}`);
  const boxes = await page.locator('.table-scroll, .formula, .code-block pre').evaluateAll((elements) =>
    elements.map((element) => ({
      scrolls: element.scrollWidth > element.clientWidth,
      shadow: getComputedStyle(element).backgroundAttachment,
    })),
  );
  const shaded = { scrolls: true, shadow: 'local, local, scroll, scroll, scroll' };
  expect(boxes).toEqual([shaded, shaded, shaded, shaded]);
});

describe('on paper', () => {
  test('nothing is cut, headings keep their line, and times are exact', async ({ page, article }) => {
    await page.setViewportSize({ width: 718, height: 1000 });
    await page.goto(`/detail/${article}`);
    await page.emulateMedia({ media: 'print' });
    const cut = await page
      .locator('.prose :is(pre, code, table, td, mi, mn, mo)')
      .evaluateAll((elements) =>
        elements
          .filter((element) => element.getBoundingClientRect().right > 718)
          .map(({ tagName }) => tagName),
      );
    expect(cut).toEqual([]);
    expect(
      await page
        .locator('.prose h2')
        .evaluateAll((headings) => headings.map((heading) => getComputedStyle(heading, '::before').position)),
    ).toEqual(['static', 'static']);
    const time = page.locator('time[data-relative]').first();
    expect(
      await time.evaluate((element) => [
        getComputedStyle(element).fontSize,
        getComputedStyle(element, '::after').content,
      ]),
    ).toEqual(['0px', JSON.stringify(await time.getAttribute('title'))]);
  });
});

test('filled buttons have a label in forced colours', async ({ visit }) => {
  const { page } = await visit({ forcedColors: 'active' });
  await page.goto('/signin');
  const [text = '', ground = '', plate = ''] = await page
    .locator('.button')
    .first()
    .evaluate((button) => {
      const { color, backgroundColor } = getComputedStyle(button);
      const hex = (value: string) =>
        `#${(value.match(/\d+/g) ?? [])
          .slice(0, 3)
          .map((part) => Number(part).toString(16).padStart(2, '0'))
          .join('')}`;
      return [color, backgroundColor, getComputedStyle(document.body).backgroundColor].map(hex);
    });
  // Chromium draws a plate of the page's colour behind text.
  for (const behind of [ground, plate]) expect(contrastOf(text, behind)).toBeGreaterThanOrEqual(4.5);
});

test('a transparent picture has a light ground in the dark theme, a photograph has none', async ({
  site,
  author,
  visit,
}) => {
  const content = '![](https://a.invalid/a.png)\n\n![](https://a.invalid/b.JPG)';
  const id = await site.write(author, { title: '图', content });
  const { page, forgive } = await visit();
  forgive(/Failed to load resource/);
  await page.addInitScript(() => localStorage.setItem('theme', 'dark'));
  await page.goto(`/detail/${id}`, { waitUntil: 'domcontentloaded' });
  const [lines, photograph] = await page
    .locator('.prose img')
    .evaluateAll((images) => images.map((image) => getComputedStyle(image).backgroundColor));
  expect(photograph).toBe('rgba(0, 0, 0, 0)');
  expect(lines).not.toBe(photograph);
});

test.for([true, false])(
  'the contents open from a button below 1200 px (script: %s)',
  async (hasScript, { visit, article }) => {
    const { page } = await visit({ javaScriptEnabled: hasScript, viewport: sizes.phone });
    await page.goto(`/detail/${article}`);
    const button = page.getByRole('button', { name: '目录' });
    if (hasScript) {
      expect(await button.isVisible()).toBe(false);
      await page.evaluate(() => window.scrollTo({ top: 3000, behavior: 'instant' }));
      await expect.poll(() => page.locator('html').getAttribute('data-away')).toBe('true');
      await page.evaluate(() => window.scrollTo({ top: 2800, behavior: 'instant' }));
    }
    await button.click();
    const { width = 0, height = 0 } = (await button.boundingBox()) ?? {};
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
    await page.locator('.detail-toc').getByRole('link', { name: '二节' }).click();
    await expect.poll(() => new URL(page.url()).hash).toBe('#h2-2');
    const heading = page.locator('.prose').getByRole('heading', { name: '二节' });
    const top = (await page.locator('.detail-toc').boundingBox())?.y ?? 0;
    await expect.poll(async () => (await heading.boundingBox())?.y).toBeLessThan(top);
    await page.mouse.click(10, top - 10);
    await expect.poll(() => page.locator('.detail-toc').isVisible()).toBe(false);
  },
);

test('lists print author and time of each article', async ({ page, article }) => {
  expect(article).not.toBe('');
  const shown = async (path: string) => {
    await page.goto(path);
    return page
      .locator('.card-note')
      .evaluateAll((notes) =>
        notes.map((note) =>
          ['a[href^="/user/info"]', 'time'].map((part) =>
            [...note.querySelectorAll(part)].some(
              (element) => (element.closest('span, a')?.getBoundingClientRect().width ?? 0) > 1,
            ),
          ),
        ),
      );
  };
  const both = [true, true];
  expect(await shown('/home/样张')).toEqual([both, both]);
  expect(await shown('/tag/detail/样张')).toEqual([both, both]);
  await page.setViewportSize(sizes.phone);
  expect(await shown('/tag/detail/样张')).toEqual([both, both]);
});
