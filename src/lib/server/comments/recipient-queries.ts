import { sql } from 'kysely';
import { visibleTo, type Reader } from '../db/visibility.ts';
import type { Queryable, Trx } from '../db/database.ts';
import { countOf, TOTAL } from '../db/lists.ts';
import { literal } from '../db/prepared.ts';
import type { Flag } from '../db/schema/schema.ts';
import { selectComments, type CommentRow } from './comment-queries.ts';

// A literal, so the partial index is used (see article-queries.ts).
const UNREAD = sql.lit<Flag>(0);

export async function listReceived(
  db: Queryable,
  viewer: Reader,
  page: { offset: number; limit: number },
): Promise<CommentRow[]> {
  return selectComments(db, viewer)
    .innerJoin('comment_recipients', 'comment_recipients.comment_id', 'comments.id')
    .where('comment_recipients.user_id', '=', viewer.id)
    .orderBy('comment_recipients.create_time', 'desc')
    .orderBy('comment_recipients.comment_id', 'desc')
    .offset(literal(page.offset))
    .limit(literal(page.limit))
    .execute();
}

export function countReceived(db: Queryable, viewer: Reader, isUnread = false): Promise<number> {
  let query = db
    .selectFrom('comment_recipients')
    .innerJoin('comments', 'comments.id', 'comment_recipients.comment_id')
    .innerJoin('articles', 'articles.id', 'comments.article_id')
    .select(TOTAL)
    .where('comment_recipients.user_id', '=', viewer.id)
    .where(visibleTo(viewer));
  if (isUnread) query = query.where('comment_recipients.is_read', '=', UNREAD);
  return countOf(query);
}

/** Read marks of the comments `ids`: comment id → user id → whether that user has read it. */
export async function readMarks(
  db: Queryable,
  ids: readonly string[],
): Promise<Map<string, Map<string, boolean>>> {
  const marks = new Map<string, Map<string, boolean>>();
  if (ids.length === 0) return marks;
  const rows = await db
    .selectFrom('comment_recipients')
    .select(['comment_id', 'user_id', 'is_read'])
    .where('comment_id', 'in', [...ids])
    .execute();
  for (const row of rows) {
    const ofComment = marks.get(row.comment_id) ?? new Map<string, boolean>();
    marks.set(row.comment_id, ofComment.set(row.user_id, row.is_read === 1));
  }
  return marks;
}

/** Unread marks of recipients who may see the article: only these count. */
const selectCounted = (db: Queryable) =>
  db
    .selectFrom('comment_recipients')
    .innerJoin('comments', 'comments.id', 'comment_recipients.comment_id')
    .innerJoin('articles', 'articles.id', 'comments.article_id')
    .where('comment_recipients.is_read', '=', UNREAD)
    .where(visibleTo({ id: sql.ref('comment_recipients.user_id') }));

export async function listUnreadRecipients(db: Queryable, commentId: string): Promise<string[]> {
  const rows = await selectCounted(db)
    .select('comment_recipients.user_id')
    .where('comments.id', '=', commentId)
    .execute();
  return rows.map((row) => row.user_id);
}

/** Unread comments of each of `ids`; users without any are missing. */
export async function countUnreadOf(db: Queryable, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await selectCounted(db)
    .select(['comment_recipients.user_id', TOTAL])
    .where('comment_recipients.user_id', 'in', [...ids])
    .groupBy('comment_recipients.user_id')
    .execute();
  return new Map(rows.map(({ user_id, total }) => [user_id, total]));
}

export const countUnreadAmong = (db: Queryable, ids: readonly string[], userId: string): Promise<number> =>
  countOf(
    selectCounted(db)
      .select(TOTAL)
      .where('comment_recipients.user_id', '=', userId)
      .where('comments.id', 'in', [...ids]),
  );

export async function listUnreadUnder(db: Queryable, articleId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('comments')
    .innerJoin('comment_recipients', 'comment_recipients.comment_id', 'comments.id')
    .select('comment_recipients.user_id')
    .distinct()
    .where('comments.article_id', '=', articleId)
    .where('comment_recipients.is_read', '=', UNREAD)
    .execute();
  return rows.map((row) => row.user_id);
}

export async function markRead(trx: Trx, ids: readonly string[], userId: string): Promise<void> {
  await trx
    .updateTable('comment_recipients')
    .set({ is_read: 1 })
    .where('user_id', '=', userId)
    .where('comment_id', 'in', [...ids])
    .where('is_read', '=', UNREAD)
    .execute();
}
