import { isolateHistory } from '@codemirror/commands';
import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import { EditorSelection, type EditorState, type TransactionSpec } from '@codemirror/state';
import { insertBlock } from './blocks.ts';

/** A fenced block: where its signs end, and what stands behind them. */
interface Fence {
  /** Behind the opening signs. */
  at: number;
  info: { from: number; to: number };
}

/** The block that holds the selection, the line of its closing fence not being part of it. */
function fenceAround(state: EditorState): Fence | null {
  const { from, to } = state.selection.main;
  const tree = ensureSyntaxTree(state, state.doc.lineAt(to).to, 200) ?? syntaxTree(state);
  for (const side of [-1, 1] as const) {
    let node = tree.resolveInner(from, side).node;
    while (node.name !== 'FencedCode' && node.parent) node = node.parent;
    const [opening, closing] = node.getChildren('CodeMark');
    if (node.name !== 'FencedCode' || !opening) continue;
    const end = closing ? state.doc.lineAt(closing.from).from - 1 : node.to;
    const info = node.getChild('CodeInfo') ?? { from: opening.to, to: opening.to };
    if (from >= node.from && to <= end) return { at: opening.to, info: { from: info.from, to: info.to } };
  }
  return null;
}

/** Whether a code block that is asked for needs a language first: nothing selected, or in a block already. */
export const asksLanguage = (state: EditorState): boolean =>
  state.selection.main.empty || fenceAround(state) !== null;

/** Whether the selection is in a code block, whose signs mean nothing. */
export const codeAround = (state: EditorState): boolean => fenceAround(state) !== null;

/** The language of the block that holds the selection, as it is written; null outside of blocks. */
export function languageAround(state: EditorState): string | null {
  const fence = fenceAround(state);
  return fence && (/^\S*/.exec(state.sliceDoc(fence.info.from, fence.info.to))?.[0] ?? '');
}

/** Gives the block around the caret another language, or inserts one, the caret inside; '' for none. */
export function setLanguage(state: EditorState, language: string): TransactionSpec {
  const fence = fenceAround(state);
  if (!fence) {
    const inside = 3 + language.length + 1;
    const block = insertBlock(state, `\`\`\`${language}\n\n\`\`\``, [inside, inside]);
    // A step of its own: what is typed next would join it.
    return { ...block, annotations: isolateHistory.of('full') };
  }
  const { from, to } = fence.info;
  const old = /^\S*/.exec(state.sliceDoc(from, to))?.[0].length ?? 0;
  // What follows a language describes it (`{1,3}`); alone it would be read as one.
  const end = language === '' ? to : from + old;
  return {
    changes: { from: fence.at, to: end, insert: language },
    scrollIntoView: true,
    userEvent: 'input.format',
  };
}

/** Makes the selection a block's content, in a fence longer than any of its own; it stays selected. */
export function fenceSelection(state: EditorState): TransactionSpec {
  const { from, to } = state.selection.main;
  const text = state.sliceDoc(from, to).replace(/^\n+|\n+$/g, '');
  const longest = Math.max(2, ...[...text.matchAll(/^[ \t]*(`{3,})/gm)].map(([, run = '']) => run.length));
  const fence = '`'.repeat(longest + 1);
  const [before, after] = [state.doc.lineAt(from), state.doc.lineAt(to)];
  const lead = state.sliceDoc(before.from, from).trim() === '' ? '' : '\n\n';
  const tail = state.sliceDoc(to, after.to).trim() === '' ? '' : '\n\n';
  // Indentation before what is selected goes along.
  const start = lead === '' ? before.from : from;
  const end = tail === '' ? after.to : to;
  const content = state.sliceDoc(start, from) + text;
  const opening = `${lead}${fence}\n`;
  const anchor = start + opening.length;
  return {
    changes: { from: start, to: end, insert: `${opening}${content}\n${fence}${tail}` },
    selection: EditorSelection.range(anchor, anchor + content.length),
    scrollIntoView: true,
    userEvent: 'input.format',
  };
}
