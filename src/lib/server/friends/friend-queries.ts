import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import type { Queryable, Trx } from '../db/database.ts';
import { isChanged, isFound } from '../db/lists.ts';
import { literal } from '../db/prepared.ts';
import type { Schema } from '../db/schema/schema.ts';

type Table = Schema['friends'];
export type FriendRow = Selectable<Table>;
export type NewFriend = Insertable<Table>;

/** All friends in their order, and applications by their time. */
export const listFriends = (db: Queryable): Promise<FriendRow[]> =>
  db.selectFrom('friends').selectAll().orderBy('position').orderBy('create_time').orderBy('id').execute();

export async function insertFriends(trx: Trx, rows: readonly NewFriend[]): Promise<void> {
  if (rows.length === 0) return;
  const insert = trx.insertInto('friends').values([...rows]);
  await insert.onConflict((conflict) => conflict.doNothing()).execute();
}

/** Changes a friend that still has the given values; returns whether there is one. */
export const changeFriend = (
  trx: Trx,
  { id, ...known }: Pick<FriendRow, 'id'> & Partial<FriendRow>,
  changes: Updateable<Table>,
): Promise<boolean> =>
  isChanged(
    trx
      .updateTable('friends')
      .set(changes)
      .where('id', '=', id)
      .where((eb) => eb.and(known)),
  );

export async function deleteFriend(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('friends').where('id', '=', id).execute();
}

/** Deletes applications that were made before a time and refused. */
export async function deleteRefused(trx: Trx, before: number): Promise<void> {
  await trx.deleteFrom('friends').where('state', '=', 'refused').where('create_time', '<', before).execute();
}

/** Serialises changes: friends are counted and compared before they are written. */
export async function lockFriends(trx: Trx, isPostgres: boolean): Promise<void> {
  if (isPostgres) await sql`lock table friends in share row exclusive mode`.execute(trx);
}

export const listEntriesOf = (db: Queryable, friendId: string) =>
  db.selectFrom('friend_entries').selectAll().where('friend_id', '=', friendId).execute();

/** Entries of shown friends before a place, newest first. */
export const listEntries = (db: Queryable, before: { time: number; id: string }, limit: number) =>
  db
    .selectFrom('friend_entries as entries')
    .innerJoin('friends', 'friends.id', 'entries.friend_id')
    .select(['entries.id', 'entries.title', 'entries.url', 'publish_time'])
    .select(['friends.name as friend', 'friends.url as friend_url'])
    .where('friends.state', '=', 'shown')
    .where(sql<boolean>`(entries.publish_time, entries.id) < (${before.time}, ${before.id})`)
    .orderBy('publish_time', 'desc')
    .orderBy('entries.id', 'desc')
    .limit(literal(limit))
    .execute();

/** Replaces the entries of a friend. */
export async function putEntries(
  trx: Trx,
  friendId: string,
  rows: readonly Insertable<Schema['friend_entries']>[],
): Promise<void> {
  await trx.deleteFrom('friend_entries').where('friend_id', '=', friendId).execute();
  const insert = trx.insertInto('friend_entries').values([...rows]);
  if (rows.length > 0) await insert.execute();
}

export const deleteEntriesBefore = (trx: Trx, time: number): Promise<boolean> =>
  isChanged(trx.deleteFrom('friend_entries').where('publish_time', '<', time));

export const hasPicture = (db: Queryable, name: string): Promise<boolean> =>
  isFound(db.selectFrom('files').select('name').where('name', '=', name).where('kind', '=', 'image'));
