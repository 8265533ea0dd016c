import type { Queryable, Trx } from '../db/database.ts';
import type { ImportsTable } from '../db/schema.ts';

export type ImportRow = Pick<ImportsTable, 'source' | 'article_id' | 'digest'>;

/** Everything the user's imports have taken. */
export async function listImports(db: Queryable, ownerId: string): Promise<ImportRow[]> {
  return db
    .selectFrom('imports')
    .select(['source', 'article_id', 'digest'])
    .where('owner_id', '=', ownerId)
    .orderBy('source')
    .execute();
}

/** Adds what is not there yet. */
export async function insertImports(trx: Trx, rows: readonly ImportsTable[]): Promise<void> {
  for (const row of rows) {
    await trx
      .insertInto('imports')
      .values(row)
      .onConflict((conflict) => conflict.columns(['owner_id', 'source']).doNothing())
      .execute();
  }
}

/** Changes a row that is still as it was read; false when it is not. */
export async function replaceImport(
  trx: Trx,
  place: { owner_id: string; source: string },
  former: { article_id: string; digest: string },
  row: { article_id: string; digest: string },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('imports')
    .set(row)
    .where('owner_id', '=', place.owner_id)
    .where('source', '=', place.source)
    .where('article_id', '=', former.article_id)
    .where('digest', '=', former.digest)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
