import {
  EditorSelection,
  type ChangeSpec,
  type EditorState,
  type SelectionRange,
  type TransactionSpec,
} from '@codemirror/state';
import type { Mark } from './mark-levels.ts';
import { toggleAtCaret } from './marks.ts';

/** Quote, list and heading marks at the start of a line. Formatting applies to the text after them. */
export const LINE_MARKS =
  /^(?:[ \t]*(?:>|[-*+](?:[ \t]+\[[ xX]\])?(?=[ \t])|\d{1,9}[.)](?=[ \t])|#{1,6}(?=[ \t])))*[ \t]*/;

/**
 * Toggles `mark` around the selection. Without a selection, starts or ends the mark at the caret. A selection
 * over several lines is marked line by line, because emphasis ends with its paragraph.
 */
export function toggleMark(state: EditorState, mark: Mark): TransactionSpec {
  const { ranges, main } = state.selection;
  if (ranges.length === 1 && main.empty) return toggleAtCaret(state, mark);
  return {
    ...state.changeByRange((range) => (range.empty ? { range } : toggleRange(state, range, mark))),
    scrollIntoView: true,
    userEvent: 'input.format',
  };
}

function toggleRange(state: EditorState, range: SelectionRange, mark: string) {
  const parts = partsOf(state, range);
  const areMarked = parts.every(({ from, to }) => isMarked(state, from, to, mark));
  const changes: ChangeSpec[] = [];
  for (const { from, to } of parts) {
    if (areMarked) {
      changes.push({ from: from - mark.length, to: from }, { from: to, to: to + mark.length });
    } else if (!isMarked(state, from, to, mark)) {
      changes.push({ from, insert: mark }, { from: to, insert: mark });
    }
  }
  const set = state.changes(changes);
  const [first, last] = [parts[0], parts.at(-1)];
  if (!first || !last) return { range };
  // The selection excludes the marks, whether added or removed.
  return { changes, range: EditorSelection.range(set.mapPos(first.from, 1), set.mapPos(last.to, -1)) };
}

/** Returns the parts of a selection to mark: each line without leading and trailing white space. */
function partsOf(state: EditorState, { from, to }: SelectionRange): { from: number; to: number }[] {
  const parts: { from: number; to: number }[] = [];
  for (let position = from; position <= to;) {
    const line = state.doc.lineAt(position);
    const marks = LINE_MARKS.exec(line.text)?.[0].length ?? 0;
    const start = Math.max(from, line.from + marks);
    const text = state.sliceDoc(Math.min(start, line.to), Math.min(to, line.to));
    const lead = text.length - text.trimStart().length;
    if (text.trim() !== '') parts.push({ from: start + lead, to: start + text.trimEnd().length });
    position = line.to + 1;
  }
  return parts;
}

/**
 * Whether exactly `mark`, not a longer run of its character, is on both sides. `***` counts as `**` and as
 * `*`.
 */
function isMarked(state: EditorState, from: number, to: number, mark: string): boolean {
  const sign = mark[0] ?? '';
  const before = runBefore(state.sliceDoc(Math.max(0, from - 4), from), sign);
  const after = runAfter(state.sliceDoc(to, to + 4), sign);
  if (sign !== '*') return before === mark.length && after === mark.length;
  const fits = (run: number) => run === mark.length || run === 3;
  return fits(before) && fits(after);
}

const runBefore = (text: string, sign: string) => text.length - trimEnd(text, sign).length;
const trimEnd = (text: string, sign: string): string =>
  text.endsWith(sign) ? trimEnd(text.slice(0, -sign.length), sign) : text;
const runAfter = (text: string, sign: string): number =>
  text.startsWith(sign) ? 1 + runAfter(text.slice(1), sign) : 0;

/**
 * Turns the selection into a link, as its URL if it looks like one, else as its text. Selects the other part
 * for typing.
 */
export function insertLink(state: EditorState): TransactionSpec {
  return {
    ...state.changeByRange((range) => {
      const text = state.sliceDoc(range.from, range.to);
      const isAddress = /^(https?:\/\/|mailto:)\S+$/i.test(text.trim());
      const insert = isAddress ? `[](${text.trim()})` : `[${text}](https://)`;
      const from = range.from + (isAddress ? 1 : text.length + 3);
      const length = isAddress ? 0 : 'https://'.length;
      return {
        changes: { from: range.from, to: range.to, insert },
        range:
          text === '' ? EditorSelection.cursor(range.from + 1) : EditorSelection.range(from, from + length),
      };
    }),
    scrollIntoView: true,
    userEvent: 'input.format',
  };
}
