import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { renderComment } from '../../markdown/comment.ts';

/** Texts and their HTML that are remembered, in UTF-16 units. */
const MOST_KEPT = 4_000_000;
/** After so long others have their turn. One comment takes 8 ms at most (markdown/comment.ts). */
const TURN_MS = 10;

/**
 * Comments as HTML, rendered when they are read and remembered: most are words, which take no time, and a
 * kept page asks for none. See docs/decisions/0028-comments-in-markdown.md.
 * @returns turns texts into HTML, '' for what is shown as it is
 */
export function createCommentHtml(): (sources: readonly string[]) => Promise<string[]> {
  const kept = new LRUCache<string, string>({
    maxSize: MOST_KEPT,
    sizeCalculation: (html, source) => html.length + source.length + 1,
  });
  const render = (source: string): string => {
    const html = kept.get(source) ?? renderComment(source);
    if (html !== '') kept.set(source, html);
    return html;
  };
  return async (sources) => {
    const htmls: string[] = [];
    let began = performance.now();
    for (const source of sources) {
      htmls.push(render(source));
      if (performance.now() - began < TURN_MS) continue;
      await setImmediate();
      began = performance.now();
    }
    return htmls;
  };
}
