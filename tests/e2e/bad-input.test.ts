import type { Page } from '@playwright/test';
import { describe, expect } from 'vitest';
import { BOUNDS } from '../../src/lib/contract/rules/bounds.ts';
import { looks } from './looks.ts';
import { test as base } from './fixtures.ts';

const LATIN = 'antidisestablishmentarianism'.repeat(360).slice(0, 10_000);
const HAN = '天地玄黄宇宙洪荒日月盈昃辰宿列张'.repeat(625);
const NESTED = `${'\\frac{1}{'.repeat(50)}x${'}'.repeat(50)}`;

/** Texts that are broken or unreadable, keyed by the kind of fault. */
const TEXTS: Record<string, string> = {
  空白: '　\n\n',
  没有标题: '只有一段话。',
  三百个标题: Array.from(
    { length: 300 },
    (_, index) => `${'#'.repeat((index % 6) + 1)} 标题 ${index + 1}\n\n一段。`,
  ).join('\n\n'),
  两百张图: Array.from({ length: 200 }, (_, index) => `![图 ${index}](${pictureOf(index)})`).join('\n\n'),
  二十万字: '一段很长的正文，写了很久也没有写完。'.repeat(11_111),
  长行拉丁: LATIN,
  长行汉字: HAN,
  长行代码: `\`${LATIN}\`\n\n\`\`\`js\n${LATIN}\n\`\`\`\n\n\`\`\`${'java'.repeat(500)} title=${LATIN}\nx\n\`\`\``,
  长行表格: `| 甲 | 乙 |\n| --- | --- |\n| ${LATIN} | ${HAN} |\n\n|${'列|'.repeat(100)}\n|${'-|'.repeat(100)}\n|${'格|'.repeat(100)}`,
  长行标题: `# ${LATIN}\n\n一段。\n\n## ${HAN}\n\n一段。`,
  长行链接: `https://example.com/${LATIN}\n\n[${LATIN}](https://example.com/)\n\n[^${LATIN.slice(0, 900)}]\n\n[^${LATIN.slice(0, 900)}]: ${LATIN}`,
  长行各处: `> ${LATIN}\n\n- ${LATIN}\n- [x] ${LATIN}\n\n> [!NOTE]\n> ${LATIN}\n\n${LATIN}\n: ${LATIN}\n\n<details><summary>${LATIN}</summary>${LATIN}</details>\n\n<kbd>${LATIN}</kbd> ~~${LATIN}~~ **${LATIN}** ==${LATIN}==`,
  深层嵌套: `${'> '.repeat(60)}深\n\n${Array.from({ length: 60 }, (_, depth) => `${'  '.repeat(depth)}- 层 ${depth}`).join('\n')}`,
  坏标记: `<div style="width:9000px"><table width="9000"><tr><td width="9000" nowrap>格<b>未关<i>未关\n\n<pre><code>${'<span>'.repeat(40)}\n\n</div></div></p>\n\n<h2>\n\n[链接](<\n\n![图](\n\n<img width="9000" height="9000" src="/没有.png">\n\n<hr width="9000"><font size="99">大</font><center>\n\n${'*_`'.repeat(2_000)}`,
  公式炸弹: `$$${NESTED}$$\n\n$${'x+'.repeat(900)}x$\n\n$$\\begin{matrix}${'a&'.repeat(80)}a\\end{matrix}$$\n\n$$\\rule{9999em}{9999em}\\hspace{9999em}x$$\n\n$$\\def\\a{\\a\\a}\\a$$\n\n$\\text{${HAN.slice(0, 900)}}$`,
  图示炸弹: `${mermaid(`graph LR\n${Array.from({ length: 12 }, (_, index) => `n${index}[第 ${index} 步] --> n${index + 1}[第 ${index + 1} 步]`).join('\n')}`)}\n\n${mermaid(`graph TD\na[${LATIN.slice(0, 3_000)}] --> b`)}\n\n${mermaid(`graph TD\n${Array.from({ length: 3_000 }, (_, index) => `a${index} --> b${index}`).join('\n')}`)}\n\n${mermaid(`sequenceDiagram\n${Array.from({ length: 24 }, (_, index) => `人${index}->>人${index + 1}: 请把第 ${index} 封信交给下一位`).join('\n')}`)}`,
};

/** Titles that break lines, text direction or visibility. */
const TITLES = [
  '👨‍👩‍👧‍👦'.repeat(30),
  'مقال طويل عن البرمجة '.repeat(8),
  '\u202e反过来\u2066的题目\u202b',
  'W'.repeat(BOUNDS.title[1]),
  `a\u0000b\u0007c\u001bd\u200b\u2028e`,
  'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤'.repeat(12),
  '<script>alert(1)</script>&amp;"\'',
];

function pictureOf(index: number): string {
  return `/api/file/${index.toString(16).padStart(32, '0')}-${1_000 + index}x${index % 3 ? 700 : 4_000}.png`;
}

function mermaid(lines: string): string {
  return `\`\`\`mermaid\n${lines}\n\`\`\``;
}

const test = base
  .extend('texts', { scope: 'file' }, async ({ site, author }) => {
    const ids: Record<string, string> = {};
    for (const [name, content] of Object.entries(TEXTS))
      ids[name] = await site.write(author, { title: name, content });
    return ids;
  })
  .extend('titles', { scope: 'file' }, async ({ site, author }) => {
    const ids: string[] = [];
    for (const title of TITLES) ids.push(await site.write(author, { title, tags: ['题目'] }));
    return ids;
  });

/** Elements that extend beyond the window, except those in a scrolling container. */
const strays = (page: Page) =>
  page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const holds = (element: Element) => getComputedStyle(element).overflowX !== 'visible';
    const isHeld = (element: Element) => {
      for (let box = element.parentElement; box && box !== document.body; box = box.parentElement)
        if (holds(box)) return true;
      return false;
    };
    const found = [...document.querySelectorAll('main *')].filter((element) => {
      const { left, right } = element.getBoundingClientRect();
      return right > left && (right > width + 1 || left < -1) && !isHeld(element);
    });
    return [
      ...(document.documentElement.scrollWidth > width ? ['the page'] : []),
      ...found.slice(0, 5).map((element) => `${element.tagName}.${element.className}`),
    ];
  });

describe.each(looks([390, 1440]))('at %i px', (width) => {
  test.override('window', { viewport: { width, height: 844 } });

  test.for(Object.keys(TEXTS))('the page stays in its window: %s', async (name, { guest, page, texts }) => {
    guest.forgive(/404/);
    await page.goto(`/detail/${texts[name]}`);
    expect(await page.getByRole('heading', { level: 1, name }).isVisible()).toBe(true);
    expect(await strays(page)).toEqual([]);
  });

  test('titles with control, bidirectional or invisible characters stay in place', async ({
    page,
    titles,
  }) => {
    for (const path of ['/home', '/tag/detail/题目', '/user/info/林间', '/archive', '/tag/list']) {
      expect((await page.goto(path))?.status()).toBe(200);
      expect(await strays(page), path).toEqual([]);
    }
    for (const id of titles) {
      await page.goto(`/detail/${id}`);
      expect((await page.getByRole('heading', { level: 1 }).boundingBox())?.height).toBeGreaterThan(20);
      expect(await strays(page), id).toEqual([]);
    }
  });

  test('a note in the margin ends before the next begins, however many tags it has', async ({
    site,
    author,
    page,
  }) => {
    const tags = Array.from({ length: 10 }, (_, index) => `${'长'.repeat(28)}${index}`);
    for (const day of [1, 2, 3])
      await site.write(author, { title: `第 ${day} 天`, tags, create_time: Date.UTC(2030, 0, day) });
    await page.goto('/home');
    const boxes = await page.locator('.card-note').evaluateAll((notes) =>
      notes.slice(0, 3).map((note) => {
        const { top, bottom } = note.getBoundingClientRect();
        return { top, bottom: Math.max(bottom, note.lastElementChild?.getBoundingClientRect().bottom ?? 0) };
      }),
    );
    expect(boxes).toHaveLength(3);
    for (const [index, { bottom }] of boxes.slice(0, 2).entries())
      expect(bottom).toBeLessThan(boxes[index + 1]?.top ?? 0);
  });

  test('of 300 headings the table of contents leads to the last', async ({ page, texts }) => {
    await page.goto(`/detail/${texts['三百个标题']}`);
    const folded = page.locator('details > summary', { hasText: '目录' });
    if (await folded.isVisible()) await folded.click();
    const link = page.locator('.toc a:visible', { hasText: /^标题 300$/ });
    await link.click();
    const heading = page.locator('.prose').getByRole('heading', { name: '标题 300' });
    await expect.poll(async () => (await heading.boundingBox())?.y).toBeLessThan(844);
    if (width > 1_200) await expect.poll(async () => (await link.boundingBox())?.y).toBeLessThan(844);
  });

  test('a diagram too wide for the text scrolls by itself, at a size that can be read', async ({
    page,
    texts,
  }) => {
    await page.goto(`/detail/${texts['图示炸弹']}`);
    const [wide] = await page.locator('.diagram-picture').evaluateAll((boxes) =>
      boxes.map((box) => {
        const svg = box.querySelector('svg');
        const drawn = svg?.getBoundingClientRect().width ?? 0;
        return {
          scrolls: box.scrollWidth > box.clientWidth,
          scale: drawn / (svg?.viewBox.baseVal.width ?? 1),
        };
      }),
    );
    expect(wide?.scrolls).toBe(true);
    expect(wide?.scale).toBeCloseTo(1, 2);
  });
});
