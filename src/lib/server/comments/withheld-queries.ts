import type { Queryable, Trx } from '../db/database.ts';
import { literal } from '../db/prepared.ts';
import type { CommentsTable, Flag } from '../db/schema.ts';
import { visibleTo, type Reader } from '../db/visibility.ts';
import { selectNamed, type CommentRow } from './comment-queries.ts';

/** Whom a withheld comment is addressed to, and whether they have read it. */
export type Addressed = readonly (readonly [userId: string, isRead: Flag])[];

/** Adds a comment that readers do not see. */
export async function insertWithheld(trx: Trx, comment: CommentsTable, addressed: Addressed): Promise<void> {
  await trx
    .insertInto('withheld_comments')
    .values({ ...comment, recipients: JSON.stringify(addressed) })
    .execute();
}

/** Takes a comment from what readers see, with its read marks; false where it is not there. */
export async function takeAway(trx: Trx, id: string): Promise<boolean> {
  const comment = await trx.selectFrom('comments').selectAll().where('id', '=', id).executeTakeFirst();
  if (!comment) return false;
  const marks = await trx
    .selectFrom('comment_recipients')
    .select(['user_id', 'is_read'])
    .where('comment_id', '=', id)
    .execute();
  await insertWithheld(
    trx,
    comment,
    marks.map(({ user_id, is_read }) => [user_id, is_read]),
  );
  await trx.deleteFrom('comments').where('id', '=', id).execute();
  return true;
}

/** Gives a comment back to readers, where it was; returns its addressees, null if it is not there. */
export async function giveBack(trx: Trx, id: string): Promise<string[] | null> {
  const row = await trx.selectFrom('withheld_comments').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) return null;
  const { recipients, ...comment } = row;
  await trx.insertInto('comments').values(comment).execute();
  const addressed = JSON.parse(recipients) as Addressed;
  if (addressed.length > 0)
    await trx
      .insertInto('comment_recipients')
      .values(
        addressed.map(([user_id, is_read]) => ({
          user_id,
          comment_id: id,
          create_time: comment.create_time,
          is_read,
        })),
      )
      .execute();
  await deleteWithheldComment(trx, id);
  return addressed.map(([userId]) => userId);
}

export async function deleteWithheldComment(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('withheld_comments').where('id', '=', id).execute();
}

/** Changes what a withheld comment says; whoever is mentioned now is told when it is approved. */
export async function updateWithheld(
  trx: Trx,
  id: string,
  changes: Pick<CommentsTable, 'content' | 'edit_time' | 'mentions'>,
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

/** Comments, shown and withheld, whoever may see them, for staff: by id. */
export async function listAny(db: Queryable, ids: readonly string[]): Promise<Map<string, CommentRow>> {
  if (ids.length === 0) return new Map();
  const found = new Map<string, CommentRow>();
  for (const table of ['comments', 'withheld_comments'] as const) {
    const rows = await selectNamed(db, table)
      .where('comments.id', 'in', [...ids])
      .execute();
    for (const row of rows) found.set(row.id, row);
  }
  return found;
}

/** Of one author: nobody writes more while they wait. */
const MOST_WITHHELD = 500;

/** The viewer's comments that readers do not see (moderation/), under articles that the viewer may see. */
export const selectWithheld = (db: Queryable, viewer: Reader) =>
  selectNamed(db, 'withheld_comments').where('comments.author_id', '=', viewer.id).where(visibleTo(viewer));

/** The viewer's comments that readers do not see, newest first; of one article where one is named. */
export async function listWithheld(
  db: Queryable,
  viewer: Reader,
  articleId: string | null,
): Promise<CommentRow[]> {
  let query = selectWithheld(db, viewer);
  if (articleId !== null) query = query.where('comments.article_id', '=', articleId);
  return query
    .orderBy('comments.create_time', 'desc')
    .orderBy('comments.id', 'desc')
    .limit(literal(MOST_WITHHELD))
    .execute();
}

/** One of the viewer's comments that readers do not see, or null. */
export async function findWithheldComment(
  db: Queryable,
  id: string,
  viewer: Reader,
): Promise<CommentRow | null> {
  return (await selectWithheld(db, viewer).where('comments.id', '=', id).executeTakeFirst()) ?? null;
}

/** A comment that readers see, whoever asks, and whether everybody may; null where there is none. */
export async function findAnywhere(db: Queryable, id: string) {
  const row = await selectNamed(db, 'comments')
    .select('articles.is_public')
    .where('comments.id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}
