import { type EditorState, StateEffect, StateField, Transaction, type Extension } from '@codemirror/state';
import { Decoration, EditorView, WidgetType, type DecorationSet } from '@codemirror/view';
import { addressOf } from '../../../lib/contract/rules/pictures.ts';
import { cancelUpload, startUpload } from '../../../lib/stores/pictures/uploads.ts';
import { isInside } from '../completions/place.ts';
import { isMarkdownFile } from '../markdown-file.ts';
import { askAbout } from './picture-at-caret.ts';
import { findOutsidePictures } from './outside-pictures.ts';
import { altOfFile } from './picture-source.ts';

/**
 * Uploads in progress. Until a picture has a URL, the text contains nothing of it: a widget marks its
 * position and moves with the text. If the tab crashes, the article has no broken picture.
 */
const addMark = StateEffect.define<{ id: number; name: string; at: number; around?: Around }>();
/** Text that was inserted around the mark of a single picture, and whether the line ended there. */
interface Around {
  before: string;
  after: string;
  isLast: boolean;
}

const dropMark = StateEffect.define<number>();

/** Label in the text where something will be inserted. */
export class PendingMark extends WidgetType {
  readonly text: string;

  constructor(text: string) {
    super();
    this.text = text;
  }

  override eq(other: PendingMark): boolean {
    return other.text === this.text;
  }

  override toDOM(): HTMLElement {
    const mark = document.createElement('span');
    mark.className = 'cm-upload';
    mark.textContent = this.text;
    return mark;
  }
}

const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(set, { changes, effects }) {
    let next = set.map(changes);
    for (const effect of effects) {
      if (effect.is(addMark)) {
        const { id, name, at, around } = effect.value;
        const widget = Decoration.widget({ widget: new PendingMark(`图片 ${name}`), id, around, side: 1 });
        next = next.update({ add: [widget.range(at)] });
      } else if (effect.is(dropMark)) {
        next = next.update({
          filter: (_from, _to, { spec }) => (spec as { id: number }).id !== effect.value,
        });
      }
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Handles pasted and dropped pictures, and shows the marks of running uploads. */
export const pictures: Extension = [
  marks,
  EditorView.domEventHandlers({
    paste(event, view) {
      const files = picturesOf(event.clipboardData);
      // Spreadsheets and word processors copy a picture of the text along with the text.
      if (files.length === 0 || event.clipboardData?.getData('text/plain')) return false;
      event.preventDefault();
      addPictures(view, files);
      return true;
    },
    drop(event, view) {
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length === 0) return false;
      event.preventDefault();
      // The editor around the text imports markdown files (file-import).
      const pictures = files.filter((file) => !isMarkdownFile(file));
      const at = view.posAtCoords({ x: event.clientX, y: event.clientY }, false);
      if (pictures.length > 0) addPictures(view, pictures, at);
      return true;
    },
  }),
];

function picturesOf(data: DataTransfer | null): File[] {
  return [...(data?.files ?? [])].filter(({ type }) => type.startsWith('image/'));
}

/**
 * Uploads `files` and inserts them at `at`, each in a separate paragraph. The caret moves to the next
 * paragraph.
 */
export function addPictures(
  view: EditorView,
  files: readonly File[],
  at = view.state.selection.main.head,
): void {
  const { before, gap, after, caret, isLast } = paragraphAt(view.state, at);
  const around = files.length === 1 ? { before, after, isLast } : undefined;
  const effects = files.map((file, index) => {
    const id = startUpload(file, (url) => arrived(view, id, altOfFile(file.name), url));
    return addMark.of({
      id,
      name: file.name,
      at: at + before.length + index * gap.length,
      ...(around && { around }),
    });
  });
  const insert = before + gap.repeat(files.length - 1) + after;
  view.dispatch({
    changes: { from: at, insert },
    selection: { anchor: at + insert.length - after.length + caret },
    effects,
    userEvent: 'input.picture',
  });
}

/** Tables and code, which a line break would break. */
const INLINE_ONLY = /^(?:Table|FencedCode|CodeBlock)/;

const SIGNS = /^(\s*(?:>[ \t]?)*)((?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?)?/;

/**
 * Returns the text before, between and after pictures at `at` that puts each in a separate paragraph of its
 * quote or list item. `caret` is the offset of the caret in `after`. In tables and code, pictures stay on
 * their line.
 */
function paragraphAt(state: EditorState, at: number) {
  const { doc } = state;
  if (isInside(state, at, INLINE_ONLY)) return { before: '', gap: ' ', after: '', caret: 0, isLast: false };
  const line = doc.lineAt(at);
  const [signs = '', quote = '', item = ''] = SIGNS.exec(line.text) ?? [];
  const gap = `\n${quote.trimEnd()}\n${quote}${' '.repeat(item.length)}`;
  const isBlank = (number: number) =>
    number < 1 || number > doc.lines || doc.line(number).text.replace(/^[\s>]+/, '') === '';
  const column = at - line.from;
  const isFirst = line.text.slice(signs.length, column).trim() === '';
  const isLast = line.text.slice(column).trim() === '';
  const above = item !== '' || isBlank(line.number - 1) ? '' : gap.slice(gap.lastIndexOf('\n'));
  const below = isLast && !isBlank(line.number + 1) ? `\n${quote.trimEnd()}` : '';
  return { before: isFirst ? above : gap, gap, after: gap + below, caret: gap.length, isLast };
}

/** Inserts a picture at the current position of its mark. Without a URL, removes the mark. */
function arrived(view: EditorView, id: number, alt: string, url: string | null): void {
  whenUncomposed(view, () => {
    const mark = marksIn(view.state).get(id);
    if (!mark || url === null) {
      const changes = mark ? (insertedAround(view.state, mark) ?? emptyParagraphAt(view.state, mark.at)) : [];
      view.dispatch({
        changes,
        effects: dropMark.of(id),
        annotations: Transaction.addToHistory.of(false),
      });
      return;
    }
    const { at } = mark;
    const changes = view.state.changes({ from: at, insert: `![${alt}](${url})` });
    const selection = view.state.selection.map(changes, 1);
    const effects = [dropMark.of(id), askAbout(at)];
    view.dispatch({ changes, selection, effects, userEvent: 'input.picture' });
  });
}

/** Returns what was inserted around a mark; null if the author has typed there meanwhile. */
function insertedAround({ doc }: EditorState, { at, around }: Mark): { from: number; to: number }[] | null {
  if (!around) return null;
  const [from, to] = [at - around.before.length, at + around.after.length];
  const isSame = doc.sliceString(Math.max(0, from), to) === around.before + around.after;
  const isTyped = around.isLast && !['', '\n'].includes(doc.sliceString(to, to + 1));
  return isSame && !isTyped ? [{ from, to }] : null;
}

/** Returns the empty lines to remove that were inserted for a picture at `at`. */
function emptyParagraphAt({ doc }: EditorState, at: number): { from: number; to: number }[] {
  const line = doc.lineAt(at);
  const isEmpty = (number: number) => number >= 1 && number <= doc.lines && doc.line(number).length === 0;
  if (!isEmpty(line.number) || doc.lines < 3) return [];
  if (isEmpty(line.number - 1) && line.number > 2) return [{ from: line.from - 2, to: line.from }];
  return isEmpty(line.number + 1) && line.number + 2 <= doc.lines ? [{ from: at, to: at + 2 }] : [];
}

export function changeAddress(view: EditorView, address: string, url: string): void {
  whenUncomposed(view, () => {
    const found = findOutsidePictures(view.state.doc.toString(), location.origin);
    const changes = found
      .filter(({ written }) => addressOf(written) === address)
      .map(({ from, to }) => ({ from, to, insert: url }));
    if (changes.length > 0) view.dispatch({ changes, userEvent: 'input.picture' });
  });
}

interface Mark {
  at: number;
  around?: Around | undefined;
}

/** The marks by their id. */
function marksIn(state: EditorState): Map<number, Mark> {
  const places = new Map<number, Mark>();
  for (const cursor = state.field(marks).iter(); cursor.value; cursor.next()) {
    const { id, around } = cursor.value.spec as { id: number; around?: Around };
    places.set(id, { at: cursor.from, around });
  }
  return places;
}

/** Cancels uploads whose marks were deleted with the text around them. */
export const endDeleted: Extension = EditorView.updateListener.of(({ startState, state, transactions }) => {
  if (!transactions.some(({ docChanged }) => docChanged)) return;
  const dropped = new Set(
    transactions.flatMap(({ effects }) =>
      effects.filter((effect) => effect.is(dropMark)).map(({ value }) => value),
    ),
  );
  const left = marksIn(state);
  for (const id of marksIn(startState).keys()) if (!dropped.has(id) && !left.has(id)) cancelUpload(id);
});

/** Runs `work` once no input method is composing, because a change would end the composition. */
export function whenUncomposed(view: EditorView, work: () => void): void {
  if (!view.composing) return work();
  view.contentDOM.addEventListener('compositionend', () => setTimeout(() => whenUncomposed(view, work), 0), {
    once: true,
  });
}
