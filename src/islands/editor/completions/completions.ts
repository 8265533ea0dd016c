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
import { loadedEmojis, loadEmojis } from '../emoji/load.ts';
import { blocksAt } from './block-menu.ts';
import { emojiCallAt, emojisAt } from './emoji-menu.ts';

/** What is offered at a place of the text; null for nothing. */
type Offer = (state: EditorState, at: number) => CompletionResult | null;

const OFFERS: readonly Offer[] = [blocksAt, emojisAt];

const setDismissed = StateEffect.define<number>();

/** Where the writer pressed Escape: what is typed on there offers nothing again. */
const dismissed = StateField.define<number | null>({
  create: () => null,
  update(at, { changes, effects }) {
    for (const effect of effects) if (effect.is(setDismissed)) return effect.value;
    if (at === null || changes.empty) return at;
    // Gone with the sign that stood there.
    return changes.touchesRange(at, at + 1) === 'cover' ? null : changes.mapPos(at, 1);
  },
});

/** An offer as a source: nothing while an input method composes; what is typed on narrows it at once. */
function sourceOf(offer: Offer): CompletionSource {
  const look = (state: EditorState, at: number): CompletionResult | null => {
    const result = offer(state, at);
    if (!result || result.from === state.field(dismissed)) return null;
    return { ...result, update: (_before, _from, _to, context) => look(context.state, context.pos) };
  };
  return ({ state, pos, view }) => (view?.compositionStarted ? null : look(state, pos));
}

/** Where the sign stands that calls for something at the caret. */
const offeredAt = (state: EditorState): number | undefined =>
  OFFERS.map((offer) => offer(state, state.selection.main.head)?.from).find((from) => from !== undefined);

/** Offers what is called for at the caret, unless it is offered already or an input method composes. */
function beginIn(view: EditorView): void {
  const { state } = view;
  const { main } = state.selection;
  if (view.compositionStarted || !main.empty || completionStatus(state) !== null) return;
  if (loadedEmojis() === null && emojiCallAt(state, main.head)) {
    // Nobody waits for them: what does not come offers nothing.
    loadEmojis().then(
      () => beginIn(view),
      () => undefined,
    );
    return;
  }
  const from = offeredAt(state);
  if (from !== undefined && from !== state.field(dismissed)) startCompletion(view);
}

/** Escape leaves what is typed as it is. */
const dismiss: Command = (view) => {
  const from = offeredAt(view.state);
  if (!closeCompletion(view)) return false;
  if (from !== undefined) view.dispatch({ effects: setDismissed.of(from) });
  return true;
};

/**
 * Offers what is called for by a sign: blocks by `/` in an empty line, emoji by `:` and a name. Must come
 * before other keys.
 * @param covered height in the window above which, and below which, other things cover the text
 */
export const completions = (covered: () => { top: number; bottom: number }): Extension => [
  dismissed,
  autocompletion({
    override: OFFERS.map(sourceOf),
    defaultKeymap: false,
    icons: false,
    // Begun below: by itself it would update the view once more after each key.
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
  // Without Ctrl+Space, which changes the input method.
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
      // After what was composed is in the text.
      setTimeout(() => beginIn(view), 0);
    },
  }),
];
