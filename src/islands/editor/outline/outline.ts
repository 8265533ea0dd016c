import { ensureSyntaxTree } from '@codemirror/language';
import { EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { headingAt, headingsOf, type Heading } from './headings.ts';

/** Headings of the text. `current` is the index of the heading of the caret's section, -1 for none. */
export interface Outline {
  readonly headings: readonly Heading[];
  readonly current: number;
}

/** Pause in typing after which headings are searched. */
const DEBOUNCE_MS = 200;
const PARSE_TIMEOUT_MS = 10;

/** Searches for headings only while the outline is watched, so it otherwise adds no cost to key presses. */
class Outliner {
  private listener: ((outline: Outline) => void) | null = null;
  private outline: Outline = { headings: [], current: -1 };
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly view: EditorView;

  constructor(view: EditorView) {
    this.view = view;
  }

  watch(listener: (outline: Outline) => void): () => void {
    this.listener = listener;
    listener(this.outline);
    this.look();
    return () => {
      if (this.listener !== listener) return;
      this.listener = null;
      clearTimeout(this.timer);
    };
  }

  update({ docChanged, selectionSet, changes }: ViewUpdate): void {
    if (!this.listener || !(docChanged || selectionSet)) return;
    if (docChanged) {
      // Maps the positions until the next search.
      const headings = this.outline.headings.map((each) => ({ ...each, from: changes.mapPos(each.from, 1) }));
      this.outline = { ...this.outline, headings };
      this.lookIn(DEBOUNCE_MS);
    }
    this.emit(this.outline.headings);
  }

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
    const tree = ensureSyntaxTree(state, state.doc.length, PARSE_TIMEOUT_MS);
    if (!tree) return this.lookIn(PARSE_TIMEOUT_MS);
    this.emit(headingsOf(tree, state.doc));
  }

  /** Stores the headings, and reports them unless only positions have changed. */
  private emit(headings: readonly Heading[]): void {
    const current = headingAt(headings, this.view.state.selection.main.head);
    const isSame = current === this.outline.current && areAlike(headings, this.outline.headings);
    this.outline = { headings, current };
    if (!isSame) this.listener?.(this.outline);
  }
}

const areAlike = (some: readonly Heading[], others: readonly Heading[]) =>
  some.length === others.length &&
  some.every(({ level, text }, index) => level === others[index]?.level && text === others[index].text);

export const outliner = ViewPlugin.fromClass(Outliner);

/** Reports the outline now and after each change, in typing pauses. Returns a function that stops it. */
export function watchOutline(view: EditorView, listener: (outline: Outline) => void): () => void {
  return view.plugin(outliner)?.watch(listener) ?? (() => undefined);
}

/** Moves the caret to the end of a heading and scrolls the heading to the top. */
export function goToHeading(view: EditorView, index: number): void {
  const at = view.plugin(outliner)?.placeOf(index);
  if (at === undefined) return;
  const { from, to } = view.state.doc.lineAt(at);
  const effects = EditorView.scrollIntoView(from, { y: 'start', yMargin: 12 });
  view.dispatch({ selection: { anchor: to }, effects });
  view.focus();
  // Scrolls again, because on phones the toolbar moves once the page has scrolled.
  requestAnimationFrame(() => view.dispatch({ effects }));
}
