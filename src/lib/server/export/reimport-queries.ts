import type { Insertable } from 'kysely';
import type { Queryable, Trx } from '../db/database.ts';
import { addToTotal } from '../db/stored-counters.ts';
import type { CommentsTable, Flag, Schema, UsersTable } from '../db/schema/schema.ts';
import type { WithheldItemsTable } from '../db/schema/moderation-schema.ts';

/** Inserts an account with its original fields, and counts it unless it is closed. */
export async function insertFormerUser(trx: Trx, user: Insertable<UsersTable>): Promise<void> {
  await trx.insertInto('users').values(user).execute();
  if ((user.closed ?? '') === '') await addToTotal(trx, 'users', 1);
}

export async function isEmailTaken(db: Queryable, address: string): Promise<boolean> {
  const taken = db.selectFrom('user_emails').select('user_id');
  return (await taken.where('address_key', '=', address.toLowerCase()).executeTakeFirst()) !== undefined;
}

/** Stores the email address of a user, unless another account has taken it meanwhile. */
export async function insertEmail(
  trx: Trx,
  email: { user_id: string; address: string; create_time: number },
): Promise<void> {
  await trx
    .insertInto('user_emails')
    .values({ ...email, address_key: email.address.toLowerCase() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Stores a user's accounts at identity providers, except those that sign another account in. */
export async function insertIdentities(
  trx: Trx,
  rows: readonly Insertable<Schema['identities']>[],
): Promise<void> {
  if (rows.length === 0) return;
  await trx
    .insertInto('identities')
    .values([...rows])
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Sets the avatar of an open account that has none. */
export async function setFirstAvatar(trx: Trx, userId: string, avatar: string): Promise<void> {
  await trx
    .updateTable('users')
    .set({ avatar })
    .where('id', '=', userId)
    .where('avatar', '=', '')
    .where('closed', '=', '')
    .execute();
}

export async function knownIds(
  db: Queryable,
  table: 'tags' | 'series' | 'comments' | 'withheld_comments',
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom(table)
    .select('id')
    .where('id', 'in', [...ids])
    .execute();
  return new Set(rows.map(({ id }) => id));
}

export async function knownComments(db: Queryable, ids: readonly string[]): Promise<Set<string>> {
  const known = new Set<string>();
  for (const table of ['comments', 'withheld_comments'] as const)
    for (const id of await knownIds(db, table, ids)) known.add(id);
  return known;
}

export async function isRequestKnown(trx: Trx, authorId: string, requestId: string): Promise<boolean> {
  for (const table of ['comments', 'withheld_comments'] as const) {
    const row = await trx
      .selectFrom(table)
      .select('id')
      .where('author_id', '=', authorId)
      .where('request_id', '=', requestId)
      .executeTakeFirst();
    if (row) return true;
  }
  return false;
}

export type Marks = readonly (readonly [userId: string, isRead: Flag])[];

export async function insertFormerComment(
  trx: Trx,
  comment: Insertable<CommentsTable>,
  marks: Marks,
): Promise<void> {
  await trx.insertInto('comments').values(comment).execute();
  if (marks.length === 0) return;
  const { id: comment_id, create_time } = comment;
  await trx
    .insertInto('comment_recipients')
    .values(marks.map(([user_id, is_read]) => ({ user_id, is_read, comment_id, create_time })))
    .execute();
}

export async function insertFormerWithheld(
  trx: Trx,
  comment: Insertable<CommentsTable>,
  marks: Marks,
  item: Omit<WithheldItemsTable, 'kind' | 'id'>,
): Promise<void> {
  const recipients = JSON.stringify(marks);
  await trx
    .insertInto('withheld_comments')
    .values({ ...comment, recipients })
    .execute();
  await trx
    .insertInto('withheld_items')
    .values({ kind: 'comment', id: comment.id, ...item })
    .onConflict((conflict) => conflict.columns(['kind', 'id']).doNothing())
    .execute();
}
