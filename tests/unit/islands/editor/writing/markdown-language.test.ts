import { insertNewlineAndIndent } from '@codemirror/commands';
import { expect, test } from 'vitest';
import { stateOf, written } from '../written.ts';

/** Result of pressing Enter in a text, both in the notation of `stateOf`. */
function pressEnter(text: string): string {
  let after = text;
  insertNewlineAndIndent({ state: stateOf(text), dispatch: ({ state }) => (after = written(state)) });
  return after;
}

// Four spaces of indentation would turn the content into code.
test.each([
  ['<details>¦', '<details>\n¦'],
  ['<details>\n<summary>点开</summary>¦', '<details>\n<summary>点开</summary>\n¦'],
  ['<div align="center">¦', '<div align="center">\n¦'],
  ['一段 <kbd>¦', '一段 <kbd>\n¦'],
])('%j: a line after a tag is not indented', (before, after) => {
  expect(pressEnter(before)).toBe(after);
});
