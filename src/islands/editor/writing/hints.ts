import { syntaxTree } from '@codemirror/language';
import { linter, lintKeymap, type Action, type Diagnostic } from '@codemirror/lint';
import type { EditorState, Extension } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { embeddedIn, storeEmbedded } from '../pictures/embedded.ts';

/** Pause in typing after which hints are searched. */
const DEBOUNCE_MS = 800;
const MAX_HINTS = 200;

const loadRules = async () => ({
  ...(await import('../../../lib/markdown/syntax/dropped-tags.ts')),
  ...(await import('../../../lib/markdown/syntax/tight-headings.ts')),
  ...(await import('../../../lib/markdown-file/data-pictures.ts')),
});

/** Returns hints about text that the page shows otherwise than its author may expect. */
export async function hintsIn(state: EditorState): Promise<Diagnostic[]> {
  const rules = await loadRules();
  const text = state.doc.toString();
  const tree = syntaxTree(state);
  const html: { start: number; end: number }[] = [];
  tree.iterate({
    enter({ name, from, to }) {
      if (name === 'HTMLTag' || name === 'HTMLBlock') html.push({ start: from, end: to });
      return !CODE.has(name);
    },
  });
  const dropped = rules.findDropped(text, html).map(({ name, start, end }): Diagnostic => ({
    from: start,
    to: end,
    severity: 'warning',
    message: rules.droppedTag(name),
  }));
  const embedded = embeddedIn(state, rules).map(({ start, end }): Diagnostic => ({
    from: start,
    to: Math.min(end, start + SHOWN),
    severity: 'warning',
    message: EMBEDDED,
    actions: [STORE],
  }));
  const tight = rules
    .findTightHeadings(text)
    .filter(({ start }) => tree.resolveInner(start, 1).name === 'Paragraph')
    .map(({ start, at, end }): Diagnostic => ({
      from: start,
      to: end,
      severity: 'hint',
      message: TIGHT,
      actions: [SPACE(at - start)],
    }));
  return [...dropped, ...embedded, ...tight]
    .toSorted((one, other) => one.from - other.from)
    .slice(0, MAX_HINTS);
}

/** Characters of an embedded picture that are underlined. */
const SHOWN = 20;
const EMBEDDED = '图片写在文字里，读者看不到，要存成文件';
const STORE: Action = { name: '存到本站', apply: (view, from) => void storeEmbedded(view, from) };

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
    '.cm-lintRange-active': { backgroundColor: 'var(--wash)' },
    '.cm-panel.cm-panel-lint ul [aria-selected], .cm-panel.cm-panel-lint ul:focus [aria-selected]': {
      backgroundColor: 'var(--wash)',
      color: 'var(--ink)',
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
