import type { Insertable } from 'kysely';
import type { Queryable, Trx } from '../db/database.ts';
import { perform } from '../db/perform.ts';
import { prepare } from '../db/prepared.ts';
import type { Role } from '../../contract/rules/permissions.ts';
import type { Schema } from '../db/schema/schema.ts';

export interface SigninRow {
  id: string;
  userId: string;
  username: string;
  role: Role;
  createTime: number;
  bannedUntil: number | null;
  banReason: string;
  expireTime: number;
  lastUsed: number;
}

const signinById = prepare((db, { id }: { id: string }) =>
  db
    .selectFrom('signins')
    .innerJoin('users', 'users.id', 'signins.user_id')
    .select([
      'signins.id',
      'signins.user_id as userId',
      'users.username',
      'users.role',
      'signins.create_time as createTime',
      'users.banned_until as bannedUntil',
      'users.ban_reason as banReason',
      'signins.expire_time as expireTime',
      'signins.last_used as lastUsed',
    ])
    .where('signins.id', '=', id),
);

export const findSignin = async (db: Queryable, id: string): Promise<SigninRow | null> =>
  (await signinById(db, { id }))[0] ?? null;

export async function insertSignin(trx: Trx, row: Insertable<Schema['signins']>): Promise<void> {
  await perform(trx, trx.insertInto('signins').values(row));
}

export async function extendSignin(
  trx: Trx,
  id: string,
  { expireTime, lastUsed }: Pick<SigninRow, 'expireTime' | 'lastUsed'>,
): Promise<void> {
  await trx
    .updateTable('signins')
    .set({ expire_time: expireTime, last_used: lastUsed })
    .where('id', '=', id)
    .execute();
}

export interface DeviceRow extends Pick<SigninRow, 'id' | 'createTime' | 'lastUsed'> {
  client: string;
}

export async function listSignins(
  db: Queryable,
  { userId, instant, limit }: { userId: string; instant: number; limit: number },
): Promise<DeviceRow[]> {
  return db
    .selectFrom('signins')
    .select(['id', 'client', 'create_time as createTime', 'last_used as lastUsed'])
    .where('user_id', '=', userId)
    .where('expire_time', '>', instant)
    .orderBy('last_used', 'desc')
    .orderBy('create_time', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute();
}

export async function deleteSignin(trx: Trx, id: string): Promise<boolean> {
  const result = await trx.deleteFrom('signins').where('id', '=', id).executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export async function listEnded(db: Queryable, ids: readonly string[]): Promise<string[]> {
  const rows = await db.selectFrom('signins').select('id').where('id', 'in', ids).execute();
  return [...new Set(ids).difference(new Set(rows.map((row) => row.id)))];
}

export async function deleteSigninsOf(
  trx: Trx,
  userId: string,
  which: { only?: string; except?: string } = {},
): Promise<string[]> {
  let ended = trx.deleteFrom('signins').where('user_id', '=', userId);
  if (which.only !== undefined) ended = ended.where('id', '=', which.only);
  if (which.except !== undefined) ended = ended.where('id', '!=', which.except);
  return (await ended.returning('id').execute()).map(({ id }) => id);
}

export async function deleteExpiredSignins(trx: Trx, instant: number, limit: number): Promise<string[]> {
  const rows = await trx
    .deleteFrom('signins')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('signins')
        .select('id')
        .where('expire_time', '<=', instant)
        .orderBy('expire_time')
        .limit(limit),
    )
    .returning('id')
    .execute();
  return rows.map((row) => row.id);
}

export async function insertRefreshToken(
  trx: Trx,
  row: Omit<Insertable<Schema['refresh_tokens']>, 'replaced_time' | 'successor'>,
): Promise<void> {
  await perform(
    trx,
    trx.insertInto('refresh_tokens').values({ ...row, replaced_time: null, successor: null }),
  );
}

export interface RefreshTokenRow {
  createTime: number;
  expireTime: number;
  replacedTime: number | null;
  successor: string | null;
}

export async function findRefreshToken(
  db: Queryable,
  signinId: string,
  hash: string,
): Promise<RefreshTokenRow | null> {
  const row = await db
    .selectFrom('refresh_tokens')
    .select([
      'create_time as createTime',
      'expire_time as expireTime',
      'replaced_time as replacedTime',
      'successor',
    ])
    .where('hash', '=', hash)
    .where('signin_id', '=', signinId)
    .executeTakeFirst();
  return row ?? null;
}

export async function replaceRefreshToken(
  trx: Trx,
  hash: string,
  successor: string,
  instant: number,
): Promise<void> {
  await trx
    .updateTable('refresh_tokens')
    .set({ replaced_time: instant, successor })
    .where('hash', '=', hash)
    .execute();
}

export async function deleteReplacedTokens(trx: Trx, signinId: string, instant: number): Promise<void> {
  await trx
    .deleteFrom('refresh_tokens')
    .where('signin_id', '=', signinId)
    .where('replaced_time', '<', instant)
    .execute();
}
