import { describe, expect, test } from 'vitest';
import { inspect } from '../../../../src/lib/markdown-file/inspect.ts';
import { findAddresses } from '../../../../src/lib/importers/folder/rewrite.ts';

const ADDRESSES = new Map([
  ['x.md', { address: '/detail/1' }],
  ['x.png', { address: '/api/file/1.png' }],
  ['我 的.md', { address: '/detail/2' }],
]);
const rewrite = (text: string) => findAddresses(text).rewrite(({ url }) => ADDRESSES.get(url));

describe('URLs are replaced and nothing else is changed', () => {
  test.each([
    ['[a](x.md)', '[a](/detail/1)'],
    ['[a]( x.md  "标题" )', '[a]( /detail/1  "标题" )'],
    ['[a](<我 的.md>)', '[a](</detail/2>)'],
    ['[**粗** [内] `码`](x.md)', '[**粗** [内] `码`](/detail/1)'],
    ['[![图](x.png)](x.md)', '[![图](/api/file/1.png)](/detail/1)'],
    ['[a]: x.md "b"\n\n[c][a]', '[a]: /detail/1 "b"\n\n[c][a]'],
    ['| [a](x.md) | ![b](x.png) |\n| - | - |', '| [a](/detail/1) | ![b](/api/file/1.png) |\n| - | - |'],
    ['<img width=3 src=x.png>', '<img width=3 src=/api/file/1.png>'],
    ["<p>\n<a class='b' href='x.md'>c</a>\n</p>", "<p>\n<a class='b' href='/detail/1'>c</a>\n</p>"],
    ['> -\t*  [a](x.md)\t \n>   b', '> -\t*  [a](/detail/1)\t \n>   b'],
  ])('%j', (text, expected) => {
    expect(rewrite(text)).toBe(expected);
  });

  test.each([
    '`[a](x.md)`',
    '```\n[a](x.md) {% asset_img x.png %}\n```',
    '    [a](x.md)',
    '\\[a](x.md)',
    '<!-- <img src="x.png"> -->',
    '<div>\n<!-- <img src="x.png"> -->\n</div>',
    '[^1]: x.md',
    '[a](y.md)',
    '<img data-src="x.png">',
  ])('%j stays as it is', (text) => {
    expect(rewrite(text)).toBe(text);
  });
});

test('headings have their level and the text that a reader sees', () => {
  const headings = (text: string) =>
    inspect(text).headings.map(({ level, text: words }) => `${level} ${words}`);
  expect(headings('## 二\n\n# 一 **粗** `码` [链](x.md) #\n\n# 又一个')).toEqual([
    '2 二',
    '1 一 粗 码 链',
    '1 又一个',
  ]);
  expect(headings('标题\n===')).toEqual(['1 标题']);
  expect(headings('小标题\n---\n\n```\n# 码\n```\n\n#标签')).toEqual(['2 小标题']);
});

test('the id of Notion leaves the label of a link with its address', () => {
  const id = '0123456789abcdef0123456789abcdef';
  expect(rewrite(`[题 ${id}](x.md) [题 ${id}.md](x.md) ![图 ${id}](x.png)`)).toBe(
    `[题](/detail/1) [题](/detail/1) ![图 ${id}](/api/file/1.png)`,
  );
  expect(rewrite(`[题 ${id}](y.md) [${id}](x.md)`)).toBe(`[题 ${id}](y.md) [${id}](/detail/1)`);
});
