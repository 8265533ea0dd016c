import { EditorState, type TransactionSpec } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { expect, test } from 'vitest';
import { hintsIn } from '../../../../../src/islands/editor/writing/hints.ts';
import { articleLanguage } from '../../../../../src/islands/editor/writing/markdown-language.ts';

function hintsOf(doc: string) {
  const state = EditorState.create({ doc, extensions: articleLanguage });
  return hintsIn(state).map(({ from, to, message }) => `${doc.slice(from, to)}：${message}`);
}

test('marks the elements that a page does not have', () => {
  expect(hintsOf('甲 <font color="red">红</font>\n\n<nav>\n<b>粗</b>\n</nav>')).toEqual([
    '<font：文章里不能用 <font>，标签会去掉，其中的文字保留',
    '<nav：文章里不能用 <nav>，标签会去掉，其中的文字保留',
  ]);
});

test('marks neither code nor words that look like tags', () => {
  expect(hintsOf('List<String> 与 <main>: 入口 `<font>`\n\n```html\n<font>\n```\n\n<kbd>K</kbd>')).toEqual(
    [],
  );
});

test('marks headings without a space, and offers to add it', () => {
  const doc = '# 好\n\n##小节\n\n#include <a>\n\n```\n##代码\n```';
  const state = EditorState.create({ doc, extensions: articleLanguage });
  const [hint, ...others] = hintsIn(state);
  expect(others).toEqual([]);
  expect(hint).toMatchObject({ message: '# 后面没有空格，这一行不是标题', actions: [{ name: '补上空格' }] });
  let changed = '';
  const dispatch = (spec: TransactionSpec) => (changed = state.update(spec).state.doc.toString());
  hint?.actions?.[0]?.apply({ dispatch } as unknown as EditorView, hint.from, hint.to);
  expect(changed).toBe(doc.replace('##小节', '## 小节'));
});
