import type { Queryable, Trx } from '../../db/database.ts';
import { countOf, firstOf, TOTAL } from '../../db/lists.ts';

export interface TotpRow {
  secret: string;
  lastStep: number;
}

export const findTotp = (db: Queryable, userId: string): Promise<TotpRow | null> =>
  firstOf(
    db.selectFrom('user_totps').select(['secret', 'last_step as lastStep']).where('user_id', '=', userId),
  );

export async function insertTotp(
  trx: Trx,
  userId: string,
  { secret, lastStep, instant }: TotpRow & { instant: number },
): Promise<void> {
  await trx
    .insertInto('user_totps')
    .values({ user_id: userId, secret, last_step: lastStep, create_time: instant })
    .execute();
}

/** Records that the code of `step` was used; returns false if it or a later one was used before. */
export async function takeStep(trx: Trx, userId: string, step: number): Promise<boolean> {
  const result = await trx
    .updateTable('user_totps')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('last_step', '<', step)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function deleteTotp(trx: Trx, userId: string): Promise<boolean> {
  await trx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  const result = await trx.deleteFrom('user_totps').where('user_id', '=', userId).executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export async function replaceCodes(trx: Trx, userId: string, hashes: readonly string[]): Promise<void> {
  await trx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  const rows = hashes.map((hash) => ({ user_id: userId, hash }));
  await trx.insertInto('recovery_codes').values(rows).execute();
}

export async function takeCode(trx: Trx, userId: string, hash: string): Promise<boolean> {
  const result = await trx
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('hash', '=', hash)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export const countCodes = (db: Queryable, userId: string): Promise<number> =>
  countOf(db.selectFrom('recovery_codes').select(TOTAL).where('user_id', '=', userId));
