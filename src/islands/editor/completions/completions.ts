import {
  acceptCompletion,
  autocompletion,
  closeCompletion,
  completionStatus,
  moveCompletionSelection,
  startCompletion,
  type CompletionResult,
  type CompletionSource,
} from '@codemirror/autocomplete';
import { Prec, StateEffect, StateField, type EditorState, type Extension } from '@codemirror/state';
import { EditorView, keymap, tooltips, type Command } from '@codemirror/view';
import { findEmojis, loadedEmojis, loadEmojis } from '../emoji/load.ts';
import { isInCode } from './place.ts';
import { blocksAt } from './block-menu.ts';

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

type Offer = (state: EditorState, at: number) => CompletionResult | null;

const OFFERS: readonly Offer[] = [blocksAt, emojisAt];

const setDismissed = StateEffect.define<number>();

/** Position of a trigger dismissed with Escape. Typing on there does not reopen the menu. */
const dismissed = StateField.define<number | null>({
  create: () => null,
  update(at, { changes, effects }) {
    for (const effect of effects) if (effect.is(setDismissed)) return effect.value;
    if (at === null || changes.empty) return at;
    // Reset when the trigger character is deleted.
    return changes.touchesRange(at, at + 1) === 'cover' ? null : changes.mapPos(at, 1);
  },
});

/**
 * Turns an offer into a completion source. It returns nothing during input-method composition, and filters
 * synchronously as typing continues.
 */
function sourceOf(offer: Offer): CompletionSource {
  const look = (state: EditorState, at: number): CompletionResult | null => {
    const result = offer(state, at);
    if (!result || result.from === state.field(dismissed)) return null;
    return { ...result, update: (_before, _from, _to, context) => look(context.state, context.pos) };
  };
  return ({ state, pos, view }) => (view?.compositionStarted ? null : look(state, pos));
}

const offeredAt = (state: EditorState): number | undefined =>
  OFFERS.map((offer) => offer(state, state.selection.main.head)?.from).find((from) => from !== undefined);

/** Opens the menu at the caret, unless it is open or an input method is composing. */
function beginIn(view: EditorView): void {
  const { state } = view;
  const { main } = state.selection;
  if (view.compositionStarted || !main.empty || completionStatus(state) !== null) return;
  if (loadedEmojis() === null && emojiCallAt(state, main.head)) {
    // Nothing waits for emoji: if they fail to load, there are no suggestions.
    loadEmojis().then(
      () => beginIn(view),
      () => undefined,
    );
    return;
  }
  const from = offeredAt(state);
  if (from !== undefined && from !== state.field(dismissed)) startCompletion(view);
}

const dismiss: Command = (view) => {
  const from = offeredAt(view.state);
  if (!closeCompletion(view)) return false;
  if (from !== undefined) view.dispatch({ effects: setDismissed.of(from) });
  return true;
};

/**
 * Menus opened by a trigger: blocks by `/` in an empty line, emoji by `:` and a name. Must precede other key
 * bindings.
 * @param covered viewport heights of the areas that other elements cover at the top and the bottom
 */
export const completions = (covered: () => { top: number; bottom: number }): Extension => [
  dismissed,
  autocompletion({
    override: OFFERS.map(sourceOf),
    defaultKeymap: false,
    icons: false,
    // Opened by the listener below, because this option would update the view twice for each key.
    activateOnTyping: false,
    interactionDelay: 0,
  }),
  EditorView.updateListener.of(({ docChanged, transactions, view }) => {
    if (docChanged && transactions.some((each) => each.isUserEvent('input.type'))) beginIn(view);
  }),
  tooltips({
    tooltipSpace: (view) => {
      const { clientWidth, clientHeight } = view.dom.ownerDocument.documentElement;
      const { top, bottom } = covered();
      return { top, left: 0, right: clientWidth, bottom: clientHeight - bottom };
    },
  }),
  // Omits Ctrl+Space, which switches input methods.
  Prec.highest(
    keymap.of([
      { key: 'Escape', run: dismiss },
      { key: 'ArrowDown', run: moveCompletionSelection(true) },
      { key: 'ArrowUp', run: moveCompletionSelection(false) },
      { key: 'PageDown', run: moveCompletionSelection(true, 'page') },
      { key: 'PageUp', run: moveCompletionSelection(false, 'page') },
      { key: 'Enter', run: acceptCompletion },
      { key: 'Tab', run: acceptCompletion },
    ]),
  ),
  EditorView.domEventHandlers({
    compositionstart: (_event, view) => void closeCompletion(view),
    compositionend(_event, view) {
      // Runs after the composed text has been inserted.
      setTimeout(() => beginIn(view), 0);
    },
  }),
];
