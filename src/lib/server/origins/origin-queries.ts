import type { Queryable, Trx } from '../db/database.ts';
import { readPage, TOTAL } from '../db/lists.ts';
import type { PostOriginsTable } from '../db/schema/staff-schema.ts';
import type { PageRequest } from '../shared/paging.ts';

export async function insertOrigin(trx: Trx, row: PostOriginsTable): Promise<void> {
  await trx.insertInto('post_origins').values(row).execute();
}

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

export async function hasOriginsBefore(db: Queryable, time: number): Promise<boolean> {
  const row = await db
    .selectFrom('post_origins')
    .select('id')
    .where('create_time', '<', time)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
