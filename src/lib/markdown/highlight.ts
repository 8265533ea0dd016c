import type { ElementContent } from 'hast';
import {
  createHighlighterCore,
  type HighlighterCore,
  type LanguageInput,
  type RegexEngine,
} from 'shiki/core';
import { element } from './elements.ts';
import { findLanguage } from './languages.ts';
import { TOKEN_THEME, TOKEN_THEME_NAME, tokenClass } from './token-theme.ts';

// A minified line is no pleasure in colour either, and some grammars are quadratic in its length.
const MAX_LINE = 1_000;
// Compiled grammars take up to 18 MB each, in memory that never shrinks, and authors may name every language
// there is. An article may have eight (code.ts).
const MAX_GRAMMARS = 8;
const KEPT_GRAMMARS = 4;
// Touches the rules most languages start with, so that they are compiled.
const WARM_UP = 'int main(String a) { return f("a", 1 + x); } // c';

// One highlighter for each language: in a shared one, a markdown block would colour the fences inside it only
// if their languages happened to have been loaded before, and the same article would not always give the same
// HTML.
/** Those that are loaded, the last used at the end, and those that are about to be. */
const highlighters = new Map<string, HighlighterCore>();
const loading = new Map<string, Promise<HighlighterCore | undefined>>();
let engine: Promise<RegexEngine> | undefined;

/** Colours code of one language; knows nothing of pages. */
export type Colour = (code: string) => ElementContent[];

/**
 * Loads and warms the grammar of a language. Those that were used last stay loaded.
 * @param name lower-cased name as the author wrote it
 * @returns undefined where the name means nothing here or its grammar cannot be loaded
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

/** Disposes of grammars that an article with these languages does not need. Call it before loading others. */
export function makeRoomFor(names: Iterable<string>): void {
  const needed = new Set(Array.from(names, (name) => findLanguage(name)?.id));
  const others = [...highlighters.keys()].filter((id) => !needed.has(id));
  for (const id of others.slice(0, Math.max(0, others.length - KEPT_GRAMMARS + needed.size))) drop(id);
}

/** Notes that a highlighter is used; the least recently used beyond the bound is dropped. */
function keep(id: string, shiki: HighlighterCore): void {
  highlighters.delete(id);
  highlighters.set(id, shiki);
  const [oldest] = highlighters.keys();
  if (oldest !== undefined && highlighters.size > MAX_GRAMMARS) drop(oldest);
}

/** Nothing else frees the WebAssembly memory of a grammar. */
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
    // Colour is decoration: a chunk that did not arrive must not fail the article, and may arrive next time.
    return undefined;
  }
}

function tokenise(shiki: HighlighterCore, code: string, lang: string) {
  return shiki.codeToTokensBase(code, {
    lang,
    theme: TOKEN_THEME_NAME,
    tokenizeMaxLineLength: MAX_LINE,
    // Off: a limit in milliseconds would make the result depend on the machine. The renderer has one of its
    // own.
    tokenizeTimeLimit: 0,
  });
}

/** Tokens as spans, neighbours of one class joined; text without a class stays text. */
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
 * Oniguruma (WebAssembly) compiles the C++ grammar in 0.5 s, the JavaScript engine in 3; but browsers under
 * our Content-Security-Policy and edge runtimes may not compile WebAssembly.
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
