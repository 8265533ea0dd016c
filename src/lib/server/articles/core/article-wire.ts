import type { Article, ArticleListItem } from '../../../contract/entities.ts';
import { addressField } from '../../../shared/urls.ts';
import { toInstant } from '../../shared/ids.ts';
import { fromColumns } from './authored-queries.ts';
import type { ArticleHead, ArticleRow } from './article-queries.ts';

/** An article of a list; `summary` is the beginning of its plain text. */
export interface ListedArticle {
  id: string;
  item: ArticleListItem;
  summary: string;
}

export function toListed(row: ArticleRow): ListedArticle {
  const item = {
    ...toArticle(row),
    content: row.excerpt,
    ...(row.has_more === 1 ? { showMore: true } : {}),
    ...(row.page ? { page: row.page } : {}),
  };
  return { id: row.id, item, summary: row.summary };
}

/** Whether the author sees the moderation state. A held draft or secret article is not pending. */
const isWithheld = <T extends Pick<ArticleHead, 'moderation' | 'status' | 'wanted_secret'>>(
  row: T,
): row is T & { moderation: 'held' | 'hidden' } =>
  row.moderation === 'hidden' ||
  (row.moderation === 'held' && row.status === 'normal' && row.wanted_secret === 0);

export function toArticle(row: ArticleHead): Omit<Article, 'content'> {
  return {
    _id: row.id,
    ...fromColumns(row),
    ...addressField(row),
    ...(row.moderation === '' && row.is_page === 0 ? {} : { secret: row.wanted_secret === 1 }),
    ...(isWithheld(row) ? { moderation: row.moderation } : {}),
    create_user: row.username,
    ...(row.display_name === '' ? {} : { author_name: row.display_name }),
    create_time: toInstant(row.create_time),
    update_time: toInstant(row.update_time),
    status: row.status,
    type: row.type,
    ...(row.is_page === 1 ? { is_page: true } : {}),
  };
}
