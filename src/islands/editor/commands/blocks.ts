import { EditorSelection, type EditorState, type TransactionSpec } from '@codemirror/state';

/** Line that ends the excerpt shown in lists. */
const FOLD = '<--阅读全文-->';

export const insertRule = (state: EditorState) => insertBlock(state, '---');

export const insertTable = (state: EditorState) =>
  insertBlock(state, '| 列一 | 列二 | 列三 |\n| --- | --- | --- |\n|  |  |  |', [2, 4]);

export const insertCallout = (state: EditorState, kind: string) =>
  insertBlock(state, `::: ${kind}\n\n:::`, [5 + kind.length, 5 + kind.length]);

export const insertFormula = (state: EditorState) => insertBlock(state, '$$\n\n$$', [3, 3]);

/** Templates of diagrams. `word` is selected after insertion. */
const DIAGRAMS = {
  flowchart: {
    source: 'flowchart TD\n  A[开始] --> B{对吗}\n  B -->|对| C[结束]\n  B -->|不对| A',
    word: '开始',
  },
  sequence: { source: 'sequenceDiagram\n  读者->>作者: 留言\n  作者-->>读者: 回复', word: '留言' },
};

export function insertDiagram(state: EditorState, kind: keyof typeof DIAGRAMS): TransactionSpec {
  const { source, word } = DIAGRAMS[kind];
  const text = `\`\`\`mermaid\n${source}\n\`\`\``;
  const at = text.indexOf(word);
  return insertBlock(state, text, [at, at + word.length]);
}

export const insertDefinition = (state: EditorState) => insertBlock(state, '词\n: 解释', [0, 1]);

/** Inserts the 阅读全文 line. If the article already has one, selects it instead. */
export function insertFold(state: EditorState): TransactionSpec {
  for (let number = 1; number <= state.doc.lines; number++) {
    const line = state.doc.line(number);
    if (line.text.trim() === FOLD) {
      return { selection: EditorSelection.range(line.from, line.to), scrollIntoView: true };
    }
  }
  return insertBlock(state, FOLD);
}

/**
 * Inserts `text` as a separate block, surrounded by empty lines: on the caret's line if that is empty, else
 * below it.
 * @param select range of `text` to select; without it the caret moves below the block
 */
export function insertBlock(state: EditorState, text: string, select?: [number, number]): TransactionSpec {
  const line = state.doc.lineAt(state.selection.main.head);
  const isEmpty = line.text.trim() === '';
  const above = isEmpty ? (line.number > 1 ? state.doc.line(line.number - 1).text : '') : line.text;
  const below = line.number < state.doc.lines ? state.doc.line(line.number + 1).text : '';
  const lead = (isEmpty ? '' : '\n') + (above.trim() === '' ? '' : '\n');
  const tail = line.number < state.doc.lines && below.trim() === '' ? '\n' : '\n\n';
  const from = isEmpty ? line.from : line.to;
  const start = from + lead.length;
  const selection = select
    ? EditorSelection.range(start + select[0], start + select[1])
    : EditorSelection.cursor(start + text.length + tail.length);
  // If an empty line follows, the caret moves there, so one line break is enough.
  const insert = tail === '\n' ? lead + text : lead + text + tail;
  return {
    changes: { from, to: line.to, insert },
    selection,
    scrollIntoView: true,
    userEvent: 'input.format',
  };
}
