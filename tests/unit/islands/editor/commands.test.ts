import { EditorSelection, EditorState, type TransactionSpec } from '@codemirror/state';
import { describe, expect, test } from 'vitest';
import { insertFold, insertRule, insertTable } from '../../../../src/islands/editor/commands/blocks.ts';
import {
  asksLanguage,
  fenceSelection,
  languageAround,
  setLanguage,
} from '../../../../src/islands/editor/commands/code-blocks.ts';
import { insertLink, toggleMark } from '../../../../src/islands/editor/commands/inline.ts';
import { cycleHeading, toggleLines } from '../../../../src/islands/editor/commands/lines.ts';
import { articleLanguage } from '../../../../src/islands/editor/writing/markdown-language.ts';

/** Parses a text in which `⟦` and `⟧` enclose the selection, or `|` is the caret. */
function stateOf(text: string): EditorState {
  const [open, close] = text.includes('|') ? ['|', '|'] : ['⟦', '⟧'];
  const anchor = text.indexOf(open);
  const rest = text.replace(open, '');
  const head = open === close ? anchor : rest.indexOf(close);
  const doc = open === close ? rest : rest.replace(close, '');
  const selection = EditorSelection.single(anchor, head);
  return EditorState.create({ doc, selection, extensions: articleLanguage });
}

/** Applies a change to a text, both in the notation of `stateOf`. */
function apply(text: string, change: (state: EditorState) => TransactionSpec): string {
  const state = stateOf(text);
  const next = state.update(change(state)).state;
  const { from, to } = next.selection.main;
  const result = next.doc.toString();
  if (from === to) return `${result.slice(0, from)}|${result.slice(from)}`;
  return `${result.slice(0, from)}⟦${result.slice(from, to)}⟧${result.slice(to)}`;
}
const bold = (state: EditorState) => toggleMark(state, '**');
const emphasis = (state: EditorState) => toggleMark(state, '*');

describe('inline marks', () => {
  test.each([
    ['写⟦重点⟧处', '写**⟦重点⟧**处'],
    ['写**⟦重点⟧**处', '写⟦重点⟧处'],
    ['写|处', '写**|**处'],
    ['前**粗|**后', '前**粗**|后'],
    ['前**粗**|后', '前**粗|**后'],
    ['前|**粗**后', '前**|粗**后'],
    ['前**粗|体**后', '前粗|体后'],
    ['***两|***', '***两**|*'],
    ['***两***|', '***两*|**'],
    ['~~**两|**~~', '~~**两**|~~'],
    ['**~~两|~~**', '**~~两~~**|'],
    ['`码|`', '**`码|`**'],
    ['⟦ 重点 ⟧', ' **⟦重点⟧** '],
    ['⟦- 甲\n- 乙⟧', '- **⟦甲**\n- **乙⟧**'],
    ['⟦> 甲⟧', '> **⟦甲⟧**'],
    ['*⟦甲⟧*', '***⟦甲⟧***'],
  ])('bold: %j becomes %j', (before, after) => expect(apply(before, bold)).toBe(after));

  test.each([
    ['⟦重点⟧', '*⟦重点⟧*'],
    ['*⟦重点⟧*', '⟦重点⟧'],
    ['**⟦重点⟧**', '***⟦重点⟧***'],
    ['***⟦重点⟧***', '**⟦重点⟧**'],
  ])('emphasis: %j becomes %j', (before, after) => expect(apply(before, emphasis)).toBe(after));

  test('a link selects the missing URL or text', () => {
    expect(apply('看⟦这里⟧', insertLink)).toBe('看[这里](⟦https://⟧)');
    expect(apply('⟦https://example.com/a⟧', insertLink)).toBe('[|](https://example.com/a)');
    expect(apply('看|', insertLink)).toBe('看[|](https://)');
  });
});

describe('line marks', () => {
  test.each([
    ['quote', '甲|', '> 甲|'],
    ['quote', '> 甲|', '甲|'],
    ['bullet', '⟦甲\n\n乙⟧', '- ⟦甲\n\n- 乙⟧'],
    ['number', '⟦- 甲\n- 乙⟧', '⟦1. 甲\n2. 乙⟧'],
    ['task', '- 甲|', '- [ ] 甲|'],
    ['bullet', '- [x] 甲|', '- 甲|'],
    ['task', '- [x] 甲|', '甲|'],
    ['bullet', '|', '- |'],
  ] as const)('%s: %j becomes %j', (kind, before, after) =>
    expect(apply(before, (state) => toggleLines(state, kind))).toBe(after),
  );

  test('headings cycle through their levels and back to none', () => {
    expect(['甲|', '## 甲|', '### 甲|', '#### 甲|'].map((text) => apply(text, cycleHeading))).toEqual([
      '## 甲|',
      '### 甲|',
      '#### 甲|',
      '甲|',
    ]);
  });
});

describe('blocks', () => {
  test('stand between empty lines', () => {
    expect(apply('甲|\n乙', insertRule)).toBe('甲\n\n---\n\n|\n乙');
    expect(apply('|', insertRule)).toBe('---\n\n|');
    expect(apply('甲\n|\n\n乙', insertRule)).toBe('甲\n\n---\n|\n乙');
  });

  test('a table begins with its first heading selected', () => {
    expect(apply('|', insertTable)).toContain('| ⟦列一⟧ | 列二 |');
  });

  test('an article has one 阅读全文 line: the second press selects the first', () => {
    const once = apply('甲|', insertFold);
    expect(once).toBe('甲\n\n<--阅读全文-->\n\n|');
    expect(apply(once, insertFold)).toBe('甲\n\n⟦<--阅读全文-->⟧\n\n');
  });
});

describe('code blocks', () => {
  test.each([
    ['|', 'js', '```js\n|\n```\n\n'],
    ['甲|', '', '甲\n\n```\n|\n```\n\n'],
    ['甲\n|\n\n乙', 'c++', '甲\n\n```c++\n|\n```\n\n乙'],
  ])('%j with %j is a block with the caret inside: %j', (before, id, after) =>
    expect(apply(before, (state) => setLanguage(state, id))).toBe(after),
  );

  test.each([
    ['```\na|\n```', 'js', '```js\na|\n```'],
    ['```js|\na\n```', 'go', '```go|\na\n```'],
    ['```js {1,3}\na\n|\n```', 'ts', '```ts {1,3}\na\n|\n```'],
    ['```js {1,3}\n⟦a⟧\n```', '', '```\n⟦a⟧\n```'],
    ['~~~ py\n|', 'go', '~~~go\n|'],
    ['> ```\n> a|\n> ```', 'sh', '> ```sh\n> a|\n> ```'],
  ])('in %j the language becomes %j: %j', (before, id, after) => {
    expect(asksLanguage(stateOf(before))).toBe(true);
    expect(apply(before, (state) => setLanguage(state, id))).toBe(after);
  });

  test('the language at the caret is returned as written', () => {
    expect(
      ['```js {1}\n|\n```', '```\n|\n```', '```js\n```\n|', '`a|`'].map((text) =>
        languageAround(stateOf(text)),
      ),
    ).toEqual(['js', '', null, null]);
  });

  test.each([
    ['⟦a\nb⟧', '```\n⟦a\nb⟧\n```'],
    ['⟦```\na\n```⟧', '````\n⟦```\na\n```⟧\n````'],
    ['前⟦a⟧后', '前\n\n```\n⟦a⟧\n```\n\n后'],
    ['前⟦\n  a\n⟧后', '前\n\n```\n⟦  a⟧\n```\n\n后'],
    ['  ⟦a⟧', '```\n⟦  a⟧\n```'],
  ])('%j becomes the content of a block: %j', (before, after) => {
    expect(asksLanguage(stateOf(before))).toBe(false);
    expect(apply(before, fenceSelection)).toBe(after);
  });
});
