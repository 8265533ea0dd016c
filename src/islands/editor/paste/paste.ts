import {
  StateEffect,
  StateField,
  type ChangeDesc,
  type EditorState,
  type Extension,
  type TransactionSpec,
} from '@codemirror/state';
import { Decoration, EditorView, type DecorationSet } from '@codemirror/view';
import { fenced } from '../commands/code-blocks.ts';
import type { FromHtml } from '../../../lib/markdown/from-html/from-html.ts';
import { showError, showNotice } from '../../../lib/stores/toasts.ts';
import { PendingMark, whenUncomposed } from '../pictures/pictures.ts';
import { insertMarkdown, insertPlain, isPlainOnly, paste, tableOfTabs } from './insert.ts';
import { convertHtml } from './convert.ts';

/** Type of VS Code's own data on the clipboard, JSON with the `mode` (language) of the text. */
const VSCODE_TYPE = 'vscode-editor-data';

/** Modes of prose, which is pasted as text. */
const PROSE = new Set(['markdown', 'mdx', 'plaintext', 'quarto', 'rmd']);
/** Modes whose name is not the language's usual one in markdown. */
const LANGUAGES: Record<string, string> = {
  typescriptreact: 'tsx',
  javascriptreact: 'jsx',
  shellscript: 'bash',
  'cuda-cpp': 'cpp',
  dockercompose: 'yaml',
  'github-actions-workflow': 'yaml',
  jade: 'pug',
  'django-html': 'html',
  'jinja-html': 'html',
  postgres: 'sql',
};

/**
 * Returns the language of code that was copied in VS Code, '' if it is unknown, or null for prose and invalid
 * data.
 */
export function languageOfVscode(data: string): string | null {
  const mode = modeIn(data);
  if (mode === null || PROSE.has(mode)) return null;
  const language = LANGUAGES[mode] ?? mode;
  return /^[\w+#.-]+$/.test(language) ? language : '';
}

function modeIn(data: string): string | null {
  try {
    const { mode } = JSON.parse(data) as { mode?: unknown };
    return typeof mode === 'string' ? mode.toLowerCase() : '';
  } catch {
    return null;
  }
}

/**
 * Replaces `from` to `to` with a code block, or with inline code if a single line is pasted into a line that
 * has text.
 */
export function insertCode(
  state: EditorState,
  from: number,
  to: number,
  text: string,
  language: string,
): TransactionSpec {
  const code = text.replace(/^(?:[ \t]*\n)+|\s+$/g, '');
  const [start, end] = [state.doc.lineAt(from), state.doc.lineAt(to)];
  const around = state.sliceDoc(start.from, from) + state.sliceDoc(to, end.to);
  const isInline = !code.includes('\n') && /[^\s>*+-]/.test(around.replace(/^\s*\d+[.)]\s/, ''));
  if (isInline) return paste(from, to, inlineCode(code.trim()));
  return insertMarkdown(state, from, to, fenced(code, language));
}

function inlineCode(code: string): string {
  const longest = Math.max(0, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const ticks = '`'.repeat(longest + 1);
  const space = code.startsWith('`') || code.endsWith('`') ? ' ' : '';
  return ticks + space + code + space + ticks;
}

/** Longer HTML is not converted: the result would exceed the limit of an article. */
const MAX_HTML_CHARACTERS = 2_000_000;
/** Maximum time between Ctrl+Shift+V and its paste event. */
const PASTE_TIMEOUT_MS = 1_000;

/** Pending paste, and the range that it will replace. */
interface Place {
  id: number;
  from: number;
  to: number;
}

const addPlace = StateEffect.define<Place>();
const dropPlace = StateEffect.define<number>();
let lastId = 0;

const moved = ({ id, from, to }: Place, changes: ChangeDesc): Place => {
  const start = changes.mapPos(from, -1);
  return { id, from: start, to: Math.max(start, changes.mapPos(to, -1)) };
};

const mark = Decoration.widget({ widget: new PendingMark('正在整理粘贴的内容'), side: 1 });
const marksOf = (all: readonly Place[]): DecorationSet =>
  Decoration.set(
    all.map(({ to }) => mark.range(to)),
    true,
  );

const places = StateField.define<readonly Place[]>({
  create: () => [],
  update(before, { changes, effects }) {
    let next = changes.empty ? before : before.map((place) => moved(place, changes));
    for (const effect of effects) {
      if (effect.is(addPlace)) next = [...next, effect.value];
      else if (effect.is(dropPlace)) next = next.filter(({ id }) => id !== effect.value);
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field, marksOf),
});

/**
 * Handles pastes: HTML becomes markdown, code of an editor becomes a code block, tab-separated lines become a
 * table, and multi-line text in marks keeps them. Text pasted with Ctrl+Shift+V or into code stays plain;
 * CodeMirror handles the rest.
 */
export function pasting(): Extension {
  let plainAt = -Infinity;
  return [
    places,
    EditorView.domEventHandlers({
      keydown(event) {
        if (event.code === 'KeyV' && event.shiftKey && (event.ctrlKey || event.metaKey))
          plainAt = event.timeStamp;
      },
      paste(event, view) {
        const data = event.clipboardData;
        if (!data || view.state.readOnly || view.state.selection.ranges.length > 1) return false;
        const isPlain = event.timeStamp - plainAt < PASTE_TIMEOUT_MS || isPlainOnly(view.state);
        const isTaken = pasteData(view, data, isPlain);
        if (isTaken) event.preventDefault();
        return isTaken;
      },
    }),
  ];
}

/** Pastes the clipboard's data. Returns false if CodeMirror should handle it. */
function pasteData(view: EditorView, data: DataTransfer, isPlain: boolean): boolean {
  const text = data.getData('text/plain').replace(/\r\n?/g, '\n');
  if (isPlain) return pasteText(view, text, true);
  if (data.types.includes(VSCODE_TYPE)) {
    // VS Code's HTML has only the colours.
    const language = languageOfVscode(data.getData(VSCODE_TYPE));
    if (language === null || text.trim() === '') return pasteText(view, text, false);
    const { from, to } = view.state.selection.main;
    view.dispatch(insertCode(view.state, from, to, text, language));
    return true;
  }
  const html = data.getData('text/html');
  return html.trim() === '' ? pasteText(view, text, false) : pasteHtml(view, html, text);
}

/** Pastes text. Returns false if CodeMirror should handle it. */
function pasteText(view: EditorView, text: string, isPlain: boolean): boolean {
  const { from, to } = view.state.selection.main;
  const table = isPlain ? null : tableOfTabs(text);
  const spec =
    table === null ? insertPlain(view.state, from, to, text) : insertMarkdown(view.state, from, to, table);
  if (spec) view.dispatch(spec);
  return spec !== null;
}

/** Reserves a place and fills it with the converted HTML, or with the plain text if the HTML adds nothing. */
function pasteHtml(view: EditorView, html: string, text: string): boolean {
  if (html.length > MAX_HTML_CHARACTERS) {
    noticePlain(text, '粘贴的内容太大');
    return pasteText(view, text, false);
  }
  const { from, to } = view.state.selection.main;
  const id = ++lastId;
  view.dispatch({ effects: addPlace.of({ id, from, to }) });
  void convertHtml(html).then(
    (result) => {
      fill(view, id, result, text);
      if (!result && text.trim() === '') showError('剪贴板里没有可以放进正文的内容');
      if (result && result.lostPictures > 0)
        showNotice(`${result.lostPictures} 张图片没有网址，没有带过来，可以单独复制再粘贴`);
    },
    () => {
      noticePlain(text, '没能读懂粘贴的格式');
      fill(view, id, null, text);
    },
  );
  return true;
}

function noticePlain(text: string, reason: string): void {
  showError(text === '' ? `${reason}，没有放进来，剪贴板里还有` : `${reason}，只粘贴了文字，没有保留格式`);
}

function specOf(state: EditorState, from: number, to: number, result: FromHtml | null, text: string) {
  if (result?.isCode) return insertCode(state, from, to, text, '');
  const structured = result?.markdown || tableOfTabs(text);
  return structured ? insertMarkdown(state, from, to, structured) : paste(from, to, text);
}

function fill(view: EditorView, id: number, result: FromHtml | null, text: string): void {
  whenUncomposed(view, () => {
    const place = view.state.field(places).find((each) => each.id === id);
    if (!place) return;
    const { from, to } = place;
    const spec = specOf(view.state, from, to, result, text);
    const { main } = view.state.selection;
    const isInside = main.from >= from && main.to <= to;
    // Leaves the caret alone if the author has continued typing elsewhere.
    const { selection: behind, ...rest } = spec;
    const own = isInside ? { selection: behind } : {};
    view.dispatch({ ...rest, ...own, scrollIntoView: isInside, effects: dropPlace.of(id) });
    // Drops the place even if the text was rejected as too long.
    if (view.state.field(places).some((each) => each.id === id)) view.dispatch({ effects: dropPlace.of(id) });
  });
}
