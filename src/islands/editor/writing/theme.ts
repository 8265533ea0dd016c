import { HighlightStyle, syntaxHighlighting, syntaxTree } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import {
  Decoration,
  EditorView,
  MatchDecorator,
  ViewPlugin,
  type DecorationSet,
  type ViewUpdate,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** Theme of the source text: markdown syntax is dimmed. */
export const theme: Extension = [
  EditorView.theme({
    '&': { color: 'var(--ink)', backgroundColor: 'transparent', fontSize: '1rem' },
    '&.cm-focused': { outline: 'none' },
    '.cm-scroller': { fontFamily: 'var(--font-text)', lineHeight: '1.85', overflowX: 'hidden' },
    '.cm-content': { padding: '1rem var(--writing-gap, 0) 40vh', caretColor: 'var(--indigo)' },
    '.cm-line': { padding: '0 2px', overflowWrap: 'anywhere' },
    '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--indigo)', borderLeftWidth: '2px' },
    // Same as ::selection. The selector repeats the base theme's, whose grey would otherwise take precedence.
    '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
      backgroundColor: 'var(--wash)',
    },
    '.cm-placeholder': { color: 'var(--soft)' },
    '.cm-selectionMatch, .cm-searchMatch': {
      backgroundColor: 'var(--wash)',
      outline: '1px solid var(--line)',
    },
    '.cm-searchMatch-selected': { outline: '2px solid var(--indigo)' },
    '.cm-panels': { backgroundColor: 'var(--raised)', color: 'var(--ink)', zIndex: '3' },
    '.cm-panels-top': { borderBottom: '1px solid var(--line)' },
    '.cm-textfield': {
      minHeight: '2.25rem',
      border: '1px solid var(--line)',
      borderRadius: '4px',
      backgroundColor: 'var(--paper)',
      color: 'inherit',
      fontSize: 'inherit',
    },
    '.cm-button': {
      minHeight: '2.25rem',
      border: '1px solid var(--line)',
      borderRadius: '4px',
      backgroundColor: 'transparent',
      backgroundImage: 'none',
      color: 'inherit',
      fontSize: 'inherit',
      cursor: 'pointer',
    },
    '.cm-tooltip.cm-tooltip-autocomplete': {
      border: '1px solid var(--line)',
      borderRadius: '4px',
      backgroundColor: 'var(--raised)',
      boxShadow: '0 8px 28px var(--shadow)',
    },
    '.cm-tooltip.cm-tooltip-autocomplete > ul': {
      minWidth: '15rem',
      maxHeight: '20rem',
      padding: '0.25rem 0',
      fontFamily: 'var(--font-text)',
      overscrollBehavior: 'contain',
    },
    '.cm-tooltip.cm-tooltip-autocomplete > ul > li': {
      display: 'flex',
      alignItems: 'center',
      minHeight: '2.5rem',
      padding: '0 0.9rem',
      fontSize: '0.9375rem',
    },
    '.cm-tooltip-autocomplete ul li[aria-selected]': {
      backgroundColor: 'var(--wash)',
      color: 'inherit',
    },
    '.cm-completionDetail': {
      marginInlineStart: 'auto',
      paddingInlineStart: '1.5rem',
      color: 'var(--soft)',
      fontFamily: 'var(--font-code)',
      fontSize: '0.8125rem',
      fontStyle: 'normal',
    },
    '&.cm-paragraph-focus .cm-line:not(.cm-here), &.cm-paragraph-focus .cm-line:not(.cm-here) *': {
      color: 'var(--soft)',
    },
    '.cm-tag': { color: 'var(--soft)' },
    '.cm-fold': { color: 'var(--soft)', fontSize: '0.875em', letterSpacing: '0.1em' },
    '.cm-upload': {
      padding: '0 0.4em',
      borderRadius: '4px',
      backgroundColor: 'var(--sunk)',
      color: 'var(--soft)',
      fontSize: '0.875em',
    },
  }),
  syntaxHighlighting(
    HighlightStyle.define([
      { tag: tags.heading, fontWeight: '700' },
      { tag: tags.heading1, fontWeight: '700', fontSize: '1.3em' },
      { tag: tags.heading2, fontWeight: '700', fontSize: '1.2em' },
      { tag: tags.heading3, fontWeight: '700', fontSize: '1.08em' },
      { tag: tags.strong, fontWeight: '700' },
      { tag: tags.emphasis, textEmphasis: 'filled dot', textEmphasisPosition: 'under right' },
      { tag: tags.strikethrough, textDecoration: 'line-through', color: 'var(--soft)' },
      { tag: tags.link, color: 'var(--indigo)' },
      { tag: tags.url, color: 'var(--soft)' },
      { tag: tags.quote, color: 'var(--soft)' },
      { tag: tags.monospace, fontFamily: 'var(--font-code)', fontSize: '0.9em' },
      { tag: [tags.processingInstruction, tags.contentSeparator, tags.labelName], color: 'var(--soft)' },
      { tag: tags.tagName, class: 'cm-tag' },
      { tag: [tags.comment, tags.character], color: 'var(--soft)' },
    ]),
  ),
];

const marked = (decorator: MatchDecorator): Extension =>
  ViewPlugin.fromClass(
    class {
      marks: DecorationSet;
      constructor(view: EditorView) {
        this.marks = decorator.createDeco(view);
      }
      update(update: ViewUpdate): void {
        this.marks = decorator.updateDeco(update, this.marks);
      }
    },
    { decorations: ({ marks }) => marks },
  );

export const foldLines = marked(
  new MatchDecorator({
    regexp: /^ {0,3}<--[ \t]*阅读全文[ \t]*-->[ \t]*$/g,
    decoration: Decoration.mark({ class: 'cm-fold' }),
  }),
);

const tagMark = Decoration.mark({ class: 'cm-tag' });

/** Dims tags in HTML blocks, which the markdown parser does not parse. */
export const tagsInBlocks = marked(
  new MatchDecorator({
    regexp: /<\/?[a-z][^<>]*>/gi,
    decorate(add, from, to, _match, { state }) {
      if (syntaxTree(state).resolveInner(from, 1).name === 'HTMLBlock') add(from, to, tagMark);
    },
  }),
);

/**
 * Makes CodeMirror use constructed style sheets, because the Content-Security-Policy blocks its style
 * elements. CodeMirror does so only inside a shadow root, so this creates one and gives its style set to the
 * document. Must run before the first view is created.
 */
export function adoptStyles(): void {
  const root = document.createElement('div').attachShadow({ mode: 'open' });
  new EditorView({ root, extensions: theme }).destroy();
  const key = Object.getOwnPropertySymbols(root).find(({ description }) => description === 'styleSet');
  if (key) Object.assign(document, { [key]: Reflect.get(root, key) as unknown });
}
