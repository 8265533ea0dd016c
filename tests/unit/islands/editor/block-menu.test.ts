import { describe, expect, test } from 'vitest';
import { blockCallAt, blockChoices } from '../../../../src/islands/editor/completions/block-menu.ts';
import { setHeading } from '../../../../src/islands/editor/commands/lines.ts';
import {
  insertCallout,
  insertDefinition,
  insertDiagram,
  insertFormula,
} from '../../../../src/islands/editor/commands/blocks.ts';
import type { EditorState, TransactionSpec } from '@codemirror/state';
import { renderMarkdown } from '../../../../src/lib/markdown/render.ts';
import { apply, stateOf } from './written.ts';

const callIn = (text: string) => {
  const state = stateOf(text);
  return blockCallAt(state, state.selection.main.head);
};

describe('the block menu opens', () => {
  test.each([
    ['/¦', { from: 0, query: '' }],
    ['  /¦', { from: 2, query: '' }],
    ['上一行\n\n/表格¦', { from: 5, query: '表格' }],
    ['／bt¦', { from: 0, query: 'bt' }],
    ['、¦', { from: 0, query: '' }],
    ['/H2¦  ', { from: 0, query: 'H2' }],
  ])('by %j', (text, call) => expect(callIn(text)).toEqual(call));

  test.each([
    ['in the middle of a text', '和 /¦'],
    ['before a text', '/¦和'],
    ['behind white space by a sign that ends a Chinese item', '  、¦'],
    ['in a path', '/usr/bin¦'],
    ['after white space', '/表格 ¦'],
    ['in a code block', '```\n/¦\n```'],
    ['in an open code block', '```\n/¦'],
    ['in indented code', '    甲\n    /¦'],
    ['by other signs', '、、¦'],
  ])('not %s', (_where, text) => expect(callIn(text)).toBeNull());
});

test.each([
  ['bt', '标题 2'],
  ['标题3', '标题 3'],
  ['h4', '标题 4'],
  ['DMK', '代码块'],
  ['code', '代码块'],
  ['table', '表格'],
  ['todo', '任务列表'],
  ['列表', '列表'],
  ['分割', '分隔线'],
  ['tsk', '提示块'],
  ['gs', '公式'],
  ['tex', '公式'],
  ['lct', '流程图'],
  ['sequence', '时序图'],
  ['mermaid', '流程图'],
  ['定义', '名词解释'],
  ['img', undefined],
])('%j finds %j first', (query, name) => expect(blockChoices(query)[0]?.name).toBe(name));

test('a heading gets the requested level, whatever it was', () => {
  expect(apply('¦', (state) => setHeading(state, 3))).toBe('### ¦');
  expect(apply('## 节¦', (state) => setHeading(state, 4))).toBe('#### 节¦');
  expect(apply('## 节¦', (state) => setHeading(state, 0))).toBe('节¦');
});

test('a callout starts with the caret inside', () =>
  expect(apply('甲\n\n¦', (state) => insertCallout(state, 'tip'))).toBe('甲\n\n::: tip\n¦\n:::\n\n'));

test('a formula starts with the caret inside, a diagram and a definition with a selected word', () => {
  expect(apply('甲\n\n¦', insertFormula)).toBe('甲\n\n$$\n¦\n$$\n\n');
  expect(apply('¦', (state) => insertDiagram(state, 'sequence'))).toBe(
    '```mermaid\nsequenceDiagram\n  读者->>作者: ⟦留言⟧\n  作者-->>读者: 回复\n```\n\n',
  );
  expect(apply('甲¦', insertDefinition)).toBe('甲\n\n⟦词⟧\n: 解释\n\n');
});

test('the renderer supports every block of the menu', async () => {
  const textOf = (spec: (state: EditorState) => TransactionSpec) => apply('¦', spec).replaceAll(/[¦⟦⟧]/g, '');
  for (const kind of ['flowchart', 'sequence'] as const)
    expect((await renderMarkdown(textOf((state) => insertDiagram(state, kind)))).html).toContain(
      'class="diagram"',
    );
  expect((await renderMarkdown(textOf(insertDefinition))).html).toContain('<dt>词</dt>');
});
