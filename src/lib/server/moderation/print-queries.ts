import type { Trx } from '../db/database.ts';
import { performing } from '../db/perform.ts';
import type { WrittenPrintsTable } from '../db/schema/moderation-schema.ts';
import type { Flag } from '../db/schema/schema.ts';

/** Records the newest item in which an account has a text; a mark as withheld stays. */
export const putPrint = performing((trx, row: Omit<WrittenPrintsTable, 'is_withheld'>) =>
  trx
    .insertInto('written_prints')
    .values({ ...row, is_withheld: 0 })
    .onConflict((conflict) =>
      conflict
        .columns(['print', 'author_id'])
        .doUpdateSet({ item_id: row.item_id, create_time: row.create_time }),
    ),
);

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
