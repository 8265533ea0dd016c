import type { Queryable, Trx } from '../db/database.ts';
import { countOf, TOTAL } from '../db/lists.ts';
import type { ListedWordsTable } from '../db/schema/moderation-schema.ts';

export const selectWords = (db: Queryable): Promise<ListedWordsTable[]> =>
  db.selectFrom('listed_words').selectAll().orderBy('create_time', 'desc').orderBy('id', 'desc').execute();

export const countWords = (trx: Trx): Promise<number> =>
  countOf(trx.selectFrom('listed_words').select(TOTAL));

export async function putWords(trx: Trx, rows: readonly ListedWordsTable[]): Promise<void> {
  await trx
    .insertInto('listed_words')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('form').doUpdateSet((eb) => ({
        category: eb.ref('excluded.category'),
        action: eb.ref('excluded.action'),
      })),
    )
    .execute();
}

export const deleteWords = (trx: Trx, ids: readonly string[]): Promise<ListedWordsTable[]> =>
  trx.deleteFrom('listed_words').where('id', 'in', ids).returningAll().execute();
