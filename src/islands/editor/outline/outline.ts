import { ensureSyntaxTree } from '@codemirror/language';
import { EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { headingAt, headingsOf, type Heading } from './headings.ts';

/** The headings of the text, and the one the caret stands under: its index, -1 for none. */
export interface Outline {
  readonly headings: readonly Heading[];
  readonly current: number;
}

/** Headings are looked for in a pause of writing. */
const PAUSE_MS = 200;
/** Parsing goes on in steps of this length. */
const STEP_MS = 10;

/** Looks for headings while somebody wants to know; otherwise a key costs nothing. */
class Outliner {
  private told: ((outline: Outline) => void) | null = null;
  private outline: Outline = { headings: [], current: -1 };
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly view: EditorView;

  constructor(view: EditorView) {
    this.view = view;
  }

  watch(told: (outline: Outline) => void): () => void {
    this.told = told;
    told(this.outline);
    this.look();
    return () => {
      if (this.told !== told) return;
      this.told = null;
      clearTimeout(this.timer);
    };
  }

  update({ docChanged, selectionSet, changes }: ViewUpdate): void {
    if (!this.told || !(docChanged || selectionSet)) return;
    if (docChanged) {
      // Where they stand until they are looked for again.
      const headings = this.outline.headings.map((each) => ({ ...each, from: changes.mapPos(each.from, 1) }));
      this.outline = { ...this.outline, headings };
      this.lookIn(PAUSE_MS);
    }
    this.tell(this.outline.headings);
  }

  /** Where a heading stands now. */
  placeOf(index: number): number | undefined {
    return this.outline.headings[index]?.from;
  }

  destroy(): void {
    clearTimeout(this.timer);
  }

  private lookIn(milliseconds: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.look(), milliseconds);
  }

  private look(): void {
    const { state } = this.view;
    // What has not changed is not parsed again.
    const tree = ensureSyntaxTree(state, state.doc.length, STEP_MS);
    if (!tree) return this.lookIn(STEP_MS);
    this.tell(headingsOf(tree, state.doc));
  }

  /** Keeps what is known, and tells it unless only places have changed. */
  private tell(headings: readonly Heading[]): void {
    const current = headingAt(headings, this.view.state.selection.main.head);
    const isSame = current === this.outline.current && areAlike(headings, this.outline.headings);
    this.outline = { headings, current };
    if (!isSame) this.told?.(this.outline);
  }
}

const areAlike = (some: readonly Heading[], others: readonly Heading[]) =>
  some.length === others.length &&
  some.every(({ level, text }, index) => level === others[index]?.level && text === others[index].text);

/** Lets `watchOutline` know the headings of a text. */
export const outliner = ViewPlugin.fromClass(Outliner);

/** Tells the outline of the text now and whenever it has changed, in pauses of writing. Returns its end. */
export function watchOutline(view: EditorView, told: (outline: Outline) => void): () => void {
  return view.plugin(outliner)?.watch(told) ?? (() => undefined);
}

/** Puts the caret at the end of a heading and the heading at the top of what is seen. */
export function goToHeading(view: EditorView, index: number): void {
  const at = view.plugin(outliner)?.placeOf(index);
  if (at === undefined) return;
  const { from, to } = view.state.doc.lineAt(at);
  const effects = EditorView.scrollIntoView(from, { y: 'start', yMargin: 12 });
  view.dispatch({ selection: { anchor: to }, effects });
  view.focus();
  // Once more: on a phone the tools stand elsewhere before the page has scrolled.
  requestAnimationFrame(() => view.dispatch({ effects }));
}
