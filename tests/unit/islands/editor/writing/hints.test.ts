import { EditorState, type TransactionSpec } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { expect, test } from 'vitest';
import { hintsIn } from '../../../../../src/islands/editor/writing/hints.ts';
import { articleLanguage } from '../../../../../src/islands/editor/writing/markdown-language.ts';

async function hintsOf(doc: string) {
  const state = EditorState.create({ doc, extensions: articleLanguage });
  return (await hintsIn(state)).map(({ from, to, message }) => `${doc.slice(from, to)}：${message}`);
}

test('marks the elements that a page does not have', async () => {
  expect(await hintsOf('甲 <font color="red">红</font>\n\n<nav>\n<b>粗</b>\n</nav>')).toEqual([
    '<font：文章里不能用 <font>，标签会去掉，其中的文字保留',
    '<nav：文章里不能用 <nav>，标签会去掉，其中的文字保留',
  ]);
});

test('marks neither code nor words that look like tags', async () => {
  expect(
    await hintsOf('List<String> 与 <main>: 入口 `<font>`\n\n```html\n<font>\n```\n\n<kbd>K</kbd>'),
  ).toEqual([]);
});

test('marks headings without a space, and offers to add it', async () => {
  const doc = '# 好\n\n##小节\n\n#include <a>\n\n```\n##代码\n```';
  const state = EditorState.create({ doc, extensions: articleLanguage });
  const [hint, ...others] = await hintsIn(state);
  expect(others).toEqual([]);
  expect(hint).toMatchObject({ message: '# 后面没有空格，这一行不是标题', actions: [{ name: '补上空格' }] });
  let changed = '';
  const dispatch = (spec: TransactionSpec) => (changed = state.update(spec).state.doc.toString());
  hint?.actions?.[0]?.apply({ dispatch } as unknown as EditorView, hint.from, hint.to);
  expect(changed).toBe(doc.replace('##小节', '## 小节'));
});

test('marks pictures that the text itself contains, except in code', async () => {
  const address = 'data:image/png;base64,iVBORw0KGgo=';
  const hint = '：图片写在文字里，读者看不到，要存成文件';
  expect(await hintsOf(`前 ![图](${address}) 后\n\n\`(${address})\`\n\n<img src="${address}">`)).toEqual([
    `${address.slice(0, 20)}${hint}`,
    `${address.slice(0, 20)}${hint}`,
  ]);
});
