import { describe, expect, test } from 'vitest';
import { fromMdx } from '../../../../src/lib/importers/mdx/mdx.ts';

const read = (source: string): [string, string[]] => {
  const { edited, warnings } = fromMdx(source, (line) => line + 1);
  return [edited.text, warnings];
};

describe('components and expressions become code, and are named', () => {
  test.each([
    [
      '<Foo a="b" c={{d: 1}} {...e} />',
      '```jsx\n<Foo a="b" c={{d: 1}} {...e} />\n```',
      ['组件 <Foo> 保留为代码：第 1 行'],
    ],
    ['甲 <Foo>乙</Foo>', '甲 `<Foo>`乙`</Foo>`', ['组件 <Foo> 保留为代码：第 1 行']],
    [
      '甲\n<Foo.Bar\n  a="}>"\n/>\n乙',
      '甲\n\n```jsx\n<Foo.Bar\n  a="}>"\n/>\n```\n\n乙',
      ['组件 <Foo.Bar> 保留为代码：第 2 行'],
    ],
    ['甲 {a}{b} {c}', '甲 `{a}{b} {c}`', ['表达式保留为代码：第 1 行']],
    [
      '<A>\n  <B />\n\n</A>\n字',
      '```jsx\n<A>\n  <B />\n\n</A>\n```\n\n字',
      ['组件 <A> 保留为代码：第 1 行', '组件 <B> 保留为代码：第 2 行'],
    ],
    [
      '<A>\n\n<B /> 字',
      '```jsx\n<A>\n```\n\n`<B />` 字',
      ['组件 <A> 保留为代码：第 1 行', '组件 <B> 保留为代码：第 3 行'],
    ],
    ['甲 {props.x} 乙', '甲 `{props.x}` 乙', ['表达式保留为代码：第 1 行']],
    [
      'export const a = {\n\n  b: 1 }\n\n字',
      '```jsx\nexport const a = {\n\n  b: 1 }\n```\n\n字',
      ['export 语句保留为代码：第 1 行'],
    ],
    ['import a from \'b\'\nimport {\n  c\n} from "d"\n\n字', '\n\n字', ['import 语句没有导入：第 1 行']],
    ['<img src={x} />', '```jsx\n<img src={x} />\n```', ['组件 <img> 保留为代码：第 1 行']],
  ])('%j', (source, text, warnings) => {
    expect(read(source)).toEqual([text, warnings]);
  });
});

describe('what markdown can say is kept', () => {
  test.each([
    ['甲 {/* 注 */}乙', '甲 乙'],
    ['甲{\' \'}乙{"丙"}', '甲 乙丙'],
    ['<>甲</>', '甲'],
    [
      '<div className="a" style={{ color: "red" }} onClick={() => {}}>甲</div>',
      '<div className="a"  >甲</div>',
    ],
    ['<img src={require("./a.png").default} width={300} />', '<img src="./a.png" width="300" />'],
    ['<Image src="/a.png" alt="图" width={3} />', '![图](/a.png)'],
  ])('%j', (source, text) => {
    expect(read(source)).toEqual([text, []]);
  });

  test('a picture that the file imports', () => {
    expect(read('import a from \'./a.png\'\n\n<Image src={a} alt="图" />')).toEqual([
      '\n\n![图](./a.png)',
      ['import 语句没有导入：第 1 行'],
    ]);
  });
});

describe('other text stays', () => {
  test.each([
    '',
    '`<Foo />` 和 ``{a}``',
    '```jsx\nimport a from "b"\n<Foo>{a}</Foo>\n```',
    '$\\frac{a}{b}$\n\n$$\n{x}\n$$',
    '<!-- <Foo /> -->',
    '1 < 2, a <b && c> d, <https://a.example>',
    '\\{a} \\<Foo />',
    'import 是一个词\n\nexport 也是',
    '## 标题 {#id}',
    '<details>\n<summary>甲</summary>\n\n乙\n\n</details>',
    '没有配对 {',
  ])('%j', (source) => {
    expect(read(source)).toEqual([source, []]);
  });
});

test.each([
  '<',
  '<a ',
  '<A b={',
  '{',
  '{`',
  "{'",
  '{a}',
  '<A/>',
  'import a\n',
  'export const a = {\n\n',
  '$a',
  '`{',
  '<!--',
  '<A b="',
])('%j repeated to 200 KB terminates', { timeout: 60_000 }, (piece) => {
  expect(read(piece.repeat(200_000 / piece.length))[0].length).toBeGreaterThan(10_000);
});
