import type { CompletionResult } from '@codemirror/autocomplete';
import type { EditorState } from '@codemirror/state';
import { findEmojis, loadedEmojis } from '../emoji/load.ts';
import { isInCode } from './place.ts';

const MAX_SUGGESTIONS = 12;

/**
 * Colon followed by at least two Latin letters or one Chinese character of a name. A colon after a letter or
 * digit belongs to the text (结论：, 10:30), so it must follow white space, punctuation or an emoji.
 */
const CALLED =
  /(?<=^|[\s。！？!?，,、…～~）)」』”>*_]|\p{Extended_Pictographic}(?:\uFE0F|\p{Emoji_Modifier})?)[:：]((?=\p{Script=Han}|[a-z+][\w+])[\p{Script=Han}\w+-]{1,20})$/iu;

/** Returns the position and query of an emoji menu at `at`; null if there is no trigger. */
export function emojiCallAt(state: EditorState, at: number): { from: number; query: string } | null {
  const line = state.doc.lineAt(at);
  const [, query] = CALLED.exec(line.text.slice(0, at - line.from)) ?? [];
  if (query === undefined || isInCode(state, at)) return null;
  return { from: at - query.length - 1, query };
}

/** Completion source for emoji; null without a trigger or a match, or until the emoji have loaded. */
export function emojisAt(state: EditorState, at: number): CompletionResult | null {
  const call = emojiCallAt(state, at);
  const all = loadedEmojis();
  if (!call || !all) return null;
  const options = findEmojis(all, call.query)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ sign, name, words }) => ({
      label: `${sign} ${name}`,
      detail: words.find((word) => /^\w/.test(word)) ?? '',
      apply: sign,
    }));
  return options.length === 0 ? null : { from: call.from, options, filter: false };
}
