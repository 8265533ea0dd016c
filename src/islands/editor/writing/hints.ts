import { syntaxTree } from '@codemirror/language';
import { linter, lintKeymap, type Action, type Diagnostic } from '@codemirror/lint';
import type { EditorState, Extension } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { droppedTag, findDropped } from '../../../lib/markdown/syntax/dropped-tags.ts';
import { findTightHeadings } from '../../../lib/markdown/syntax/tight-headings.ts';

/** Pause in typing after which hints are searched. */
const DEBOUNCE_MS = 800;
const MAX_HINTS = 200;

/** Returns hints about text that the page shows otherwise than its author may expect. */
export function hintsIn(state: EditorState): Diagnostic[] {
  const html: { start: number; end: number }[] = [];
  const hints: Diagnostic[] = [];
  syntaxTree(state).iterate({
    enter({ name, from, to }) {
      if (name === 'HTMLTag' || name === 'HTMLBlock') html.push({ start: from, end: to });
      return !CODE.has(name);
    },
  });
  for (const { name, start, end } of html.length > 0 ? findDropped(state.doc.toString(), html) : [])
    hints.push({ from: start, to: end, severity: 'warning', message: droppedTag(name) });
  for (const { start, at, end } of findTightHeadings(state.doc.toString()))
    if (syntaxTree(state).resolveInner(start, 1).name === 'Paragraph')
      hints.push({ from: start, to: end, severity: 'hint', message: TIGHT, actions: [SPACE(at - start)] });
  return hints.toSorted((one, other) => one.from - other.from).slice(0, MAX_HINTS);
}

const TIGHT = '# 后面没有空格，这一行不是标题';
const SPACE = (signs: number): Action => ({
  name: '补上空格',
  apply: (view, from) => view.dispatch({ changes: { from: from + signs, insert: ' ' } }),
});

const CODE = new Set(['FencedCode', 'CodeBlock', 'InlineCode']);

/** Underlines the hints; pointing at one, or Mod-Shift-m, shows its sentence. */
export const hints: Extension = [
  linter(({ state }) => hintsIn(state), { delay: DEBOUNCE_MS }),
  keymap.of(lintKeymap),
  EditorView.theme({
    // The base theme draws data: pictures.
    '.cm-lintRange': {
      backgroundImage: 'none !important',
      textDecoration: 'underline wavy var(--indigo)',
      textUnderlineOffset: '0.25em',
    },
    '.cm-tooltip.cm-tooltip-lint, .cm-tooltip-hover': {
      border: '1px solid var(--line)',
      borderRadius: '4px',
      backgroundColor: 'var(--raised)',
      color: 'var(--ink)',
      boxShadow: '0 8px 28px var(--shadow)',
    },
    '.cm-diagnostic': { padding: '0.5rem 0.75rem', borderLeft: 'none', maxWidth: '24rem' },
    '.cm-diagnosticAction': {
      minHeight: '2rem',
      padding: '0 0.6rem',
      border: '1px solid var(--line)',
      borderRadius: '4px',
      backgroundColor: 'transparent',
      color: 'var(--indigo)',
      fontSize: 'inherit',
    },
  }),
];
