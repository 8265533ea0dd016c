import type { Insertable } from 'kysely';
import type { Queryable, Trx } from '../db/database.ts';
import { among, firstOf } from '../db/lists.ts';
import { literal } from '../db/prepared.ts';
import type { CommentsTable, Flag } from '../db/schema/schema.ts';
import { isShownFlag, visibleTo, type Reader } from '../db/visibility.ts';
import { asClean } from '../shared/clean-text.ts';
import { selectNamed, type CommentRow } from './comment-queries.ts';

export type Addressed = readonly (readonly [userId: string, isRead: Flag])[];

export async function insertWithheld(trx: Trx, comment: Insertable<CommentsTable>, addressed: Addressed) {
  await trx
    .insertInto('withheld_comments')
    .values({ ...comment, recipients: JSON.stringify(addressed) })
    .execute();
}

/** Inserts a comment that readers see, with its read marks. */
export async function insertVisible(trx: Trx, comment: Insertable<CommentsTable>, addressed: Addressed) {
  await trx.insertInto('comments').values(comment).execute();
  if (addressed.length === 0) return;
  const { id: comment_id, create_time } = comment;
  await trx
    .insertInto('comment_recipients')
    .values(addressed.map(([user_id, is_read]) => ({ user_id, is_read, comment_id, create_time })))
    .execute();
}

const copyOf = <T extends { content: string }>(row: T) => ({
  ...row,
  content: asClean(row.content, 'stored'),
});

/** Hides a visible comment and its read marks from readers. */
export async function hideComment(trx: Trx, id: string): Promise<void> {
  const comment = await trx.selectFrom('comments').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const marks = await trx
    .selectFrom('comment_recipients')
    .select(['user_id', 'is_read'])
    .where('comment_id', '=', id)
    .execute();
  await insertWithheld(
    trx,
    copyOf(comment),
    marks.map(({ user_id, is_read }) => [user_id, is_read]),
  );
  await trx.deleteFrom('comments').where('id', '=', id).execute();
}

/** Shows a comment again; returns its recipients, or null if it is not withheld. */
export async function unhideComment(trx: Trx, id: string): Promise<string[] | null> {
  const row = await trx.selectFrom('withheld_comments').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) return null;
  const { recipients, ...comment } = row;
  const addressed = JSON.parse(recipients) as Addressed;
  await insertVisible(trx, copyOf(comment), addressed);
  await deleteWithheldComment(trx, id);
  return addressed.map(([userId]) => userId);
}

export async function deleteWithheldComment(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('withheld_comments').where('id', '=', id).execute();
}

/** Changes a comment that readers do not see; newly mentioned users are notified when it is approved. */
export async function updateWithheld(
  trx: Trx,
  id: string,
  changes: Pick<Insertable<CommentsTable>, 'content' | 'edit_time' | 'mentions'>,
  mentioned: readonly string[],
): Promise<void> {
  const former = await trx
    .selectFrom('withheld_comments')
    .select('recipients')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const addressed = JSON.parse(former.recipients) as Addressed;
  const known = new Set(addressed.map(([userId]) => userId));
  const added = mentioned.filter((userId) => !known.has(userId)).map((userId) => [userId, 0] as const);
  await trx
    .updateTable('withheld_comments')
    .set({ ...changes, recipients: JSON.stringify([...addressed, ...added]) })
    .where('id', '=', id)
    .execute();
}

export async function listAny(db: Queryable, ids: readonly string[]): Promise<Map<string, CommentRow>> {
  const found = new Map<string, CommentRow>();
  for (const table of ['comments', 'withheld_comments'] as const) {
    const rows = await among(ids, (some) => selectNamed(db, table).where('comments.id', 'in', some));
    for (const row of rows) found.set(row.id, row);
  }
  return found;
}

/** Maximum per author: authors do not write more while these are pending. */
const MAX_WITHHELD = 500;

const selectWithheld = (db: Queryable, viewer: Reader) =>
  selectNamed(db, 'withheld_comments').where('comments.author_id', '=', viewer.id).where(visibleTo(viewer));

export async function listWithheld(db: Queryable, viewer: Reader, articleId: string | null) {
  let query = selectWithheld(db, viewer);
  if (articleId !== null) query = query.where('comments.article_id', '=', articleId);
  return query
    .orderBy('comments.create_time', 'desc')
    .orderBy('comments.id', 'desc')
    .limit(literal(MAX_WITHHELD))
    .execute();
}

export const findWithheldComment = (db: Queryable, id: string, viewer: Reader): Promise<CommentRow | null> =>
  firstOf(selectWithheld(db, viewer).where('comments.id', '=', id));

export const findAnywhere = (db: Queryable, id: string) =>
  firstOf(selectNamed(db, 'comments').select(isShownFlag).where('comments.id', '=', id));
