import { describe, expect, test } from 'vitest';
import { blockCallAt, blockChoices } from '../../../../src/islands/editor/completions/block-menu.ts';
import { setHeading } from '../../../../src/islands/editor/commands/lines.ts';
import { insertCallout } from '../../../../src/islands/editor/commands/blocks.ts';
import { apply, stateOf } from './written.ts';

const callIn = (text: string) => {
  const state = stateOf(text);
  return blockCallAt(state, state.selection.main.head);
};

describe('blocks are called for', () => {
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
  ['img', undefined],
])('%j finds %j first', (query, name) => expect(blockChoices(query)[0]?.name).toBe(name));

test('a heading gets the level that is asked for, whatever it was', () => {
  expect(apply('¦', (state) => setHeading(state, 3))).toBe('### ¦');
  expect(apply('## 节¦', (state) => setHeading(state, 4))).toBe('#### 节¦');
  expect(apply('## 节¦', (state) => setHeading(state, 0))).toBe('节¦');
});

test('a callout is begun inside', () =>
  expect(apply('甲\n\n¦', (state) => insertCallout(state, 'tip'))).toBe('甲\n\n::: tip\n¦\n:::\n\n'));
