// @unocss-include: classes are found in templates otherwise
import { html } from 'hono/html';
import type { ArticlePage } from '../lib/blog/blog.ts';
import { articleUrl } from './urls.ts';

/** Links to the articles before and after this one in time, as markup. */
export function neighbourLinks({ previous, next }: Pick<ArticlePage, 'previous' | 'next'>): string {
  const sides = [
    { label: '上一篇', rel: 'prev', article: previous, align: '' },
    { label: '下一篇', rel: 'next', article: next, align: ' sm:text-right sm:col-start-2' },
  ];
  return sides
    .map(
      ({ label, rel, article, align }) =>
        article &&
        html`<a
          href="${articleUrl(article.id)}"
          rel="${rel}"
          class="quiet-link min-w-0 leading-relaxed${align}"
          ><span class="block text-sm text-soft">${label}</span
          ><span class="line-clamp-2"><bdi>${article.title}</bdi></span></a
        >`,
    )
    .filter(Boolean)
    .join('');
}
