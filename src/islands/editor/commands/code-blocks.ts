import { isolateHistory } from '@codemirror/commands';
import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import { EditorSelection, type EditorState, type TransactionSpec } from '@codemirror/state';
import { insertBlock } from './blocks.ts';

interface Fence {
  /** End of the opening backticks. */
  at: number;
  info: { from: number; to: number };
}

/** Returns the code block around the selection. Its closing line does not count as inside. */
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

/**
 * Whether inserting a code block asks for a language first: with nothing selected, or inside a code block.
 */
export const asksLanguage = (state: EditorState): boolean =>
  state.selection.main.empty || fenceAround(state) !== null;

export const codeAround = (state: EditorState): boolean => fenceAround(state) !== null;

export function languageAround(state: EditorState): string | null {
  const fence = fenceAround(state);
  return fence && (/^\S*/.exec(state.sliceDoc(fence.info.from, fence.info.to))?.[0] ?? '');
}

/**
 * Changes the language of the code block at the caret, or inserts a code block with the caret inside; '' for
 * no language.
 */
export function setLanguage(state: EditorState, language: string): TransactionSpec {
  const fence = fenceAround(state);
  if (!fence) {
    const inside = 3 + language.length + 1;
    const block = insertBlock(state, `\`\`\`${language}\n\n\`\`\``, [inside, inside]);
    // Isolated in the history: otherwise the text typed next would join this step.
    return { ...block, annotations: isolateHistory.of('full') };
  }
  const { from, to } = fence.info;
  const old = /^\S*/.exec(state.sliceDoc(from, to))?.[0].length ?? 0;
  // Text after the language holds options (`{1,3}`). Without a language, they would be read as one.
  const end = language === '' ? to : from + old;
  return {
    changes: { from: fence.at, to: end, insert: language },
    scrollIntoView: true,
    userEvent: 'input.format',
  };
}

/** Returns a fence that is longer than any in `text`. */
function fenceOf(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/^[ \t]*(`{3,})/gm)].map(([, run = '']) => run.length));
  return '`'.repeat(longest + 1);
}

/** Returns a code block with `code`. */
export function fenced(code: string, language: string): string {
  const fence = fenceOf(code);
  return `${fence}${language}\n${code}\n${fence}`;
}

/**
 * Turns the selection into a code block and keeps it selected.
 */
export function fenceSelection(state: EditorState): TransactionSpec {
  const { from, to } = state.selection.main;
  const text = state.sliceDoc(from, to).replace(/^\n+|\n+$/g, '');
  const fence = fenceOf(text);
  const [before, after] = [state.doc.lineAt(from), state.doc.lineAt(to)];
  const lead = state.sliceDoc(before.from, from).trim() === '' ? '' : '\n\n';
  const tail = state.sliceDoc(to, after.to).trim() === '' ? '' : '\n\n';
  // Includes the indentation before the selection.
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
