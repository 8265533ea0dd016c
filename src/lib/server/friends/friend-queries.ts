import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import type { Queryable, Trx } from '../db/database.ts';
import { countOf, firstOf, firstValue, isChanged, isFound, TOTAL } from '../db/lists.ts';
import { literal } from '../db/prepared.ts';
import type { Schema } from '../db/schema/schema.ts';

export type FriendRow = Selectable<Schema['friends']>;
export type NewFriend = Insertable<Schema['friends']>;
type State = FriendRow['state'];

/** States of a friend that staff has accepted. */
export const ACCEPTED: readonly State[] = ['shown', 'hidden'];

/** Friends in their order, applications by their time. */
export const listFriends = (db: Queryable, states?: readonly State[]): Promise<FriendRow[]> =>
  db
    .selectFrom('friends')
    .selectAll()
    .$if(states !== undefined, (rows) => rows.where('state', 'in', states ?? []))
    .orderBy('position')
    .orderBy('create_time')
    .orderBy('id')
    .execute();

export const findFriend = (db: Queryable, id: string): Promise<FriendRow | null> =>
  firstOf(db.selectFrom('friends').selectAll().where('id', '=', id));

export const listByHost = (db: Queryable, host: string) =>
  db.selectFrom('friends').select(['id', 'state']).where('host', '=', host).execute();

export const countFriends = (db: Queryable, states: readonly State[]): Promise<number> =>
  countOf(db.selectFrom('friends').select(TOTAL).where('state', 'in', states));

/** Returns a position after all friends. */
export const nextPosition = async (db: Queryable): Promise<number> =>
  ((await firstValue(db.selectFrom('friends').select(({ fn }) => fn.max('position').as('last')))) ?? 0) + 1;

export async function insertFriends(trx: Trx, rows: readonly NewFriend[]): Promise<void> {
  if (rows.length === 0) return;
  await trx
    .insertInto('friends')
    .values([...rows])
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function changeFriend(
  trx: Trx,
  id: string,
  changes: Updateable<Schema['friends']>,
): Promise<void> {
  await trx.updateTable('friends').set(changes).where('id', '=', id).execute();
}

export async function deleteFriend(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('friends').where('id', '=', id).execute();
}

/** Deletes applications that were refused before a time. */
export const deleteRefused = (trx: Trx, before: number): Promise<boolean> =>
  isChanged(trx.deleteFrom('friends').where('state', '=', 'refused').where('create_time', '<', before));

/** Serialises changes: applications are counted and compared before they are written. */
export async function lockFriends(trx: Trx, isPostgres: boolean): Promise<void> {
  if (isPostgres) await sql`lock table friends in share row exclusive mode`.execute(trx);
}

/** Returns the shown friend whose site, or whose feed, is due first. */
export const findDue = (db: Queryable, what: 'check_due' | 'feed_due', now: number) =>
  firstOf(
    db
      .selectFrom('friends')
      .selectAll()
      .where('state', '=', 'shown')
      .where(what, '<=', now)
      .$if(what === 'feed_due', (rows) => rows.where('feed', '!=', ''))
      .orderBy(what)
      .orderBy('id')
      .limit(1),
  );

export const listEntriesOf = (db: Queryable, friendId: string) =>
  db
    .selectFrom('friend_entries')
    .select(['id', 'title', 'publish_time'])
    .where('friend_id', '=', friendId)
    .execute();

/** Entries of shown friends before a place, newest first. */
export const listEntries = (db: Queryable, before: { time: number; id: string } | null, limit: number) =>
  db
    .selectFrom('friend_entries')
    .innerJoin('friends', 'friends.id', 'friend_entries.friend_id')
    .select(['friend_entries.id', 'friend_entries.title', 'friend_entries.url', 'publish_time'])
    .select(['friends.name', 'friends.url as friend_url'])
    .where('friends.state', '=', 'shown')
    .$if(before !== null, (rows) =>
      rows.where(
        sql<boolean>`(friend_entries.publish_time, friend_entries.id) < (${before?.time ?? 0}, ${before?.id ?? ''})`,
      ),
    )
    .orderBy('publish_time', 'desc')
    .orderBy('friend_entries.id', 'desc')
    .limit(literal(limit))
    .execute();

/** Replaces the entries of a friend. */
export async function putEntries(
  trx: Trx,
  friendId: string,
  rows: readonly Insertable<Schema['friend_entries']>[],
): Promise<void> {
  await trx.deleteFrom('friend_entries').where('friend_id', '=', friendId).execute();
  if (rows.length > 0)
    await trx
      .insertInto('friend_entries')
      .values([...rows])
      .execute();
}

export const hasEntries = (db: Queryable, friendId: string): Promise<boolean> =>
  isFound(db.selectFrom('friend_entries').select('id').where('friend_id', '=', friendId).limit(1));

export const deleteEntriesBefore = (trx: Trx, time: number): Promise<boolean> =>
  isChanged(trx.deleteFrom('friend_entries').where('publish_time', '<', time));

export const hasPicture = (db: Queryable, name: string): Promise<boolean> =>
  isFound(db.selectFrom('files').select('name').where('name', '=', name).where('kind', '=', 'image'));
