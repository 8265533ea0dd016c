import { StateEffect, StateField, type EditorState, type Text } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { parsePicture, writePicture, type PictureSource } from './picture-source.ts';

export interface PictureAt extends PictureSource {
  from: number;
  to: number;
}

const ask = StateEffect.define<number>();
const close = StateEffect.define();

interface CaretPicture {
  picture: PictureAt | null;
  /** Start of a picture whose controls the author has closed. They stay closed until the caret leaves it. */
  closed: number | null;
}

/** Tracks the picture whose controls are shown: the one at the caret, or else the previous one. */
export const pictureAtCaret = StateField.define<CaretPicture>({
  create: () => ({ picture: null, closed: null }),
  update({ picture, closed }, { changes, effects, state }) {
    for (const effect of effects) {
      if (effect.is(ask)) return { picture: pictureAt(state.doc, effect.value), closed: null };
      if (effect.is(close)) return { picture: null, closed: pictureAtHead(state)?.from ?? null };
    }
    const atCaret = pictureAtHead(state);
    const left = closed === null ? null : changes.mapPos(closed);
    if (atCaret && atCaret.from === left) return { picture: null, closed: left };
    const kept = picture && pictureAt(state.doc, changes.mapPos(picture.from, 1));
    return { picture: atCaret ?? kept, closed: null };
  },
});

export const currentPicture = (state: EditorState): PictureAt | null => state.field(pictureAtCaret).picture;

/** Shows the controls of the picture that starts at `at`. */
export const askAbout = (at: number) => ask.of(at);

export const closePicture = (view: EditorView): void => view.dispatch({ effects: close.of(null) });

export function changePicture(view: EditorView, changed: Partial<PictureSource>): void {
  const picture = currentPicture(view.state);
  if (!picture) return;
  const insert = writePicture({ ...picture, ...changed });
  view.dispatch({ changes: { from: picture.from, to: picture.to, insert }, userEvent: 'input.picture' });
}

export function replaceAddress(view: EditorView, former: string, address: string): void {
  const text = view.state.doc.toString();
  const changes: { from: number; to: number; insert: string }[] = [];
  for (let at = text.indexOf(former); at >= 0; at = text.indexOf(former, at + former.length))
    changes.push({ from: at, to: at + former.length, insert: address });
  if (changes.length > 0) view.dispatch({ changes, userEvent: 'input.picture' });
}

const pictureAtHead = ({ doc, selection }: EditorState) => pictureAt(doc, selection.main.head);

function pictureAt(doc: Text, position: number): PictureAt | null {
  const line = doc.lineAt(Math.min(position, doc.length));
  const found = parsePicture(line.text, position - line.from);
  return found && { ...found, from: line.from + found.from, to: line.from + found.to };
}
