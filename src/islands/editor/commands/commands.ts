import { redo, undo } from '@codemirror/commands';
import type { EditorState, TransactionSpec } from '@codemirror/state';
import type { Command, KeyBinding } from '@codemirror/view';
import { TOOLS, type CommandName } from '../writing/tools.ts';
import { asking, type Question } from './asking.ts';
import { insertFold, insertRule, insertTable } from './blocks.ts';
import { asksLanguage, fenceSelection } from './code-blocks.ts';
import { insertLink, toggleMark } from './inline.ts';
import { cycleHeading, leaveLines, toggleLines } from './lines.ts';
import { endMarks } from './marks.ts';
import { moveSelectedPictures } from './picture-order.ts';
import { tableAround } from './table-text.ts';
import { breakCell, breakRow, nextCell, previousCell } from './tables.ts';

const edit =
  (change: (state: EditorState) => TransactionSpec): Command =>
  (view) => {
    if (!view.state.readOnly) view.dispatch(change(view.state));
    return true;
  };

const ask =
  (question: Question): Command =>
  ({ state }) => {
    state.facet(asking)(question);
    return true;
  };

export const commands: Record<CommandName, Command> = {
  bold: edit((state) => toggleMark(state, '**')),
  emphasis: edit((state) => toggleMark(state, '*')),
  strike: edit((state) => toggleMark(state, '~~')),
  code: edit((state) => toggleMark(state, '`')),
  heading: edit(cycleHeading),
  link: edit(insertLink),
  quote: edit((state) => toggleLines(state, 'quote')),
  bullet: edit((state) => toggleLines(state, 'bullet')),
  number: edit((state) => toggleLines(state, 'number')),
  task: edit((state) => toggleLines(state, 'task')),
  codeBlock: (view) => {
    if (asksLanguage(view.state)) view.state.facet(asking)('language');
    else edit(fenceSelection)(view);
    return true;
  },
  table: (view) => {
    if (tableAround(view.state)) view.state.facet(asking)('table');
    else edit(insertTable)(view);
    return true;
  },
  picture: ask('picture'),
  rule: edit(insertRule),
  fold: edit(insertFold),
  undo,
  redo,
};

/** Enter and Tab in tables, lists and marks. Must precede the key bindings of the Markdown language. */
export const breakKeys: KeyBinding[] = [
  { key: 'Enter', run: (view) => breakRow(view) || leaveLines(view) || endMarks(view) },
  { key: 'Shift-Enter', run: breakCell },
  { key: 'Tab', run: nextCell, shift: previousCell },
];

/** Shortcuts in addition to CodeMirror's own (search, indentation). */
export const commandKeys: KeyBinding[] = [
  ...TOOLS.flatMap(({ command, keys }) => (keys ? [{ key: keys, run: commands[command] }] : [])),
  // Moves pictures together with their empty line; for other lines CodeMirror's own command runs.
  { key: 'Alt-ArrowUp', run: moveSelectedPictures('up') },
  { key: 'Alt-ArrowDown', run: moveSelectedPictures('down') },
];
