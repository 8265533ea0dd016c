import type { Queryable, Trx } from '../../db/database.ts';
import type { ImportsTable } from '../../db/schema/schema.ts';

export type ImportRow = Pick<ImportsTable, 'source' | 'article_id' | 'digest'>;

export async function listImports(db: Queryable, ownerId: string): Promise<ImportRow[]> {
  return db
    .selectFrom('imports')
    .select(['source', 'article_id', 'digest'])
    .where('owner_id', '=', ownerId)
    .orderBy('source')
    .execute();
}

export async function insertImports(trx: Trx, rows: readonly ImportsTable[]): Promise<void> {
  for (const row of rows) {
    await trx
      .insertInto('imports')
      .values(row)
      .onConflict((conflict) => conflict.columns(['owner_id', 'source']).doNothing())
      .execute();
  }
}

/** Replaces a row that still equals `former`; returns false if it does not. */
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
