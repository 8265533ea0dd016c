import type { Queryable, Trx } from '../db/database.ts';
import { TOTAL, isFound, readPage } from '../db/lists.ts';
import { perform } from '../db/perform.ts';
import type { Schema } from '../db/schema/schema.ts';
import type { PageRequest } from '../shared/paging.ts';

/** Inserts a record with the present name of the account, '' for a visitor. */
export const insertOrigin = (trx: Trx, row: Omit<Schema['post_origins'], 'username'>): Promise<void> =>
  perform(
    trx,
    trx.insertInto('post_origins').values((eb) => ({
      ...row,
      username: eb.fn.coalesce(
        eb.selectFrom('users').select('username').where('id', '=', row.user_id),
        eb.val(''),
      ),
    })),
  );

/** Records whose account name, address or item is `keywords`; all for ''. */
export function readOrigins(db: Queryable, { keywords, ...request }: PageRequest & { keywords: string }) {
  const all = db.selectFrom('post_origins');
  const query =
    keywords === ''
      ? all
      : all.where((eb) =>
          eb.or([
            eb('username', '=', keywords),
            eb('address', '=', keywords),
            eb('item_id', '=', keywords.toLowerCase()),
          ]),
        );
  const listing = query.selectAll().orderBy('create_time', 'desc').orderBy('id', 'desc');
  return readPage(request, query.select(TOTAL), listing);
}

export async function deleteOriginsBefore(trx: Trx, time: number): Promise<void> {
  await trx.deleteFrom('post_origins').where('create_time', '<', time).execute();
}

export const hasOriginsBefore = (db: Queryable, time: number): Promise<boolean> =>
  isFound(db.selectFrom('post_origins').select('id').where('create_time', '<', time).limit(1));
