import type { HoldReason } from '../../contract/moderation.ts';
import type { Queryable, Trx } from '../db/database.ts';
import { literal } from '../db/prepared.ts';

/** Who wrote the text `print` stands for since `since`: ids of accounts, 3 at most. */
export async function listWritersOf(db: Queryable, print: string, since: number): Promise<string[]> {
  const rows = await db
    .selectFrom('written_prints')
    .select('author_id')
    .where('print', '=', print)
    .where('create_time', '>=', since)
    .limit(literal(3))
    .execute();
  return rows.map((row) => row.author_id);
}

/** Remembers that an account has written a text. */
export async function putPrint(
  trx: Trx,
  row: { print: string; author_id: string; create_time: number },
): Promise<void> {
  await trx
    .insertInto('written_prints')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['print', 'author_id']).doUpdateSet({ create_time: row.create_time }),
    )
    .execute();
}

export async function deletePrints(trx: Trx, before: number): Promise<void> {
  await trx.deleteFrom('written_prints').where('create_time', '<', before).execute();
}

/** Whether an account has `count` things of a kind that everybody saw: it is no new one there. */
export async function hasShown(
  db: Queryable,
  kind: 'article' | 'comment',
  authorId: string,
  count: number,
): Promise<boolean> {
  const shown =
    kind === 'comment'
      ? db.selectFrom('comments').select('id').where('author_id', '=', authorId).where('state', '=', 'shown')
      : db.selectFrom('articles').select('id').where('author_id', '=', authorId).where('is_public', '=', 1);
  return (await shown.limit(literal(count)).execute()).length >= count;
}

/** How many comments an account has written since `since`; `most` at most. */
export async function countWrittenSince(
  db: Queryable,
  authorId: string,
  since: number,
  most: number,
): Promise<number> {
  const rows = await db
    .selectFrom('comments')
    .select('id')
    .where('author_id', '=', authorId)
    .where('create_time', '>=', since)
    .limit(literal(most))
    .execute();
  return rows.length;
}

/** Says that something waits, and why; what waited already waits for other reasons now. */
export async function putHeld(
  trx: Trx,
  held: { kind: 'article' | 'comment'; id: string; reasons: readonly HoldReason[]; create_time: number },
): Promise<void> {
  const reasons = JSON.stringify(held.reasons);
  await trx
    .insertInto('held_items')
    .values({ ...held, reasons })
    .onConflict((conflict) => conflict.columns(['kind', 'id']).doUpdateSet({ reasons }))
    .execute();
}

/** It waits no longer. */
export async function deleteHeld(trx: Trx, kind: 'article' | 'comment', ids: readonly string[]): Promise<void> {
  await trx
    .deleteFrom('held_items')
    .where('kind', '=', kind)
    .where('id', 'in', [...ids])
    .execute();
}
