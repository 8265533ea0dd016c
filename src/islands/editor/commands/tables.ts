import { EditorSelection, type EditorState, type TransactionSpec } from '@codemirror/state';
import type { Command } from '@codemirror/view';
import { CELL_BREAK } from '../../../lib/shared/signs.ts';
import { cellsOf, tableAround, type TableAround } from './table-text.ts';

export type TableChange =
  | 'rowAbove'
  | 'rowBelow'
  | 'columnBefore'
  | 'columnAfter'
  | 'alignStart'
  | 'alignCenter'
  | 'alignEnd'
  | 'removeRow'
  | 'removeColumn'
  | 'removeTable';

/** Index of the delimiter row, which defines the alignment of columns. */
const DELIMITER_ROW = 1;

/** Selects the content of the next or previous cell. After the last cell, adds a row. */
const selectBeside =
  (step: 1 | -1): Command =>
  ({ state, dispatch }) => {
    const table = tableAround(state);
    if (!table) return false;
    const to = cellBeside(table, step);
    if (to) dispatch(state.update(selectCell(table, to)));
    else if (step > 0) dispatch(state.update(addRow(table, table.lines.length - 1)));
    return true;
  };

export const nextCell = selectBeside(1);
export const previousCell = selectBeside(-1);

/** Adds a row below the caret's row. In an empty last row, removes that row and leaves the table. */
export const breakRow: Command = ({ state, dispatch }) => {
  const table = tableAround(state);
  if (!table || table.row === DELIMITER_ROW || !state.selection.main.empty) return false;
  const line = table.lines[table.row];
  const isLast = table.row > DELIMITER_ROW && table.row === table.lines.length - 1;
  if (line && isLast && cellsOf(line.text).every(({ from, to }) => from === to)) {
    // The empty line ends the table.
    const insert = `${table.prefix.trimEnd()}\n${table.prefix}`;
    const changes = { from: line.from, to: line.to, insert };
    const selection = EditorSelection.cursor(line.from + insert.length);
    dispatch(state.update({ changes, selection, scrollIntoView: true, userEvent: 'delete' }));
    return true;
  }
  dispatch(state.update(addRow(table, Math.max(table.row, Math.min(DELIMITER_ROW, table.lines.length - 1)))));
  return true;
};

export const breakCell: Command = ({ state, dispatch }) => {
  if (!tableAround(state)) return false;
  dispatch(state.update(state.replaceSelection(CELL_BREAK), { scrollIntoView: true, userEvent: 'input' }));
  return true;
};

interface Place {
  row: number;
  column: number;
}

/** Returns the cell `step` cells away in reading order, or null. */
function cellBeside({ lines, row, column }: TableAround, step: 1 | -1): Place | null {
  const places = lines.flatMap((line, number): Place[] =>
    number === DELIMITER_ROW ? [] : cellsOf(line.text).map((_, index) => ({ row: number, column: index })),
  );
  // From the delimiter row, moves to the row above or below.
  if (row === DELIMITER_ROW)
    return (step > 0 ? places.find((place) => place.row > DELIMITER_ROW) : places[0]) ?? null;
  return places[places.findIndex((place) => place.row === row && place.column === column) + step] ?? null;
}

function selectCell({ lines }: TableAround, { row, column }: Place): TransactionSpec {
  const line = lines[row];
  const cell = line && cellsOf(line.text)[column];
  if (!line || !cell) return {};
  const selection = EditorSelection.range(line.from + cell.from, line.from + cell.to);
  return { selection, scrollIntoView: true, userEvent: 'select' };
}

function addRow({ lines, prefix }: TableAround, below: number): TransactionSpec {
  const at = lines[below]?.to ?? 0;
  const columns = cellsOf(lines[0]?.text ?? '').length;
  const insert = `\n${prefix}|${'  |'.repeat(columns)}`;
  const selection = EditorSelection.cursor(at + prefix.length + '\n| '.length);
  return { changes: { from: at, insert }, selection, scrollIntoView: true, userEvent: 'input.format' };
}

type Rows = readonly (readonly string[])[];

export function changeTable(state: EditorState, change: TableChange): TransactionSpec {
  const table = tableAround(state);
  const [first, last] = [table?.lines[0], table?.lines.at(-1)];
  if (!table || !first || !last) return {};
  const width = cellsOf(first.text).length;
  const rows = table.lines.map(({ text }) => {
    const cells = cellsOf(text).map(({ from, to }) => text.slice(from, to));
    return Array.from({ length: width }, (_, index) => cells[index] ?? '');
  });
  const column = Math.min(table.column, width - 1);
  const { rows: next, row, column: to } = changed(rows, { row: table.row, column }, change);
  if (next.length === 0)
    return {
      changes: { from: first.from, to: last.to },
      selection: EditorSelection.cursor(first.from),
      scrollIntoView: true,
      userEvent: 'delete',
    };
  const lines = next.map((cells) => `| ${cells.join(' | ')} |`);
  const insert = lines.join(`\n${table.prefix}`);
  const from = first.from + table.prefix.length;
  const start =
    from + lines.slice(0, row).reduce((sum, line) => sum + line.length + 1 + table.prefix.length, 0);
  const cell = cellsOf(lines[row] ?? '')[to] ?? { from: 0, to: 0 };
  return {
    changes: { from, to: last.to, insert },
    selection: EditorSelection.range(start + cell.from, start + cell.to),
    scrollIntoView: true,
    userEvent: 'input.format',
  };
}

const RULES = { alignStart: ':---', alignCenter: ':---:', alignEnd: '---:' } as const;

/** Returns the rows after a change, none if the table is removed, and the cell for the caret. */
function changed(rows: Rows, { row, column }: Place, change: TableChange): Place & { rows: Rows } {
  const blank = rows[0]?.map(() => '') ?? [];
  const rule = rows[DELIMITER_ROW] ?? [];
  const without = (at: number) => rows.map((cells) => cells.toSpliced(at, 1));
  const withColumn = (at: number) =>
    rows.map((cells, number) => cells.toSpliced(at, 0, number === DELIMITER_ROW ? '---' : ''));
  switch (change) {
    case 'rowAbove':
      // A row above the head becomes the new head; the old head becomes a body row.
      if (row < DELIMITER_ROW)
        return { rows: [blank, rule, ...rows.slice(0, 1), ...rows.slice(2)], row: 0, column };
      return { rows: rows.toSpliced(Math.max(row, 2), 0, blank), row: Math.max(row, 2), column };
    case 'rowBelow': {
      const at = Math.max(row, DELIMITER_ROW) + 1;
      return { rows: rows.toSpliced(at, 0, blank), row: at, column };
    }
    case 'columnBefore':
      return { rows: withColumn(column), row, column };
    case 'columnAfter':
      return { rows: withColumn(column + 1), row, column: column + 1 };
    case 'removeRow': {
      const body = rows.slice(2);
      if (row > DELIMITER_ROW)
        return {
          rows: rows.toSpliced(row, 1),
          row: row === rows.length - 1 ? Math.max(row - 1, 0) : row,
          column,
        };
      const [head, ...rest] = body;
      return { rows: head ? [head, rule, ...rest] : [], row: 0, column };
    }
    case 'removeColumn':
      return { rows: rule.length > 1 ? without(column) : [], row, column: Math.max(column - 1, 0) };
    case 'removeTable':
      return { rows: [], row: 0, column: 0 };
    case 'alignStart':
    case 'alignCenter':
    case 'alignEnd':
      return { rows: rows.with(DELIMITER_ROW, rule.with(column, RULES[change])), row, column };
  }
}
