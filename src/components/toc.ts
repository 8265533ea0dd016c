// @unocss-include: classes are found in templates otherwise
import type { TocItem } from '../lib/blog/blog.ts';
import { markup } from './markup.ts';

const INDENTS = ['', 'pl-4', 'pl-8', 'pl-11', 'pl-13', 'pl-14'];

/**
 * A table of contents: links to the headings of an article, indented below the highest level it uses. Markup: a page has it twice,
 * and a template for each item made them 7 % of the page's time.
 */
export function tocList(items: readonly TocItem[]): string {
  const top = Math.min(...items.map((item) => item.level));
  const drawn = items.map((item) => tocItem(item, INDENTS[item.level - top] ?? '')).join('');
  return `<ol role="list" class="toc text-sm leading-normal">${drawn}</ol>`;
}

const tocItem = ({ level, no, text }: TocItem, indent: string) =>
  markup`<li class="${indent}"><a href="#h${level}-${no}" class="block py-1 no-underline text-soft hover:text-indigo">${text}</a></li>`;
