import { LRUCache } from 'lru-cache';
import { markup } from '../../components/markup.ts';
import { listExcerpt } from '../markdown/excerpt.ts';
import { renderMarkdown, summariseMarkdown, type Rendered } from '../markdown/render.ts';
import { isMuchWork } from '../markdown/work.ts';

/** What a page shows of an article. */
export type Shown = Pick<Rendered, 'html' | 'toc' | 'summary'>;

/** Markdown as an edge front shows it. Neither function throws. */
export interface EdgeRenderer {
  render(source: string): Promise<Shown>;
  summarise(source: string): string;
}

// The JavaScript engine takes half a second and more to compile each of these; the others are below a quarter.
const SLOW_GRAMMARS = ['cpp', 'emacs-lisp', 'org', 'racket', 'typst', 'wolfram'];
const COLOURS = { block: 10_000, article: 20_000, languages: 4, without: new Set(SLOW_GRAMMARS) };
/** Articles kept rendered: who is signed in gets every page anew. */
const MAX_KEPT = 40;
const MAX_KEPT_CHARACTERS = 30_000;
const SUMMARY_CHARACTERS = 140;

/**
 * Renders with the function that articles are rendered with when they are saved, within caps that are known before it begins
 * (SECURITY.md 3): what is over them, nests too deeply or cannot be rendered is shown as the text it is.
 */
export function createEdgeRenderer(): EdgeRenderer {
  const kept = new LRUCache<string, Shown>({ max: MAX_KEPT });
  return {
    async render(source) {
      const known = kept.get(source);
      if (known) return known;
      const shown = await renderOrQuote(source);
      if (source.length <= MAX_KEPT_CHARACTERS) kept.set(source, shown);
      return shown;
    },
    summarise(source) {
      const { content } = listExcerpt(source);
      try {
        return isMuchWork(content) ? opening(content) : summariseMarkdown(content);
      } catch {
        return opening(content);
      }
    },
  };
}

async function renderOrQuote(source: string): Promise<Shown> {
  try {
    if (!isMuchWork(source)) {
      const { html, toc, summary } = await renderMarkdown(source, COLOURS);
      return { html, toc, summary };
    }
  } catch {
    // Too deep, or a fault of the renderer: the text is there all the same.
  }
  return quote(source);
}

/** An article as it was typed. */
function quote(source: string): Shown {
  const note = '<p><em>这篇文章较长或结构较复杂，此处按原文显示。</em></p>';
  const lines = source.split(/\n{2,}/).map((block) => markup`<p>${block}</p>`.replaceAll('\n', '<br>'));
  return { html: [note, ...lines].join('\n'), toc: [], summary: opening(source) };
}

const opening = (source: string) => {
  const text = source
    .slice(0, 4 * SUMMARY_CHARACTERS)
    .replace(/\s+/g, ' ')
    .trim();
  const start = Array.from(text).slice(0, SUMMARY_CHARACTERS).join('');
  return start.length < text.length ? `${start}…` : start;
};
