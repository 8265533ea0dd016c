import type { Trx } from '../db/database.ts';
import { asClean } from '../shared/clean-text.ts';
import { addresseesOf } from './addressees.ts';
import { insertComment } from './comment-queries.ts';
import { findForeignTarget } from './foreign-queries.ts';
import { findMentioned, writeMentions } from './mention-queries.ts';
import { insertWithheld } from './withheld-queries.ts';
import type { Uses } from '../services.ts';

export interface ForeignComment {
  /** 24 hex digits that no other comment has. */
  id: string;
  articleId: string;
  authorId: string;
  content: string;
  created: number;
  /** The user and the comment that it replies to, if this site has them. */
  reply: { userId: string; commentId: string | null } | null;
  isRead: boolean;
  /** Not shown yet on the other site, so it is pending here. */
  isHeld: boolean;
}

/** Imports comments of other sites without judging, quotas or notifications. */
export function createImportComment({ events, moderation, origins }: Uses<'moderation' | 'origins'>) {
  /**
   * Adds a comment inside `trx`, with the recipients that it would have if written here.
   * @returns false if its article is gone
   */
  return async function importComment(trx: Trx, foreign: ForeignComment): Promise<boolean> {
    const { id, articleId, authorId, content, created, reply, isRead } = foreign;
    const article = await findForeignTarget(trx, articleId);
    if (!article) return false;
    const mentioned = await findMentioned(trx, article, content);
    const comment = {
      id,
      article_id: articleId,
      author_id: authorId,
      content: asClean(content, 'operator'),
      reply_user_id: reply?.userId ?? null,
      reply_comment_id: reply?.commentId ?? null,
      create_time: created,
      request_id: null,
      edit_time: null,
      mentions: writeMentions(mentioned),
    };
    const addressees = addresseesOf(comment, article.author_id, mentioned);
    await origins.note(trx, 'comment', id, { id: authorId, origin: 'import' });
    if (foreign.isHeld) {
      const unread = addressees.map((userId) => [userId, 0] as const);
      await insertWithheld(trx, comment, unread);
      await moderation.hold(trx, 'comment', id, ['imported']);
      return true;
    }
    await insertComment(trx, comment, addressees, isRead);
    // Imported unread comments count for their readers from the next page on; no red dot appears now.
    events.emit(trx, { type: 'comments-changed', articleId, authorId, recipientIds: [] });
    return true;
  };
}
