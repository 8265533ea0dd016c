import {
  EditorSelection,
  type ChangeSpec,
  type EditorState,
  type Line,
  type TransactionSpec,
} from '@codemirror/state';
import type { Command } from '@codemirror/view';

export type LineKind = 'quote' | 'bullet' | 'number' | 'task';

const INDENT = /^[ \t]*/;
const MARKS: Record<LineKind, RegExp> = {
  quote: /^>[ \t]?/,
  bullet: /^[-*+][ \t]+(?!\[[ xX]\][ \t])/,
  number: /^\d{1,9}[.)][ \t]+/,
  task: /^[-*+][ \t]+\[[ xX]\][ \t]+/,
};
const NEW_MARK: Record<LineKind, (no: number) => string> = {
  quote: () => '> ',
  bullet: () => '- ',
  number: (no) => `${no}. `,
  task: () => '- [ ] ',
};

/**
 * Turns the selected lines into a quote or list, or back into plain lines if all of them already are one.
 * Changes the kind of existing lists.
 */
export function toggleLines(state: EditorState, kind: LineKind): TransactionSpec {
  const lines = selectedLines(state);
  const isOne = lines.every((line) => MARKS[kind].test(bodyOf(line)));
  const changes = lines.map((line, index): ChangeSpec => {
    const from = line.from + indentOf(line);
    const old = kind === 'quote' ? (isOne ? MARKS.quote.exec(bodyOf(line)) : null) : listMark(bodyOf(line));
    return { from, to: from + (old?.[0].length ?? 0), insert: isOne ? '' : NEW_MARK[kind](index + 1) };
  });
  return withSelection(state, changes);
}

/** Quote line or list item without text, not nested. */
const EMPTY_ITEM = /^(?:>|(?:[-*+]|\d{1,9}[.)])(?:[ \t]+\[[ xX]\])?)[ \t]*$/;

/**
 * Leaves a quote or list from its empty last line. Inserts an empty line, because the next text would
 * otherwise continue the paragraph above.
 */
export const leaveLines: Command = ({ state, dispatch }) => {
  const { head, empty } = state.selection.main;
  const line = state.doc.lineAt(head);
  if (!empty || head !== line.to || !EMPTY_ITEM.test(line.text)) return false;
  const isBlankAbove = line.number === 1 || state.doc.line(line.number - 1).text.trim() === '';
  const insert = isBlankAbove ? '' : state.lineBreak;
  dispatch(
    state.update({
      changes: { from: line.from, to: line.to, insert },
      selection: EditorSelection.cursor(line.from + insert.length),
      scrollIntoView: true,
      userEvent: 'delete',
    }),
  );
  return true;
};

/** Cycles the selected lines through plain, `##`, `###`, `####`. The first level is the article's title. */
export function cycleHeading(state: EditorState): TransactionSpec {
  const lines = selectedLines(state);
  const level = /^(#{1,6})[ \t]/.exec(lines[0]?.text ?? '')?.[1]?.length ?? 0;
  return setHeading(state, level === 0 ? 2 : level < 4 ? level + 1 : 0);
}

export function setHeading(state: EditorState, level: number): TransactionSpec {
  const mark = level === 0 ? '' : `${'#'.repeat(level)} `;
  const changes = selectedLines(state).map((line): ChangeSpec => {
    const old = /^#{1,6}[ \t]+/.exec(line.text)?.[0].length ?? 0;
    return { from: line.from, to: line.from + old, insert: mark };
  });
  return withSelection(state, changes);
}

/** Returns the lines that the selection touches. Empty lines count only if it touches no other line. */
function selectedLines(state: EditorState): Line[] {
  const lines = new Map<number, Line>();
  for (const { from, to } of state.selection.ranges) {
    for (let position = from; position <= to;) {
      const line = state.doc.lineAt(position);
      lines.set(line.number, line);
      position = line.to + 1;
    }
  }
  const all = [...lines.values()];
  const filled = all.filter(({ text }) => text.trim() !== '');
  return filled.length > 0 ? filled : all.slice(0, 1);
}

const indentOf = (line: Line) => INDENT.exec(line.text)?.[0].length ?? 0;
const bodyOf = (line: Line) => line.text.slice(indentOf(line));
const listMark = (body: string) =>
  MARKS.task.exec(body) ?? MARKS.bullet.exec(body) ?? MARKS.number.exec(body);

/** Maps the selection through the changes. A caret at the start of a line moves after an inserted mark. */
function withSelection(state: EditorState, changes: ChangeSpec[]): TransactionSpec {
  const set = state.changes(changes);
  const ranges = state.selection.ranges.map(({ anchor, head }) =>
    EditorSelection.range(set.mapPos(anchor, 1), set.mapPos(head, 1)),
  );
  return {
    changes,
    selection: EditorSelection.create(ranges, state.selection.mainIndex),
    scrollIntoView: true,
    userEvent: 'input.format',
  };
}
