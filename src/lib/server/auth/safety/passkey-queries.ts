import type { Queryable, Trx } from '../../db/database.ts';

export interface PasskeyRow {
  id: string;
  userId: string;
  name: string;
  /** COSE, base64url. */
  publicKey: string;
  signCount: number;
  transports: string;
  createTime: number;
  lastUsed: number;
}

const all = (db: Queryable) =>
  db
    .selectFrom('passkeys')
    .select([
      'id',
      'user_id as userId',
      'name',
      'public_key as publicKey',
      'sign_count as signCount',
      'transports',
      'create_time as createTime',
      'last_used as lastUsed',
    ]);

export async function findPasskey(db: Queryable, id: string): Promise<PasskeyRow | null> {
  return (await all(db).where('id', '=', id).executeTakeFirst()) ?? null;
}

export const listPasskeys = (db: Queryable, userId: string): Promise<PasskeyRow[]> =>
  all(db).where('user_id', '=', userId).orderBy('create_time').orderBy('id').execute();

/** Stores a passkey; returns false if the id exists. */
export async function insertPasskey(trx: Trx, row: PasskeyRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await trx
    .insertInto('passkeys')
    .values({
      id: row.id,
      user_id: row.userId,
      name: row.name,
      public_key: row.publicKey,
      sign_count: row.signCount,
      transports: row.transports,
      create_time: row.createTime,
      last_used: row.lastUsed,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

export async function touchPasskey(
  trx: Trx,
  id: string,
  { signCount, lastUsed }: Pick<PasskeyRow, 'signCount' | 'lastUsed'>,
): Promise<void> {
  await trx
    .updateTable('passkeys')
    .set({ sign_count: signCount, last_used: lastUsed })
    .where('id', '=', id)
    .execute();
}

export async function renamePasskey(trx: Trx, userId: string, id: string, name: string): Promise<boolean> {
  const result = await trx
    .updateTable('passkeys')
    .set({ name })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function deletePasskeys(trx: Trx, userId: string, id?: string): Promise<void> {
  const own = trx.deleteFrom('passkeys').where('user_id', '=', userId);
  await (id === undefined ? own : own.where('id', '=', id)).execute();
}
