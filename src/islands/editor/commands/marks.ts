import { ChangeSet, type EditorState, type TransactionSpec } from '@codemirror/state';
import type { Command } from '@codemirror/view';
import {
  levelsAt,
  levelsField,
  levelsIn,
  mapped,
  nodesBeside,
  pairBefore,
  step,
  tidyAll,
  type Level,
  type Levels,
  type Mark,
} from './mark-levels.ts';

/**
 * Toggles a mark at the caret, as word processors do. At the end of the marked text, moves the caret out;
 * just after the closing mark, moves it back in; inside, removes the mark; elsewhere, inserts an empty pair.
 * A mark that ends also ends the marks inside it, unless they started together.
 */
export function toggleAtCaret(state: EditorState, mark: Mark): TransactionSpec {
  const { head } = state.selection.main;
  const levels = levelsAt(state, head);
  const index = levels.findIndex((level) => level.mark === mark);
  const level = levels[index];
  if (!level) return enter(state, head, mark, levels) ?? begin(state, mark, levels);
  const inner = levels.slice(index + 1);
  if (isBlank(state, level.from, level.to))
    return beginAgain(
      state,
      levels,
      index,
      inner.map((each) => each.mark),
    );
  if (!isBlank(state, head, level.to)) return remove(head, levels, index);
  const together = inner.length > 0 && [level, ...inner].every((each) => each.mark.startsWith('*'));
  const openings = state.sliceDoc(level.from, inner.at(-1)?.from ?? level.from);
  return together && /^\**$/.test(openings) ? leaveFirst(state, levels, index) : leave(state, levels, index);
}

/**
 * Moves the caret back into a mark that ends just before it or starts just after it. If another mark ends in
 * the same run of characters, either the wanted mark becomes the innermost, or both contain the caret again
 * if they started apart.
 */
function enter(state: EditorState, head: number, mark: Mark, levels: Levels): TransactionSpec | null {
  const size = mark.length;
  const begun = levels.at(-1)?.from ?? 0;
  for (const { from, to } of nodesBeside(state, head, mark)) {
    if (to < begun) continue;
    const [behind, before] = [head - to - size, from - size - head];
    if (behind >= 0 && isOnly(state.sliceDoc(to, head), mark)) {
      const start = Math.max(from - size - behind, 0);
      if (isOnly(state.sliceDoc(start, from), mark))
        return step([], head - size, [...levels, { mark, from: start + size, to: head - size }]);
      const around = levelsIn(state, to).filter((level) => !levels.some((each) => each.mark === level.mark));
      return step([], to, [...levels, ...around]);
    }
    if (before >= 0 && isOnly(state.sliceDoc(head, from), mark))
      return step([], head + size, [...levels, { mark, from: head + size, to: to + before }]);
  }
  return null;
}

const isBlank = (state: EditorState, from: number, to: number) =>
  state.sliceDoc(from, to).replace(/[*~`]/g, '').trim() === '';

const isOnly = (text: string, mark: Mark) => [...text].every((sign) => sign === mark[0]);

function begin(state: EditorState, mark: Mark, levels: Levels): TransactionSpec {
  const { head } = state.selection.main;
  const code = levels.at(-1);
  if (code?.mark === '`') return beginAround(state, code, mark, levels);
  const size = mark.length;
  const around = levels.map((level) => ({ ...level, to: level.to + 2 * size }));
  const own = { mark, from: head + size, to: head + size };
  return step({ from: head, insert: mark + mark }, head + size, [...around, own]);
}

/** Removes the empty marks from `index` on, and inserts `marks` in their place. */
function beginAgain(
  state: EditorState,
  levels: Levels,
  index: number,
  marks: readonly Mark[],
): TransactionSpec {
  let changes = ChangeSet.empty(state.doc.length);
  let current = state;
  const apply = (spec: TransactionSpec) => {
    const transaction = current.update(spec);
    changes = changes.compose(transaction.changes);
    current = transaction.state;
  };
  for (let last = levels.length - 1; last >= index; last--)
    apply(
      remove(
        current.selection.main.head,
        last === levels.length - 1 ? levels : current.field(levelsField),
        last,
      ),
    );
  for (const mark of marks) apply(toggleAtCaret(current, mark));
  return step(changes, current.selection.main.head, current.field(levelsField));
}

/** Inserts marks around the inline code that contains the caret, because marks have no effect inside code. */
function beginAround(state: EditorState, code: Level, mark: Mark, levels: Levels): TransactionSpec {
  const { head } = state.selection.main;
  const size = mark.length;
  if (state.sliceDoc(code.from, code.to).trim() === '')
    return beginAgain(state, levels, levels.length - 1, [mark, code.mark]);
  const [from, to] = [code.from - 1, code.to + 1];
  // Extends a mark that ends just before the code, and inline code at its end. A closing mark directly
  // followed by an opening one would be parsed differently.
  const ended = nodesBeside(state, from, mark).find((level) => level.to + size === from);
  const outer = levels.slice(0, -1);
  if (ended) {
    const before = nodesBeside(state, ended.to, code.mark).find((level) => level.to + 1 === ended.to);
    const removal = before ? { from: before.to, to: code.from } : { from: ended.to, to: from };
    const shift = removal.to - removal.from;
    const whole = { ...code, from: before?.from ?? code.from - shift, to: code.to - shift };
    const around = { mark, from: ended.from, to: to - shift };
    return step([removal, { from: to, insert: mark }], head - shift, [...outer, around, whole]);
  }
  const changes = [
    { from, insert: mark },
    { from: to, insert: mark },
  ];
  const around = outer.map((level) => ({ ...level, to: level.to + 2 * size }));
  const moved = { ...code, from: code.from + size, to: code.to + size };
  return step(changes, head + size, [...around, { mark, from: from + size, to: to + size }, moved]);
}

function remove(head: number, levels: Levels, index: number): TransactionSpec {
  const { mark, from, to } = levels[index] as Level;
  const size = mark.length;
  const changes = [pairBefore(from, mark), { from: to, to: to + size }];
  const rest = levels.map((level, at) => {
    const shift = at < index ? 0 : size;
    return { ...level, from: level.from - shift, to: level.to - (at < index ? 2 * size : size) };
  });
  return step(changes, head - size, rest.toSpliced(index, 1));
}

/**
 * Moves the caret to the right, out of the mark at `index` and those inside it. Moves white space at the end
 * out too.
 */
function leave(state: EditorState, levels: Levels, index: number): TransactionSpec {
  const { mark, to } = levels[index] as Level;
  const none = ChangeSet.empty(state.doc.length);
  const changes = tidyAll(state.doc, levels.slice(index)).reduce((all, each) => all.compose(each), none);
  const rest = levels.slice(0, index).map((level) => mapped(level, changes));
  return step(changes, changes.mapPos(to + mark.length, 1), rest);
}

/** Ends one of several marks that started together: either part of `***` can end first. */
function leaveFirst(state: EditorState, levels: Levels, index: number): TransactionSpec {
  const { mark, from } = levels[index] as Level;
  const inner = levels.slice(index + 1);
  const last = inner.at(-1) as Level;
  const text = state.sliceDoc(last.from, last.to);
  const lead = text.slice(0, text.length - text.trimStart().length);
  const trail = text.slice(text.trimEnd().length);
  let start = from - mark.length;
  const changes = [
    { from: start, insert: lead },
    { from: last.from, to: last.from + lead.length },
    { from: last.to - trail.length, to: last.to },
    { from: last.to + mark.length, insert: trail },
  ];
  const caret = last.to + mark.length;
  start += lead.length;
  const rest = inner.map((level) => ({ mark: level.mark, from: (start += level.mark.length), to: caret }));
  return step(changes, caret, [...levels.slice(0, index), ...rest]);
}

/**
 * Ends marks before a line break, because emphasis does not continue in the next paragraph. The text after
 * the caret is marked again on its own line. Leaves the line break to the next command.
 */
export const endMarks: Command = ({ state, dispatch }) => {
  const { head, empty } = state.selection.main;
  const levels = levelsAt(state, head);
  const [outer] = levels;
  if (!empty || !outer) return false;
  if (isBlank(state, head, outer.to)) {
    dispatch(state.update(leave(state, levels, 0)));
    return false;
  }
  const begun = levels.filter(({ from }) => !isBlank(state, from, head));
  const next = levels[begun.length];
  const at = next ? next.from - next.mark.length : head;
  const text = state.sliceDoc(begun.at(-1)?.from ?? at, at);
  const space = begun.length > 0 ? text.length - text.trimEnd().length : 0;
  const closing = begun
    .toReversed()
    .map(({ mark }) => mark)
    .join('');
  const opening = begun.map(({ mark }) => mark).join('');
  const changes = { from: at - space, to: at, insert: closing + opening };
  dispatch(state.update(step(changes, at - space + closing.length, [])));
  return false;
};
