import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import type { EditorState, Line } from '@codemirror/state';

/** A cell of a line: what it holds, without the white space around, from the start of the line. */
export interface Cell {
  from: number;
  to: number;
}

/** A table, and the cell of the caret. Its second line says how columns are aligned. */
export interface TableAround {
  /** What each line begins with: a quote's sign, a list's indentation. */
  prefix: string;
  lines: readonly Line[];
  row: number;
  column: number;
}

/** Cells of a line; `\|` is no border. An empty one begins behind its first space. */
export function cellsOf(text: string): Cell[] {
  const borders = [...text.matchAll(/(?<!\\)(?:\\\\)*\|/g)].map((found) => found.index + found[0].length - 1);
  const begins = /^[\s>]*\|/.test(text) ? borders : [-1, ...borders];
  const isOpen = text.slice((borders.at(-1) ?? -1) + 1).trim() !== '';
  const ends = isOpen ? [...begins.slice(1), text.length] : begins.slice(1);
  return ends.map((end, index) => {
    const start = (begins[index] ?? -1) + 1;
    const inner = text.slice(start, end);
    const content = inner.trim();
    if (content === '') return { from: Math.min(start + 1, end), to: Math.min(start + 1, end) };
    const from = start + inner.indexOf(content);
    return { from, to: from + content.length };
  });
}

/** The table that holds the selection; null outside of tables. */
export function tableAround(state: EditorState): TableAround | null {
  const { from, to, head } = state.selection.main;
  const here = state.doc.lineAt(head);
  const tree = ensureSyntaxTree(state, here.to, 200) ?? syntaxTree(state);
  let node = tree.resolveInner(here.to, -1);
  while (node.name !== 'Table' && node.parent) node = node.parent;
  if (node.name !== 'Table' || from < node.from || to > node.to) return null;
  const first = state.doc.lineAt(node.from);
  const lines: Line[] = [];
  for (let number = first.number; number <= state.doc.lineAt(node.to).number; number++)
    lines.push(state.doc.line(number));
  const cells = cellsOf(here.text);
  const after = cells.findIndex((cell) => head - here.from <= cell.to);
  const column = after < 0 ? Math.max(cells.length - 1, 0) : after;
  return {
    prefix: first.text.slice(0, node.from - first.from),
    lines,
    row: here.number - first.number,
    column,
  };
}
