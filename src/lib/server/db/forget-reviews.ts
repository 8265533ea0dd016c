import type { SelectQueryBuilder } from 'kysely';
import type { Trx } from './database.ts';
import type { Schema } from './schema/schema.ts';

/**
 * Deletes the decisions and the pending changes of items that are deleted for good.
 * @param ids ids, or a query for them
 */
export async function forgetReviews(
  trx: Trx,
  kind: 'article' | 'comment',
  ids: readonly string[] | SelectQueryBuilder<Schema, 'comments' | 'withheld_comments', { id: string }>,
): Promise<void> {
  await trx.deleteFrom('pending_changes').where('kind', '=', kind).where('id', 'in', ids).execute();
  await trx.deleteFrom('moderation_decisions').where('kind', '=', kind).where('item_id', 'in', ids).execute();
}
