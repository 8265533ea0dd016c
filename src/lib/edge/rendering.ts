import { LRUCache } from 'lru-cache';
import { renderComment } from '../markdown/comment.ts';
import { listExcerpt } from '../markdown/excerpt.ts';
import { renderMarkdown, summariseMarkdown, type Rendered } from '../markdown/render.ts';
import { openingOf, quoteArticle } from '../markdown/quoted-article.ts';
import { isMuchWork } from '../markdown/work.ts';
import { SLOW_GRAMMARS } from './slow-grammars.ts';

export type Shown = Pick<Rendered, 'html' | 'toc' | 'summary' | 'words'>;

const COLOURS = { block: 10_000, article: 20_000, languages: 4, without: new Set<string>(SLOW_GRAMMARS) };
const MAX_CACHED_TEXTS = 40;
const MAX_CACHED_CHARACTERS = 30_000;

/**
 * Renders as a save does, within limits (SECURITY.md 3). Text beyond them, or that fails, stays plain text.
 */
export function createEdgeRenderer() {
  const kept = new LRUCache<string, Shown>({ max: MAX_CACHED_TEXTS });
  return {
    async render(source: string): Promise<Shown> {
      const known = kept.get(source);
      if (known) return known;
      const shown = await renderOrQuote(source);
      if (source.length <= MAX_CACHED_CHARACTERS) kept.set(source, shown);
      return shown;
    },
    renderComment,
    summarise(source: string): string {
      const { content } = listExcerpt(source);
      try {
        return isMuchWork(content) ? openingOf(content) : summariseMarkdown(content);
      } catch {
        return openingOf(content);
      }
    },
  };
}

async function renderOrQuote(source: string): Promise<Shown> {
  try {
    if (!isMuchWork(source)) {
      const { text: _, ...shown } = await renderMarkdown(source, COLOURS);
      return shown;
    }
  } catch {
    // Too complex, or an error of the renderer: the text is still shown.
  }
  return quoteArticle(source);
}
