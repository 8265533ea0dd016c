import { EditorSelection, EditorState, type TransactionSpec } from '@codemirror/state';
import { articleLanguage } from '../../../../src/islands/editor/writing/markdown-language.ts';

/** Parses a text in which `⟦` and `⟧` enclose the selection, or `¦` is the caret. */
export function stateOf(text: string): EditorState {
  const [open, close] = text.includes('¦') ? ['¦', '¦'] : ['⟦', '⟧'];
  const anchor = text.indexOf(open);
  const rest = text.replace(open, '');
  const head = open === close ? anchor : rest.indexOf(close);
  const doc = open === close ? rest : rest.replace(close, '');
  const selection = EditorSelection.single(anchor, head);
  return EditorState.create({ doc, selection, extensions: articleLanguage });
}

/** Formats a state in the notation of `stateOf`. */
export function written(state: EditorState): string {
  const { from, to } = state.selection.main;
  const text = state.doc.toString();
  if (from === to) return `${text.slice(0, from)}¦${text.slice(from)}`;
  return `${text.slice(0, from)}⟦${text.slice(from, to)}⟧${text.slice(to)}`;
}

/** Applies a change to a text, both in the notation of `stateOf`. */
export function apply(text: string, change: (state: EditorState) => TransactionSpec): string {
  const state = stateOf(text);
  return written(state.update(change(state)).state);
}
