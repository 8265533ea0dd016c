import type { ElementContent } from 'hast';
import {
  createHighlighterCore,
  type HighlighterCore,
  type LanguageInput,
  type RegexEngine,
} from 'shiki/core';
import { element } from '../elements.ts';
import { findLanguage } from './languages.ts';
import { TOKEN_THEME, TOKEN_THEME_NAME, tokenClass } from './token-theme.ts';

// Colour does not make minified lines readable, and some grammars take quadratic time in the line length.
const MAX_LINE_CHARACTERS = 1_000;
// A compiled grammar takes up to 18 MB of memory that never shrinks, and authors may use every language;
// code.ts allows eight per article.
const MAX_GRAMMARS = 8;
const KEPT_GRAMMARS = 4;
// Matches the rules that most languages start with, which compiles them.
const WARM_UP = 'int main(String a) { return f("a", 1 + x); } // c';

// Each language has its own highlighter. In a shared one, a markdown block would highlight nested fences only
// if their languages had been loaded before, so the same article could yield different HTML.
/** Loaded highlighters, most recently used last. */
const highlighters = new Map<string, HighlighterCore>();
const loading = new Map<string, Promise<HighlighterCore | undefined>>();
let engine: Promise<RegexEngine> | undefined;

export type Colour = (code: string) => ElementContent[];

/**
 * Loads and warms up the grammar of a language. The most recently used grammars stay loaded.
 * @param name the author's name for the language, in lower case
 * @returns undefined if the name is unknown or the grammar cannot be loaded
 */
export async function loadColour(name: string): Promise<Colour | undefined> {
  const language = findLanguage(name);
  if (!language) return undefined;
  const { id, load } = language;
  const shiki = highlighters.get(id) ?? (await (loading.get(id) ?? begin(id, load)));
  if (!shiki) return undefined;
  keep(id, shiki);
  return (code) => colour(tokenise(shiki, code, id));
}

/**
 * Disposes of the oldest grammars that an article in these languages does not need, to keep `KEPT_GRAMMARS`
 * in total. Call it before loading others.
 */
export function makeRoomFor(names: Iterable<string>): void {
  const needed = new Set(Array.from(names, (name) => findLanguage(name)?.id));
  const others = [...highlighters.keys()].filter((id) => !needed.has(id));
  for (const id of others.slice(0, Math.max(0, others.length - KEPT_GRAMMARS + needed.size))) drop(id);
}

/** Marks a highlighter as used and disposes of the oldest one above `MAX_GRAMMARS`. */
function keep(id: string, shiki: HighlighterCore): void {
  highlighters.delete(id);
  highlighters.set(id, shiki);
  const [oldest] = highlighters.keys();
  if (oldest !== undefined && highlighters.size > MAX_GRAMMARS) drop(oldest);
}

/** Disposes of a grammar; nothing else frees its WebAssembly memory. */
function drop(id: string): void {
  highlighters.get(id)?.dispose();
  highlighters.delete(id);
}

function begin(id: string, load: LanguageInput): Promise<HighlighterCore | undefined> {
  const begun = createHighlighter(id, load).finally(() => loading.delete(id));
  loading.set(id, begun);
  return begun;
}

async function createHighlighter(id: string, load: LanguageInput): Promise<HighlighterCore | undefined> {
  try {
    const shiki = await createHighlighterCore({
      themes: [TOKEN_THEME],
      langs: [load],
      engine: await (engine ??= createEngine()),
      warnings: false,
    });
    tokenise(shiki, WARM_UP, id);
    return shiki;
  } catch {
    // Highlighting is optional: a chunk that fails to load must not fail the article, and may load next time.
    return undefined;
  }
}

function tokenise(shiki: HighlighterCore, code: string, lang: string) {
  return shiki.codeToTokensBase(code, {
    lang,
    theme: TOKEN_THEME_NAME,
    tokenizeMaxLineLength: MAX_LINE_CHARACTERS,
    // Disabled: a limit in milliseconds would make the result depend on the machine. The renderer has its
    // own.
    tokenizeTimeLimit: 0,
  });
}

function colour(lines: { content: string; color?: string }[][]): ElementContent[] {
  const spans: ElementContent[] = [];
  let run = { className: '', text: '' };
  const flush = (): void => {
    if (run.text) spans.push(spanOf(run.className, run.text));
  };
  lines.forEach((line, index) => {
    if (index > 0) run.text += '\n';
    for (const { content, color } of line) {
      const className = tokenClass(color);
      if (className !== run.className && content.trim() !== '') {
        flush();
        run = { className, text: '' };
      }
      run.text += content;
    }
  });
  flush();
  return spans;
}

function spanOf(className: string, text: string): ElementContent {
  const value = { type: 'text', value: text } as const;
  return className ? element('span', { className: [className] }, [value]) : value;
}

/**
 * Oniguruma (WebAssembly) compiles the C++ grammar in 0.5 s, the JavaScript engine in 3 s. But edge runtimes,
 * and browsers under our Content-Security-Policy, do not allow compiling WebAssembly.
 */
async function createEngine(): Promise<RegexEngine> {
  if (isNode()) {
    try {
      const { createOnigurumaEngine } = await import('shiki/engine/oniguruma');
      return await createOnigurumaEngine(import('shiki/wasm'));
    } catch {
      // An edge runtime that claims to be Node.
    }
  }
  const { createJavaScriptRegexEngine } = await import('shiki/engine/javascript');
  return createJavaScriptRegexEngine({ forgiving: true });
}

function isNode(): boolean {
  const { process } = globalThis as { process?: { versions?: { node?: string } } };
  return process?.versions?.node !== undefined && !('document' in globalThis);
}
