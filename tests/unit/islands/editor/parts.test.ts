import { describe, expect, test } from 'vitest';
import { countWords } from '../../../../src/lib/shared/word-count.ts';
import { interpolate } from '../../../../src/islands/editor/desk/in-step.ts';
import { keyText } from '../../../../src/islands/editor/writing/keys.ts';
import { choicesOf } from '../../../../src/islands/editor/fields/tag-choices.ts';
import { countMarkdown } from '../../../../src/lib/markdown/count-words.ts';
import { quoteArticle } from '../../../../src/lib/markdown/quoted-article.ts';
import { renderMarkdown, renderPreview } from '../../../../src/lib/markdown/render.ts';

describe('counting as Chinese writers do', () => {
  test.each([
    ['', 0],
    ['你好，世界！', 4],
    ['用 TypeScript 写 3 行', 5],
    ['👩‍👩‍👧 ——', 0],
    ['𠮷野家', 3],
    ['Ελληνικά слово', 2],
    ['don’t take 3.14 e.g. “this”。', 5],
    ['ภาษาไทยง่าย 和 ขอบคุณ', 5],
  ])('%j has %i', (text, count) => expect(countWords(text)).toBe(count));
});

describe('tags to pick', () => {
  const names = (query: string) =>
    choicesOf(['JavaScript', 'Java', '学Java'], ['随笔'], query).map(({ name }) => name);

  test('the exact tag is first, then prefix matches, ignoring case', () => {
    expect(names('Java')).toEqual(['Java', 'JavaScript', '学Java']);
    expect(names('java')).toEqual(['Java', 'JavaScript', '学Java', 'java']);
  });

  test('an unknown name can be created, unless too long', () => {
    expect(choicesOf(['Java'], [], '新的').at(-1)).toEqual({ name: '新的', isNew: true });
    expect(choicesOf([], [], '长'.repeat(31))).toEqual([]);
  });
});

test('shortcuts have the platform’s names', () => {
  expect(keyText('Mod-Shift-7', false)).toBe('Ctrl+Shift+7');
  expect(keyText('Mod-b', true)).toBe('⌘B');
});

test('a height between two blocks maps to a line between theirs', () => {
  const anchors = [
    { line: 1, top: 0 },
    { line: 11, top: 100 },
  ];
  expect(interpolate(anchors, 'top', 'line', 50)).toBe(6);
  expect(interpolate(anchors, 'line', 'top', 3)).toBe(20);
  expect(interpolate(anchors, 'top', 'line', 500)).toBe(11);
});

describe('a preview', () => {
  const source = '# 一\n\n段落\n\n<--阅读全文-->\n\n| 甲 |\n| --- |\n| 乙 |\n\n末段[^1]\n\n[^1]: 注';

  test('equals the published rendering', async () => {
    expect((await renderPreview(source)).html).toBe((await renderMarkdown(source)).html);
  });

  test('knows each block’s first line, including the 阅读全文 line', async () => {
    expect((await renderPreview(source)).lines).toEqual([1, 3, 7, 11, null]);
  });
});

test.each([
  '',
  '# 标题\n\n正文有[链接](https://example.com/a-b-c "题")和 `code`，**强调**。',
  '![图的说明](/api/file/a.png)\n\n| 甲 | 乙 |\n| --- | --- |\n| 一 | two |\n\n脚注[^1]\n\n[^1]: 注释三字',
  '前\n\n<--阅读全文-->\n\n$E=mc^2$\n\n```js 标题\nlet a = 1;\n```\n\n```mermaid\ngraph TD\n  a --> b\n```',
  `${'>'.repeat(300)} 太深`,
])('the editor counts %j like the page', async (source) => {
  const page = await renderMarkdown(source).catch(() => quoteArticle(source));
  expect(countMarkdown(source)).toBe(page.words);
});
