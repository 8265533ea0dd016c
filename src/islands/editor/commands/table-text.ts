import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import type { EditorState, Line } from '@codemirror/state';

/** Content of a cell without surrounding white space, as offsets from the start of the line. */
export interface Cell {
  from: number;
  to: number;
}

/** Table and the caret's cell. The second line of a table defines the alignment of its columns. */
export interface TableAround {
  /** Start of each line: quote marks, or the indentation of a list. */
  prefix: string;
  lines: readonly Line[];
  row: number;
  column: number;
}

/** Returns the cells of a line; `\|` is no separator. An empty cell starts after its first space. */
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
