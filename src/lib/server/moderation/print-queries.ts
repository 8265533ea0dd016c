import type { Queryable, Trx } from '../db/database.ts';
import type { WrittenPrintsTable } from '../db/schema/moderation-schema.ts';
import { literal } from '../db/prepared.ts';
import type { Flag } from '../db/schema/schema.ts';

/** Ids of accounts that wrote the text of `print` since `since` in items other than `itemId`, at most 3. */
export async function listWritersOf(
  db: Queryable,
  { print, itemId, since }: { print: string; itemId: string | null; since: number },
): Promise<string[]> {
  let query = db
    .selectFrom('written_prints')
    .select('author_id')
    .where('print', '=', print)
    .where('create_time', '>=', since)
    .limit(literal(3));
  if (itemId !== null) query = query.where('item_id', '<>', itemId);
  return (await query.execute()).map((row) => row.author_id);
}

export async function wasWithheld(
  db: Queryable,
  { print, itemId, authorId }: { print: string; itemId: string | null; authorId: string },
): Promise<boolean> {
  let query = db
    .selectFrom('written_prints')
    .select('item_id')
    .where('print', '=', print)
    .where('author_id', '=', authorId)
    .where('is_withheld', '=', 1);
  if (itemId !== null) query = query.where('item_id', '<>', itemId);
  return (await query.limit(literal(1)).executeTakeFirst()) !== undefined;
}

/** Records the newest item in which an account has a text; a mark as withheld stays. */
export async function putPrint(trx: Trx, row: Omit<WrittenPrintsTable, 'is_withheld'>): Promise<void> {
  await trx
    .insertInto('written_prints')
    .values({ ...row, is_withheld: 0 })
    .onConflict((conflict) =>
      conflict
        .columns(['print', 'author_id'])
        .doUpdateSet({ item_id: row.item_id, create_time: row.create_time }),
    )
    .execute();
}

export async function markPrints(trx: Trx, itemId: string, is_withheld: Flag): Promise<void> {
  await trx.updateTable('written_prints').set({ is_withheld }).where('item_id', '=', itemId).execute();
}

export async function deletePrints(trx: Trx, before: number, withheldBefore: number): Promise<void> {
  await trx
    .deleteFrom('written_prints')
    .where('create_time', '<', before)
    .where((eb) => eb.or([eb('is_withheld', '=', 0), eb('create_time', '<', withheldBefore)]))
    .execute();
}
