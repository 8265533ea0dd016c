import type { EditorState, TransactionSpec } from '@codemirror/state';
import { fenced } from '../commands/code-blocks.ts';
import { insertMarkdown, paste } from './insert.ts';

/** Type of VS Code's own data on the clipboard, JSON with the `mode` (language) of the text. */
export const VSCODE_TYPE = 'vscode-editor-data';

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
