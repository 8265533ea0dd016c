import type { Insertable } from 'kysely';
import type { Queryable, Trx } from '../../db/database.ts';
import { TOTAL, countChanged, countOf, firstOf } from '../../db/lists.ts';
import { prepare } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema/schema.ts';

/** A token with its owner, as a request needs them. */
export type BearerRow = NonNullable<Awaited<ReturnType<typeof findBearer>>>;

const bearerByHash = prepare((db, { hash }: { hash: string }) =>
  db
    .selectFrom('access_tokens as t')
    .innerJoin('users', 'users.id', 't.user_id')
    .select([
      't.id',
      't.scopes',
      't.expire_time as expireTime',
      't.last_used as lastUsed',
      't.last_address as lastAddress',
      't.user_id as userId',
      'users.username',
      'users.role',
      'users.banned_until as bannedUntil',
    ])
    .where('t.hash', '=', hash),
);

export const findBearer = async (db: Queryable, hash: string) =>
  (await bearerByHash(db, { hash }))[0] ?? null;

const owned = (db: Queryable) =>
  db
    .selectFrom('access_tokens as t')
    .innerJoin('users', 'users.id', 't.user_id')
    .select([
      't.id',
      't.name',
      't.scopes',
      't.create_time as createTime',
      't.expire_time as expireTime',
      't.last_used as lastUsed',
      't.last_address as lastAddress',
      't.user_id as userId',
      'users.username',
    ]);

/** `scopes` is a JSON list. */
export type AccessTokenRow = Awaited<ReturnType<typeof listTokens>>[number];

/** Tokens of a user, or of everyone, newest first. */
export function listTokens(db: Queryable, userId?: string) {
  const all = owned(db).orderBy('t.create_time', 'desc').orderBy('t.id');
  return (userId === undefined ? all : all.where('t.user_id', '=', userId)).execute();
}

export const findToken = (db: Queryable, id: string) => firstOf(owned(db).where('t.id', '=', id));

export const countTokens = (db: Queryable, userId: string): Promise<number> =>
  countOf(db.selectFrom('access_tokens').select(TOTAL).where('user_id', '=', userId));

export async function insertToken(trx: Trx, row: Insertable<Schema['access_tokens']>): Promise<void> {
  await trx.insertInto('access_tokens').values(row).execute();
}

export async function touchToken(
  trx: Trx,
  id: string,
  { instant, address }: { instant: number; address: string },
): Promise<void> {
  await trx
    .updateTable('access_tokens')
    .set({ last_used: instant, last_address: address })
    .where('id', '=', id)
    .execute();
}

/** Deletes one token of a user, or all; returns how many there were. */
export function deleteTokens(trx: Trx, userId: string, id?: string): Promise<number> {
  const all = trx.deleteFrom('access_tokens').where('user_id', '=', userId);
  return countChanged(id === undefined ? all : all.where('id', '=', id));
}

export async function deleteTokensBefore(trx: Trx, instant: number): Promise<void> {
  await trx.deleteFrom('access_tokens').where('expire_time', '<=', instant).execute();
}
