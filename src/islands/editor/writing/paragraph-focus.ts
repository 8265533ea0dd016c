import { Compartment, EditorState, type Extension, type Text } from '@codemirror/state';
import { Decoration, EditorView, ViewPlugin, type DecorationSet, type ViewUpdate } from '@codemirror/view';
import { whenUncomposed } from '../pictures/pictures.ts';

/**
 * Returns the paragraphs of a selection, which empty lines delimit.
 * @param within range to search, so a long text is not searched as a whole
 * @returns numbers of the first and the last line
 */
export function paragraphsAround(
  doc: Text,
  selection: { from: number; to: number },
  within: { from: number; to: number },
): { first: number; last: number } {
  const [top, bottom] = [doc.lineAt(within.from).number, doc.lineAt(within.to).number];
  const isText = (number: number) => /\S/.test(doc.line(number).text);
  let first = doc.lineAt(selection.from).number;
  let last = doc.lineAt(selection.to).number;
  if (isText(first)) while (first > top && isText(first - 1)) first--;
  if (isText(last)) while (last < bottom && isText(last + 1)) last++;
  return { first, last };
}

const here = Decoration.line({ class: 'cm-here' });

/** Marks the visible lines of the current paragraph; theme.ts dims the others. */
const paragraph = ViewPlugin.fromClass(
  class {
    marks: DecorationSet;
    constructor(view: EditorView) {
      this.marks = markParagraph(view);
    }
    update({ docChanged, selectionSet, viewportChanged, view }: ViewUpdate): void {
      if (docChanged || selectionSet || viewportChanged) this.marks = markParagraph(view);
    }
  },
  { decorations: ({ marks }) => marks },
);

function markParagraph({ state: { doc, selection }, viewport }: EditorView): DecorationSet {
  const { first, last } = paragraphsAround(doc, selection.main, viewport);
  const begin = Math.max(first, doc.lineAt(viewport.from).number);
  const end = Math.min(last, doc.lineAt(viewport.to).number);
  const lines = Array.from({ length: Math.max(0, end - begin + 1) }, (_, index) => doc.line(begin + index));
  return Decoration.set(lines.map(({ from }) => here.range(from)));
}

/** Keeps the line being typed at the vertical centre, like a typewriter. */
const typewriter = EditorState.transactionExtender.of((transaction) =>
  transaction.docChanged && transaction.isUserEvent('input')
    ? { effects: EditorView.scrollIntoView(transaction.newSelection.main.head, { y: 'center' }) }
    : null,
);

const mode = new Compartment();

/** Placeholder extension that `focusParagraph` reconfigures. */
export const paragraphFocus: Extension = mode.of([]);

/** Turns the paragraph focus on or off and scrolls the caret to the centre. */
export function focusParagraph(view: EditorView, isOn: boolean): void {
  const focus = [paragraph, typewriter, EditorView.editorAttributes.of({ class: 'cm-paragraph-focus' })];
  whenUncomposed(view, () => {
    view.dispatch({ effects: mode.reconfigure(isOn ? focus : []) });
    // Dispatched separately, to measure the new layout.
    view.dispatch({ effects: EditorView.scrollIntoView(view.state.selection.main.head, { y: 'center' }) });
  });
}
