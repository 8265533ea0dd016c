import { escapeHtml } from './escape-html.ts';
import { countWords } from '../shared/word-count.ts';

const SUMMARY_CHARACTERS = 140;
const NOTE = '<p><em>这篇文章较长或结构较复杂，此处按原文显示。</em></p>';

/**
 * Returns an article as typed, for sources that cannot be rendered: at most six bytes per character and ten
 * per line.
 */
export function quoteArticle(source: string): { html: string; toc: []; summary: string; words: number } {
  const lines = source.split(/\n{2,}/).map((block) => `<p>${escapeHtml(block).replaceAll('\n', '<br>')}</p>`);
  return {
    html: [NOTE, ...lines].join('\n'),
    toc: [],
    summary: openingOf(source),
    words: countWords(source),
  };
}

export function openingOf(source: string): string {
  const text = source
    .slice(0, 4 * SUMMARY_CHARACTERS)
    .replace(/\s+/g, ' ')
    .trim();
  const start = Array.from(text).slice(0, SUMMARY_CHARACTERS).join('');
  return start.length < text.length ? `${start}…` : start;
}
