import { EditorState } from '@codemirror/state';
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
