import type { ArticlesTable, CommentsTable } from '../db/schema.ts';
import type { NoticeEvent } from '../notices/notice-service.ts';

type Commented = Pick<ArticlesTable, 'author_id' | 'is_public'>;

/** Of the users, those who may see the article: to others the comment is not counted. */
export const seeing = (article: Commented, ids: readonly string[]): string[] =>
  ids.filter((id) => article.is_public === 1 || id === article.author_id);

/**
 * What is told outside of the site of a comment that its readers may see from now on: each addressee why it
 * is addressed to them.
 */
export function addressed(
  article: Commented,
  { id, reply_user_id }: Pick<CommentsTable, 'id' | 'reply_user_id'>,
  addresseeIds: readonly string[],
): NoticeEvent {
  const asOf = (userId: string) => {
    if (userId === reply_user_id) return 'reply';
    return userId === article.author_id ? 'comment' : 'mention';
  };
  const addressees = seeing(article, addresseeIds).map((userId) => ({ userId, as: asOf(userId) }) as const);
  return { kind: 'comment', commentId: id, addressees };
}
