import type { Transaction } from '@codemirror/state';
import { describe, expect, test } from 'vitest';
import {
  breakCell,
  breakRow,
  changeTable,
  nextCell,
  previousCell,
  type TableChange,
} from '../../../../src/islands/editor/commands/tables.ts';
import { apply, stateOf, written } from './written.ts';

/** Runs a command on a text; returns null when the command does not handle the key. */
function run(text: string, command: typeof nextCell): string | null {
  let state = stateOf(text);
  const dispatch = (transaction: Transaction) => void (state = transaction.state);
  return command({ state, dispatch } as Parameters<typeof command>[0]) ? written(state) : null;
}

const RULE = '\n| --- | --- |\n';

describe('keys in a table', () => {
  test.each([
    [`| ¦甲 | 乙 |${RULE}| 1 | 2 |`, `| 甲 | ⟦乙⟧ |${RULE}| 1 | 2 |`],
    [`| 甲 | 乙¦ |${RULE}| 1 | 2 |`, `| 甲 | 乙 |${RULE}| ⟦1⟧ | 2 |`],
    [`| 甲 | 乙 |${RULE}| 1 | 2¦ |`, `| 甲 | 乙 |${RULE}| 1 | 2 |\n| ¦ |  |`],
    [`| 甲 | ¦乙 |${RULE}|  |  |`, `| 甲 | 乙 |${RULE}| ¦ |  |`],
    [`| a\\|b¦ | 乙 |${RULE}`, `| a\\|b | ⟦乙⟧ |${RULE}`],
    [`> | 甲 | 乙¦ |\n> | --- | --- |\n> | 1 | 2 |`, `> | 甲 | 乙 |\n> | --- | --- |\n> | ⟦1⟧ | 2 |`],
  ])('Tab in %j: %j', (before, after) => expect(run(before, nextCell)).toBe(after));

  test('Shift+Tab goes back, and stays in the first cell', () => {
    expect(run(`| 甲 | 乙 |${RULE}| ¦1 | 2 |`, previousCell)).toBe(`| 甲 | ⟦乙⟧ |${RULE}| 1 | 2 |`);
    expect(run(`| ¦甲 | 乙 |${RULE}`, previousCell)).toBe(`| ¦甲 | 乙 |${RULE}`);
  });

  test('Enter begins a row below; an empty last one is left', () => {
    expect(run(`| 甲¦ | 乙 |${RULE}| 1 | 2 |`, breakRow)).toBe(`| 甲 | 乙 |${RULE}| ¦ |  |\n| 1 | 2 |`);
    expect(run(`| 甲 | 乙 |${RULE}| 1 | 2 |\n| ¦ |  |`, breakRow)).toBe(`| 甲 | 乙 |${RULE}| 1 | 2 |\n\n¦`);
    expect(run(`> | 甲 | 乙 |\n> | --- | --- |\n> | ¦ |  |`, breakRow)).toBe(
      `> | 甲 | 乙 |\n> | --- | --- |\n>\n> ¦`,
    );
  });

  test('Shift+Enter begins a line in the cell', () => {
    expect(run(`| 甲¦ | 乙 |${RULE}`, breakCell)).toBe(`| 甲<br>¦ | 乙 |${RULE}`);
  });

  test.each(['甲¦', '- 甲¦', '```\n| a¦ | b |\n```', '| a¦ | b |'])('in %j keys are not handled', (text) => {
    for (const command of [nextCell, previousCell, breakRow, breakCell])
      expect(run(text, command)).toBeNull();
  });
});

describe('changes to a table', () => {
  const table = '| 甲 | 乙 |\n| --- | :-: |\n| 1 | a\\|b¦ |\n| 3 | 4 |';
  test.each<[TableChange, string]>([
    ['rowBelow', '| 甲 | 乙 |\n| --- | :-: |\n| 1 | a\\|b |\n|  | ¦ |\n| 3 | 4 |'],
    ['rowAbove', '| 甲 | 乙 |\n| --- | :-: |\n|  | ¦ |\n| 1 | a\\|b |\n| 3 | 4 |'],
    ['columnAfter', '| 甲 | 乙 |  |\n| --- | :-: | --- |\n| 1 | a\\|b | ¦ |\n| 3 | 4 |  |'],
    ['columnBefore', '| 甲 |  | 乙 |\n| --- | --- | :-: |\n| 1 | ¦ | a\\|b |\n| 3 |  | 4 |'],
    ['removeRow', '| 甲 | 乙 |\n| --- | :-: |\n| 3 | ⟦4⟧ |'],
    ['removeColumn', '| 甲 |\n| --- |\n| ⟦1⟧ |\n| 3 |'],
    ['alignEnd', '| 甲 | 乙 |\n| --- | ---: |\n| 1 | ⟦a\\|b⟧ |\n| 3 | 4 |'],
    ['removeTable', '¦'],
  ])('%s', (change, after) => expect(apply(table, (state) => changeTable(state, change))).toBe(after));

  test('the header is removed like other rows, and replaced by the next; removing the last row removes the table', () => {
    const removed = apply('| ¦甲 |\n| --- |\n| 1 |', (state) => changeTable(state, 'removeRow'));
    expect(removed).toBe('| ⟦1⟧ |\n| --- |');
    expect(apply('前\n\n| ¦甲 |\n| --- |', (state) => changeTable(state, 'removeRow'))).toBe('前\n\n¦');
    expect(apply('| ¦甲 |\n| --- |\n| 1 |', (state) => changeTable(state, 'rowAbove'))).toBe(
      '| ¦ |\n| --- |\n| 甲 |\n| 1 |',
    );
  });

  test('rows that are too short are filled', () => {
    expect(apply('| 甲 | 乙 |\n| --- | --- |\n| 1¦ |', (state) => changeTable(state, 'columnAfter'))).toBe(
      '| 甲 |  | 乙 |\n| --- | --- | --- |\n| 1 | ¦ |  |',
    );
  });
});
