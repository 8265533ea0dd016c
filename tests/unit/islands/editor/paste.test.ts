import { describe, expect, test } from 'vitest';
import {
  insertMarkdown,
  insertPlain,
  isPlainOnly,
  tableOfTabs,
} from '../../../../src/islands/editor/paste/insert.ts';
import { insertCode, languageOfVscode } from '../../../../src/islands/editor/paste/paste.ts';
import { renderMarkdown } from '../../../../src/lib/markdown/render.ts';
import { apply, stateOf } from './written.ts';

const pasted = (text: string, markdown: string) =>
  apply(text, (state) => {
    const { from, to } = state.selection.main;
    return insertMarkdown(state, from, to, markdown);
  });

describe('markdown that is pasted', () => {
  test.each([
    ['前¦后', '**粗**', '前**粗**¦后'],
    ['⟦旧⟧', '[新](https://a.b)', '[新](https://a.b)¦'],
    ['¦', '## 甲\n\n乙', '## 甲\n\n乙¦'],
    ['前¦后', '## 甲', '前\n\n## 甲¦\n\n后'],
    ['前\n¦\n后', '- 甲\n- 乙', '前\n\n- 甲\n- 乙¦\n\n后'],
    ['- 前¦', '甲\n\n乙', '- 前\n  \n  甲\n\n  乙¦'.replace('\n  \n', '\n\n')],
    ['> ¦', '甲\n\n- 乙', '> 甲\n>\n> - 乙¦'],
  ])('in %j %j makes %j', (before, markdown, after) => expect(pasted(before, markdown)).toBe(after));
});

describe('plain text that is pasted', () => {
  const plain = (text: string, words: string) =>
    apply(text, (state) => {
      const { from, to } = state.selection.main;
      return insertPlain(state, from, to, words) ?? state.replaceSelection(words);
    });

  test.each([
    ['前**粗¦**后', '甲\n\n乙', '前**粗甲**\n\n**乙¦**后'],
    ['**⟦粗⟧**', '甲\n\n- 乙 \n\n丙', '**甲**\n\n- **乙**\n\n**丙¦**'],
    ['**粗*斜¦***', '甲\n\n乙', '**粗*斜甲***\n\n***乙¦***'],
    ['`a¦`', 'b\n\nc', '`ab`\n\n`c¦`'],
    ['**粗¦**', '甲', '**粗甲¦**'],
  ])('in the mark of %j %j makes %j', (before, words, after) => expect(plain(before, words)).toBe(after));

  test('each paragraph gets the surrounding mark, without stray signs', async () => {
    const text = plain('前**粗“¦”**后', '甲。\n\n“乙”\n丙').replace('¦', '');
    const { html } = await renderMarkdown(text);
    expect(html).not.toContain('*');
    expect([...html.matchAll(/<strong>([^<]*)<\/strong>/g)].map(([, words]) => words)).toEqual([
      '粗“甲。',
      '“乙”',
      '丙”',
    ]);
  });

  test('stays within a table cell', () => {
    expect(plain('| ¦ |\n| --- |', 'a|b\nc')).toBe('| a\\|b<br>c¦ |\n| --- |');
  });

  test('stays unchanged in code', () => {
    const state = stateOf('```\n¦\n```');
    expect(insertPlain(state, 4, 4, '| a |\n\nb')).toBeNull();
    expect(isPlainOnly(state)).toBe(true);
    expect(isPlainOnly(stateOf('甲¦'))).toBe(false);
  });

  test('tab-separated lines become a table, indented code does not', () => {
    expect(tableOfTabs('甲\t乙\na|b\t\n')).toBe('| 甲 | 乙 |\n| --- | --- |\n| a\\|b |  |');
    for (const text of ['a\tb', '\tif a {\n\tb\n', 'a\tb\nc', '甲\n乙']) expect(tableOfTabs(text)).toBeNull();
  });
});

describe('code that is pasted from an editor', () => {
  const code = (text: string, words: string, language = 'ts') =>
    apply(text, (state) => {
      const { from, to } = state.selection.main;
      return insertCode(state, from, to, words, language);
    });

  test.each([
    ['¦', 'if (a) {\n  b();\n}\n', '```ts\nif (a) {\n  b();\n}\n```¦'],
    ['前¦后', 'a();\nb();', '前\n\n```ts\na();\nb();\n```¦\n\n后'],
    ['⟦旧⟧', 'a();', '```ts\na();\n```¦'],
    ['- ¦', 'a();\nb();', '- ```ts\n  a();\n  b();\n  ```¦'],
    ['> ¦', 'a();', '> ```ts\n> a();\n> ```¦'],
    ['1. ¦', 'a();', '1. ```ts\n   a();\n   ```¦'],
    // The indentation of the first line is part of the code.
    ['¦', '\n    a();\n    b();\n\n', '```ts\n    a();\n    b();\n```¦'],
    ['¦', '```\na\n```', '````ts\n```\na\n```\n````¦'],
    ['用¦来写', 'a();', '用`a();`¦来写'],
    ['用¦', ' `a` ', '用`` `a` ``¦'],
  ])('in %j %j makes %j', (before, words, after) => expect(code(before, words)).toBe(after));

  test.each([
    ['{"version":1,"mode":"typescriptreact"}', 'tsx'],
    ['{"mode":"shellscript"}', 'bash'],
    ['{"mode":"python"}', 'python'],
    ['{"mode":"objective-c"}', 'objective-c'],
    ['{"mode":"a language"}', ''],
    ['{}', ''],
    // Prose written in the editor is no code.
    ['{"mode":"markdown"}', null],
    ['{"mode":"plaintext"}', null],
    ['{', null],
    ['', null],
  ])('%j has the language %j', (data, language) => expect(languageOfVscode(data)).toBe(language));
});
