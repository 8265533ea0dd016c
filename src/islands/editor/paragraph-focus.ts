import { Compartment, EditorState, type Extension, type Text } from '@codemirror/state';
import { Decoration, EditorView, ViewPlugin, type DecorationSet, type ViewUpdate } from '@codemirror/view';
import { whenUncomposed } from './pictures.ts';

/**
 * The paragraphs of a selection: lines around it up to empty ones.
 * @param within the part of the text that is looked at; a long one need not be
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

/** Marks the lines in sight that are written at; theme.ts lets the others step back. */
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

/** The line that is typed in stays in the middle, as in a typewriter. */
const typewriter = EditorState.transactionExtender.of((transaction) =>
  transaction.docChanged && transaction.isUserEvent('input')
    ? { effects: EditorView.scrollIntoView(transaction.newSelection.main.head, { y: 'center' }) }
    : null,
);

const mode = new Compartment();

/** Room for the paragraph that is written at to stand out; `focusParagraph` switches it on. */
export const paragraphFocus: Extension = mode.of([]);

/** Lets the paragraph that is written at stand out, or all alike again; the caret comes to the middle. */
export function focusParagraph(view: EditorView, isOn: boolean): void {
  const focus = [paragraph, typewriter, EditorView.editorAttributes.of({ class: 'cm-paragraph-focus' })];
  whenUncomposed(view, () => {
    view.dispatch({ effects: mode.reconfigure(isOn ? focus : []) });
    // Measured as it is then.
    view.dispatch({ effects: EditorView.scrollIntoView(view.state.selection.main.head, { y: 'center' }) });
  });
}
