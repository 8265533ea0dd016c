import { EditorSelection, type EditorState, type TransactionSpec } from '@codemirror/state';

/** The line that ends what lists show of an article. */
export const FOLD = '<--阅读全文-->';

/** Inserts a rule between paragraphs. */
export const insertRule = (state: EditorState) => insertBlock(state, '---');

/** Inserts a small table; its first heading is selected, ready to be typed over. */
export const insertTable = (state: EditorState) =>
  insertBlock(state, '| 列一 | 列二 | 列三 |\n| --- | --- | --- |\n|  |  |  |', [2, 4]);

/** Inserts an empty callout, the caret inside. */
export const insertCallout = (state: EditorState, kind: string) =>
  insertBlock(state, `::: ${kind}\n\n:::`, [5 + kind.length, 5 + kind.length]);

/** Inserts an empty formula, the caret inside. */
export const insertFormula = (state: EditorState) => insertBlock(state, '$$\n\n$$', [3, 3]);

/** Kinds of diagram that can be begun, each with its first lines: what is selected is typed over. */
const DIAGRAMS = {
  flowchart: {
    source: 'flowchart TD\n  A[开始] --> B{对吗}\n  B -->|对| C[结束]\n  B -->|不对| A',
    word: '开始',
  },
  sequence: { source: 'sequenceDiagram\n  读者->>作者: 留言\n  作者-->>读者: 回复', word: '留言' },
};

/** Inserts a small diagram; a word of it is selected. */
export function insertDiagram(state: EditorState, kind: keyof typeof DIAGRAMS): TransactionSpec {
  const { source, word } = DIAGRAMS[kind];
  const text = `\`\`\`mermaid\n${source}\n\`\`\``;
  const at = text.indexOf(word);
  return insertBlock(state, text, [at, at + word.length]);
}

/** Inserts a term and what explains it; the term is selected. */
export const insertDefinition = (state: EditorState) => insertBlock(state, '词\n: 解释', [0, 1]);

/** Inserts the 阅读全文 line. An article has one: where it stands already, it is selected instead. */
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
 * Inserts `text` as a block of its own: on the empty line of the caret, or below its line, with empty lines
 * around it.
 * @param select what of `text` is selected afterwards; without it the caret goes below the block
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
  // Where an empty line follows already, the caret goes to it and one new line is enough.
  const insert = tail === '\n' ? lead + text : lead + text + tail;
  return {
    changes: { from, to: line.to, insert },
    selection,
    scrollIntoView: true,
    userEvent: 'input.format',
  };
}
