import { sql } from 'kysely';
import type { Reader } from '../db/visibility.ts';
import type { Queryable, Trx } from '../db/database.ts';
import { TOTAL, among, countOf, valuesOf } from '../db/lists.ts';
import { literal } from '../db/prepared.ts';
import type { Flag } from '../db/schema/schema.ts';
import { selectComments } from './comment-queries.ts';
import { countVisible, RECEIVED, selectInvisible } from './invisible-queries.ts';

// A literal, so the partial index is used (see article-queries.ts).
const UNREAD = sql.lit<Flag>(0);

export async function listReceived(db: Queryable, viewer: Reader, page: { offset: number; limit: number }) {
  return selectComments(db, viewer)
    .innerJoin('comment_recipients', 'comment_recipients.comment_id', 'comments.id')
    .where('comment_recipients.user_id', '=', viewer.id)
    .orderBy('comment_recipients.create_time', 'desc')
    .orderBy('comment_recipients.comment_id', 'desc')
    .offset(literal(page.offset))
    .limit(literal(page.limit))
    .execute();
}

export const countReceived = (db: Queryable, viewer: Reader): Promise<number> =>
  countVisible(
    db,
    db.selectFrom('comment_recipients').select(TOTAL).where('user_id', '=', viewer.id),
    selectInvisible(db, viewer, RECEIVED),
  );

/** Read marks of the comments `ids`: comment id → user id → whether that user has read it. */
export async function readMarks(db: Queryable, ids: readonly string[]) {
  const marks = new Map<string, Map<string, boolean>>();
  const recipients = db.selectFrom('comment_recipients').select(['comment_id', 'user_id', 'is_read']);
  const rows = await among(ids, (some) => recipients.where('comment_id', 'in', some));
  for (const row of rows) {
    const ofComment = marks.get(row.comment_id) ?? new Map<string, boolean>();
    marks.set(row.comment_id, ofComment.set(row.user_id, row.is_read === 1));
  }
  return marks;
}

/** Unread marks of recipients who may see the article: only these count. */
const selectUnread = (db: Queryable) =>
  db
    .selectFrom('comment_recipients')
    .where('is_read', '=', UNREAD)
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('invisible_comments')
            .select('invisible_comments.user_id')
            .whereRef('invisible_comments.comment_id', '=', 'comment_recipients.comment_id')
            .whereRef('invisible_comments.user_id', '=', 'comment_recipients.user_id'),
        ),
      ),
    );

export const listUnreadRecipients = (db: Queryable, commentId: string): Promise<string[]> =>
  valuesOf(selectUnread(db).select('user_id').where('comment_id', '=', commentId));

export const countUnread = (db: Queryable, viewer: Reader): Promise<number> =>
  countOf(selectUnread(db).select(TOTAL).where('user_id', '=', viewer.id));

/** Unread comments of each of `ids`; users without any are missing. */
export async function countUnreadOf(db: Queryable, ids: readonly string[]): Promise<Map<string, number>> {
  const counts = selectUnread(db).select(['user_id', TOTAL]).groupBy('user_id');
  const rows = await among(ids, (some) => counts.where('user_id', 'in', some));
  return new Map(rows.map(({ user_id, total }) => [user_id, total]));
}

export const countUnreadAmong = (db: Queryable, ids: readonly string[], userId: string): Promise<number> =>
  countOf(selectUnread(db).select(TOTAL).where('user_id', '=', userId).where('comment_id', 'in', ids));

export const listUnreadUnder = (db: Queryable, articleId: string): Promise<string[]> =>
  valuesOf(
    db
      .selectFrom('comments')
      .innerJoin('comment_recipients', 'comment_recipients.comment_id', 'comments.id')
      .select('comment_recipients.user_id')
      .distinct()
      .where('comments.article_id', '=', articleId)
      .where('comment_recipients.is_read', '=', UNREAD),
  );

export async function markRead(trx: Trx, ids: readonly string[], userId: string): Promise<void> {
  await trx
    .updateTable('comment_recipients')
    .set({ is_read: 1 })
    .where('user_id', '=', userId)
    .where('comment_id', 'in', ids)
    .where('is_read', '=', UNREAD)
    .execute();
}
