import { ensureSyntaxTree } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { describe, expect, test } from 'vitest';
import {
  headingAt,
  headingsOf,
  nest,
  type OutlineItem,
} from '../../../../src/islands/editor/outline/headings.ts';
import { articleLanguage } from '../../../../src/islands/editor/writing/markdown-language.ts';

function headings(doc: string) {
  const state = EditorState.create({ doc, extensions: articleLanguage });
  const tree = ensureSyntaxTree(state, doc.length, 5_000);
  if (!tree) throw new Error('not parsed in time');
  return headingsOf(tree, state.doc);
}
const titles = (doc: string) => headings(doc).map(({ level, text }) => `${level} ${text}`);

describe('the headings of a text', () => {
  test('are found in ATX and Setext form', () => {
    expect(titles('# 一\n\n正文\n\n二\n---\n\n#### 三 ##\n\n#不是')).toEqual(['1 一', '2 二', '4 三']);
  });

  test('are found in quotes and lists', () => {
    expect(titles('> ## 引\n\n- ### 项\n\n1. 甲\n   - # 乙')).toEqual(['2 引', '3 项', '1 乙']);
  });

  test('are not found in any kind of code', () => {
    expect(titles('```sh\n# 注释\n```\n\n~~~\n## 也是\n~~~\n\n    # 缩进\n\n<!--\n# 藏\n-->')).toEqual([]);
  });

  test('have the text that readers see', () => {
    const line = '## **重**点、`代码`、[链接](https://a.example "题")、![图](/a.png)\\*和 <b>标</b>签[^1]';
    expect(titles(line)).toEqual(['2 重点、代码、链接、*和 标签']);
    expect(titles('## <https://a.example>\n\n##')).toEqual(['2 https://a.example', '2 ']);
  });

  test('have their positions', () => {
    const all = headings('开头\n\n# 一\n\n正文\n\n## 二');
    expect([0, 4, 8, 99].map((at) => headingAt(all, at))).toEqual([-1, 0, 0, 1]);
  });
});

test('each is nested under the last one of a higher rank', () => {
  const brief = (items: readonly OutlineItem[]): unknown[] =>
    items.map(({ text, items: below }) => (below.length > 0 ? [text, brief(below)] : text));
  const all = headings('### 先\n\n## 甲\n\n#### 甲一\n\n### 甲二\n\n## 乙\n\n# 总');
  expect(brief(nest(all))).toEqual(['先', ['甲', ['甲一', '甲二']], '乙', '总']);
  expect(nest([])).toEqual([]);
});

test('all are found in a text of 200,000 characters', () => {
  const all = headings(
    Array.from({ length: 2_000 }, (_, index) => `## 第 ${index} 节\n\n${'字'.repeat(90)}`).join('\n\n'),
  );
  expect(all).toHaveLength(2_000);
  expect(all.at(-1)?.text).toBe('第 1999 节');
});
