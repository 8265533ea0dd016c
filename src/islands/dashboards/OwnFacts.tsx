import type { ArticleListItem } from '../../lib/contract/entities.ts';
import { placeQuery } from '../ui/paged/place.ts';
import { QueryLink } from '../ui/paged/QueryLink.tsx';
import type { OwnPlace } from './articles/own-place.ts';

interface Props {
  article: ArticleListItem;
  place: OwnPlace;
  className?: string;
}

/** Facts that only the author sees, and tags that filter the list. */
export function OwnFacts({ article, place, className = '' }: Props) {
  const { read_num, comment_num, changed, pinned, tags } = article;
  const facts = [
    ...(read_num === undefined || article.status === 'draft' ? [] : [`${read_num} 次阅读`]),
    ...(comment_num ? [`${comment_num} 条评论`] : []),
    ...(pinned ? ['置顶'] : []),
    ...(changed ? ['有未发布的修改'] : []),
  ];
  if (facts.length === 0 && tags.length === 0) return null;
  return (
    <p className={`meta col-span-full flex flex-wrap items-center gap-x-3 ${className}`}>
      {facts.length > 0 && <span className="tabular-nums">{facts.join(' · ')}</span>}
      {tags.map((tag) => (
        <QueryLink
          key={tag}
          query={placeQuery({ ...place, page: 1, tag })}
          aria-label={`只看标签「${tag}」`}
          className="quiet-link inline-flex items-center min-h-8 min-w-0 [overflow-wrap:anywhere]"
        >
          #<bdi>{tag}</bdi>
        </QueryLink>
      ))}
    </p>
  );
}
