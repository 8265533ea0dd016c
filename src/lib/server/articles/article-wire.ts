import type { Article, ArticleListItem } from '../../contract/entities.ts';
import { toInstant } from '../ids.ts';
import type { ArticleHead, ArticleRow } from './article-queries.ts';

/** A row of a list as the wire carries it. */
export function toListItem(row: ArticleRow): ArticleListItem {
  return { ...toArticle(row), content: row.excerpt, ...(row.has_more === 1 ? { showMore: true } : {}) };
}

/** What every form of an article has in common: all but its content. */
export function toArticle(row: ArticleHead): Omit<Article, 'content'> {
  return {
    _id: row.id,
    title: row.title,
    tags: JSON.parse(row.tags) as string[],
    create_user: row.username,
    create_time: toInstant(row.create_time),
    update_time: toInstant(row.update_time),
    status: row.status,
    secret: row.secret === 1,
    type: row.type,
  };
}
