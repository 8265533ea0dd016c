import { expect, test } from 'vitest';
import { feedHtml } from '../../../src/lib/markdown/feed-html.ts';
import { createLiveRenderer } from '../../../src/lib/markdown/parts/live.ts';
import { renderMarkdown, summariseMarkdown } from '../../../src/lib/markdown/render.ts';
import { droppedTags } from '../../../src/lib/markdown-file/dropped-tags.ts';

const WORDS = `用 List<String> 存放，再看 Promise<void>，然后 make <package>。

| 占位 | 说明 |
|--|--|
| <id> | 编号 |

- <main>: \`push %rbp\` 是入口

## <router-view> 的用法

范围 <0000> 到 <ffff>
`;

test('words that look like tags are readable in the page, the summary, the search text and feeds', async () => {
  const { html, text, summary, toc } = await renderMarkdown(WORDS);
  for (const word of 'List<String> Promise<void> <package> <id> <main> <router-view> <ffff>'.split(' ')) {
    expect(text).toContain(word);
    expect(html).toContain(word.replaceAll('<', '&#x3C;'));
    expect(feedHtml(html, 'https://a.example/detail/1')).toContain(word.replaceAll('<', '&#x3C;'));
  }
  expect(html).toContain('<code>push %rbp</code>');
  expect(summary).toContain('List<String>');
  expect(summariseMarkdown(WORDS)).toBe(summary);
  expect(toc).toMatchObject([{ text: '<router-view> 的用法', slug: 'router-view-的用法' }]);
});

test('the preview in the editor shows them as the page does', async () => {
  const { html } = await renderMarkdown(WORDS);
  const { pieces } = await createLiveRenderer()(WORDS);
  expect(pieces.join('\n')).toBe(html);
});

test.each([
  ['at the start of a line, with Markdown below', '<router-view>\n**粗**', '<router-view>\n粗'],
  ['in a block of HTML', '<div>\nList<String> <List<T>> <o:p>\n</div>', 'List<String> <List<T>> <o:p>'],
  ['in preformatted text', '<pre>\nMap<String,Object> m\n</pre>', 'Map<String,Object> m'],
  ['with attributes', '<Badge text="新" /> 字', '<Badge text="新" /> 字'],
  ['between end tags', '<VPCard>卡片</VPCard>', '<VPCard>卡片</VPCard>'],
  ['in emphasis and a link', '**<key>** [<val>](/a)', '<key> <val>'],
  [
    'instructions and declarations',
    'List<?> <?php a ?> <!DOCTYPE html>',
    'List<?> <?php a ?> <!DOCTYPE html>',
  ],
  ['names of elements without their attributes', '<image> <source> <none>', '<image> <source> <none>'],
  ['names of elements that nothing closes', '元素 <button> 和 <select>', '元素 <button> 和 <select>'],
  ['escaped', '\\<b> &lt;i> `<u>`', '<b> <i> <u>'],
])('%s', async (_, source, shown) => {
  const { text } = await renderMarkdown(source);
  expect(text).toBe(shown);
});

test.each([
  ['an allowed element', '<kbd>Ctrl</kbd>', 'Ctrl'],
  ['a forbidden one', '<font color="red">红</font> <button>按</button>', '红 按'],
  ['one over several blocks', '<main>\n\n文\n\n</main>', '文'],
  ['a comment', '甲 <!-- 注 --> 乙', '甲 乙'],
  ['SVG', '看 <svg><text>字</text></svg> 后', '看 字 后'],
])('%s stays markup', async (_, source, shown) => {
  const { text } = await renderMarkdown(source);
  expect(text).toBe(shown);
});

test('ten thousand of them are rendered as far as they are text', async () => {
  for (const source of [
    '行 <package> 字 '.repeat(10_000),
    `<div>\n${'List<String>\n'.repeat(10_000)}</div>`,
    '- <main> 项\n'.repeat(10_000),
  ]) {
    const { text } = await renderMarkdown(source);
    expect(text.split('<')).toHaveLength(10_001);
  }
});

test('elements that a page does not have are named with their lines', () => {
  const source = [
    '<font color=red>红</font> List<String> <main>: 入口',
    '',
    '`<font>`',
    '',
    '<header>\n\n文\n\n</header>',
    '',
    '<font size=2>小</font> <kbd>K</kbd>',
    '',
    '<script>a()</script>',
    '',
    '<svg><path d="M0"/></svg>',
  ].join('\n');
  expect(droppedTags(source)).toEqual([
    '文章里不能用 <font>，标签会去掉，其中的文字保留（正文第 1、11 行）',
    '文章里不能用 <header>，标签会去掉，其中的文字保留（正文第 5 行）',
    '文章里不能用 <script>，它和其中的内容不会显示（正文第 13 行）',
    '文章里不能用 <svg>，标签会去掉，其中的文字保留（正文第 15 行）',
  ]);
});
