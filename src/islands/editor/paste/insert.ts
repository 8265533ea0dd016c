import { isolateHistory } from '@codemirror/commands';
import { EditorSelection, type EditorState, type TransactionSpec } from '@codemirror/state';
import { CELL_BREAK } from '../../../lib/shared/signs.ts';
import { codeAround } from '../commands/code-blocks.ts';
import { LINE_MARKS } from '../commands/inline.ts';
import { levelsAt, step } from '../commands/mark-levels.ts';
import { tableAround } from '../commands/table-text.ts';

const CONTAINERS = /^(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))[ \t]*)*/;
/** Start of a line that begins a block. */
const BLOCK = /^(?:#{1,6} |[-*+] |\d{1,9}[.)] |>|`{3}|~{3}|\||---|!\[)/;

/** Replaces `from` to `to` with pasted text, as one step of the history. */
export const paste = (from: number, to: number, insert: string): TransactionSpec => ({
  changes: { from, to, insert },
  selection: EditorSelection.cursor(from + insert.length),
  scrollIntoView: true,
  userEvent: 'input.paste',
  annotations: isolateHistory.of('full'),
});

/**
 * Replaces `from` to `to` with markdown. Inline content joins the line; blocks get empty lines around them
 * and stay in the quote or list item of the line. Puts the caret after it.
 */
export function insertMarkdown(
  state: EditorState,
  from: number,
  to: number,
  markdown: string,
): TransactionSpec {
  if (!markdown.includes('\n') && !BLOCK.test(markdown)) return paste(from, to, markdown);
  const [first, last] = [state.doc.lineAt(from), state.doc.lineAt(to)];
  const containers = CONTAINERS.exec(first.text)?.[0] ?? '';
  const indent = containers.replace(/[^>\s]/g, ' ');
  const blank = indent.trimEnd();
  const before = state.sliceDoc(Math.min(first.from + containers.length, from), from);
  const after = state.sliceDoc(to, last.to);
  const above = first.number > 1 ? state.doc.line(first.number - 1).text : '';
  const below = last.number < state.doc.lines ? state.doc.line(last.number + 1).text : '';
  const isApart = containers !== '' || above.trim() === '';
  const lead = before.trim() !== '' ? `\n${blank}\n${indent}` : isApart ? '' : '\n';
  const tail =
    after.trim() !== '' ? `\n${blank}\n${indent}` : below.trim() === '' || containers !== '' ? '' : '\n';
  const body = markdown.replaceAll('\n', `\n${indent}`).replaceAll(`\n${indent}\n`, `\n${blank}\n`);
  const spec = paste(from, to, lead + body + tail);
  return { ...spec, selection: EditorSelection.cursor(from + lead.length + body.length) };
}

/**
 * Pastes plain text in a table cell or in marks, where it has to be adapted. Returns null where CodeMirror
 * can insert it unchanged.
 */
export function insertPlain(
  state: EditorState,
  from: number,
  to: number,
  text: string,
): TransactionSpec | null {
  if (codeAround(state)) return null;
  if (tableAround(state)) return paste(from, to, cellText(text));
  return insertInMarks(state, from, to, text);
}

/** Whether pasted HTML is inserted as plain text: markup would break code, marks and table cells. */
export const isPlainOnly = (state: EditorState): boolean =>
  codeAround(state) || tableAround(state) !== null || levelsAt(state, state.selection.main.from).length > 0;

const cellText = (text: string) =>
  text
    .trim()
    .replace(/(?<!\\)\|/g, '\\|')
    .replace(/[ \t]*\n+[ \t]*/g, CELL_BREAK)
    .replaceAll('\t', ' ');

/**
 * Closes marks at the end of each line and reopens them on the next, because marks cannot span paragraphs.
 */
function insertInMarks(state: EditorState, from: number, to: number, text: string): TransactionSpec | null {
  const levels = levelsAt(state, from).filter((level) => to <= level.to);
  const lines = text.replace(/^\n+|\n+$/g, '').split('\n');
  if (levels.length === 0 || lines.length === 1) return null;
  const opening = levels.map(({ mark }) => mark).join('');
  const closing = levels
    .toReversed()
    .map(({ mark }) => mark)
    .join('');
  const marked = lines.map((line, index) => {
    const body = line.trim();
    if (body === '') return '';
    const lead = index === 0 ? '' : (LINE_MARKS.exec(line)?.[0] ?? '');
    const words = index === 0 ? line.trimEnd() : line.slice(lead.length).trimEnd();
    return lead + (index === 0 ? '' : opening) + words + (index === lines.length - 1 ? '' : closing);
  });
  const insert = marked.join('\n');
  const caret = from + insert.length;
  let start = caret - (marked.at(-1)?.length ?? 0) + (LINE_MARKS.exec(lines.at(-1) ?? '')?.[0].length ?? 0);
  const inner = levels.map(({ mark, to: end }) => {
    start += mark.length;
    return { mark, from: start, to: end + insert.length - (to - from) };
  });
  const annotations = isolateHistory.of('full');
  return { ...step({ from, to, insert }, caret, inner), userEvent: 'input.paste', annotations };
}

/** Converts tab-separated lines, as copied from spreadsheets, to a table; null if the text is not a table. */
export function tableOfTabs(text: string): string | null {
  const lines = text.replace(/\n+$/, '').split('\n');
  const rows = lines.map((line) => line.split('\t'));
  const [head = []] = rows;
  const isTable = rows.length > 1 && head.length > 1 && rows.every((row) => row.length === head.length);
  // Excludes code indented with tabs.
  if (!isTable || rows.every(([first]) => first?.trim() === '')) return null;
  const lineOf = (cells: string[]) => `| ${cells.join(' | ')} |`;
  const [first = '', ...rest] = rows.map((row) => lineOf(row.map(cellText)));
  return [first, lineOf(head.map(() => '---')), ...rest].join('\n');
}
