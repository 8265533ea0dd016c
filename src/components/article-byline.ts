// @unocss-include: classes are found in templates otherwise
import type { ArticlePage } from '../lib/blog/blog.ts';
import { avatar } from './avatar.ts';
import { markup } from './markup.ts';
import { formatDay, timeTag } from './time.ts';
import { userUrl } from './urls.ts';

/** Who wrote an article and when, and when it was last revised if that was another day: markup. */
export function articleByline(article: ArticlePage, timeZone: string): string {
  const { author, authorAvatar, createTime, updateTime } = article;
  const isRevised =
    createTime !== updateTime && formatDay(createTime, timeZone) !== formatDay(updateTime, timeZone);
  return [
    avatar(author, authorAvatar, 36),
    '<div class="min-w-0 flex flex-wrap gap-x-3">',
    markup`<a href="${userUrl(author)}" class="quiet-link text-ink" rel="author"><bdi>${author}</bdi></a>`,
    `<span>${timeTag(createTime, timeZone)}</span>`,
    isRevised ? `<span>更新于 ${timeTag(updateTime, timeZone)}</span>` : '',
    '</div>',
  ].join('');
}
