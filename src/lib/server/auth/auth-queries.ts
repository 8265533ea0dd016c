import type { Insertable } from 'kysely';
import type { Queryable, Trx } from '../db/database.ts';
import { among, firstOf, isChanged, valuesOf } from '../db/lists.ts';
import { perform } from '../db/perform.ts';
import { prepare } from '../db/prepared.ts';
import type { Schema } from '../db/schema/schema.ts';
import { idsIn } from '../shared/ids.ts';

export type SigninRow = NonNullable<Awaited<ReturnType<typeof findSignin>>>;

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

export const findSignin = async (db: Queryable, id: string) => (await signinById(db, { id }))[0] ?? null;

export const insertSignin = (trx: Trx, row: Insertable<Schema['signins']>): Promise<void> =>
  perform(trx, trx.insertInto('signins').values(row));

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

export const listSignins = (
  db: Queryable,
  { userId, instant, limit }: { userId: string; instant: number; limit: number },
) =>
  db
    .selectFrom('signins')
    .select(['id', 'client', 'create_time as createTime', 'last_used as lastUsed'])
    .where('user_id', '=', userId)
    .where('expire_time', '>', instant)
    .orderBy('last_used', 'desc')
    .orderBy('create_time', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute();

export const deleteSignin = (trx: Trx, id: string): Promise<boolean> =>
  isChanged(trx.deleteFrom('signins').where('id', '=', id));

export async function listEnded(db: Queryable, ids: readonly string[]): Promise<string[]> {
  const current = await among(ids, (some) => db.selectFrom('signins').select('id').where('id', 'in', some));
  return [...new Set(ids).difference(new Set(idsIn(current)))];
}

export function deleteSigninsOf(trx: Trx, userId: string, which: { only?: string; except?: string } = {}) {
  let ended = trx.deleteFrom('signins').where('user_id', '=', userId);
  if (which.only !== undefined) ended = ended.where('id', '=', which.only);
  if (which.except !== undefined) ended = ended.where('id', '!=', which.except);
  return valuesOf(ended.returning('id'));
}

export const deleteExpiredSignins = (trx: Trx, instant: number, limit: number): Promise<string[]> =>
  valuesOf(
    trx
      .deleteFrom('signins')
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('signins')
          .select('id')
          .where('expire_time', '<=', instant)
          .orderBy('expire_time')
          .limit(limit),
      )
      .returning('id'),
  );

export const insertRefreshToken = (
  trx: Trx,
  row: Omit<Insertable<Schema['refresh_tokens']>, 'replaced_time' | 'successor'>,
): Promise<void> =>
  perform(trx, trx.insertInto('refresh_tokens').values({ ...row, replaced_time: null, successor: null }));

export const findRefreshToken = (db: Queryable, signinId: string, hash: string) =>
  firstOf(
    db
      .selectFrom('refresh_tokens')
      .select(['create_time as createTime', 'expire_time as expireTime'])
      .select(['replaced_time as replacedTime', 'successor'])
      .where('hash', '=', hash)
      .where('signin_id', '=', signinId),
  );

export async function replaceRefreshToken(trx: Trx, hash: string, successor: string, instant: number) {
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
