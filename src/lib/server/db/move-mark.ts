import type { Queryable, Trx } from './database.ts';

/** Where the rows of an unfinished move come from, or null; until it is done the database serves nobody. */
export async function unfinishedMove(db: Queryable): Promise<string | null> {
  const row = await db.selectFrom('moves').select('source').executeTakeFirst();
  return row?.source ?? null;
}

/** Notes that rows begin to come from `source`. */
export async function markMove(trx: Trx, source: string): Promise<void> {
  await trx.insertInto('moves').values({ source }).execute();
}

/** Notes that all rows are there. */
export async function unmarkMove(trx: Trx): Promise<void> {
  await trx.deleteFrom('moves').execute();
}
