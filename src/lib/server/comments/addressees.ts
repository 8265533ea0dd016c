import type { Selectable } from 'kysely';
import type { ArticlesTable, CommentsTable, Flag } from '../db/schema/schema.ts';
import type { NoticeEvent } from '../notices/notice-service.ts';
import type { Mention } from './mention-queries.ts';

/** `is_shown`: whether everybody sees the article. */
type Commented = Pick<ArticlesTable, 'author_id'> & { is_shown: Flag };
type Change = Extract<NoticeEvent, { kind: 'comment' }>['event'];

/** Users among `ids` who may see the article; for others the comment does not count. */
export const seeing = (article: Commented, ids: readonly string[]): string[] =>
  ids.filter((id) => article.is_shown === 1 || id === article.author_id);

/** Users whom a comment concerns: the article's author, the user it replies to, and users it mentions. */
export function addresseesOf(
  comment: Selectable<CommentsTable>,
  ownerId: string,
  mentioned: readonly Mention[],
): string[] {
  const ids = new Set([ownerId, comment.reply_user_id ?? ownerId, ...mentioned.map(([id]) => id)]);
  ids.delete(comment.author_id);
  return [...ids];
}

export function addressed(
  article: Commented,
  { id, article_id, reply_user_id }: Pick<CommentsTable, 'id' | 'article_id' | 'reply_user_id'>,
  addresseeIds: readonly string[],
  event?: Change,
): NoticeEvent {
  const asOf = (userId: string) => {
    if (userId === reply_user_id) return 'reply';
    return userId === article.author_id ? 'comment' : 'mention';
  };
  const addressees = seeing(article, addresseeIds).map((userId) => ({ userId, as: asOf(userId) }) as const);
  const change = article.is_shown === 1 ? event : undefined;
  const about = { commentId: id, articleId: article_id, authorId: article.author_id };
  return { kind: 'comment', ...about, addressees, event: change };
}
