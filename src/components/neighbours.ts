// @unocss-include: classes are found in templates otherwise
import type { ArticlePage } from '../lib/blog/blog.ts';
import { markup } from './markup.ts';
import { articleUrl } from './urls.ts';

/** Links to the articles before and after this one in time, as markup. */
export const neighbourLinks = ({ previous, next }: Pick<ArticlePage, 'previous' | 'next'>): string =>
  (previous ? linkTo(previous, 'prev', '上一篇', '') : '') +
  (next ? linkTo(next, 'next', '下一篇', ' sm:text-right sm:col-start-2') : '');

function linkTo(to: { id: string; title: string }, rel: string, label: string, align: string): string {
  const text = markup`<span class="block text-sm text-soft">${label}</span><span class="line-clamp-2"><bdi>${to.title}</bdi></span>`;
  return `<a href="${articleUrl(to.id)}" rel="${rel}" class="quiet-link min-w-0 leading-relaxed${align}">${text}</a>`;
}
