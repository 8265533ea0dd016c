import articles from '../styles/look-articles.css?url';
import lists from '../styles/look-lists.css?url';
import type { lookAttributes } from '../lib/shared/look-sheet.ts';

type Attributes = ReturnType<typeof lookAttributes>;

/** Returns the style sheets of the choices that are not the default ones and that the page shows. */
export function lookStyles(attributes: Attributes, path: string): string[] {
  const isArticle = /^\/(?:detail|a|p)\//.test(path);
  const shown = isArticle ? ['data-paragraphs', 'data-head'] : ['data-list', 'data-front'];
  const isUsual = shown.every((name) => attributes[name as keyof Attributes] === undefined);
  return isUsual ? [] : [isArticle ? articles : lists];
}
