import type { Queryable, Trx } from '../db/database.ts';

export async function selectOptions(db: Queryable): Promise<Map<string, string>> {
  const rows = await db.selectFrom('site_options').select(['name', 'value']).execute();
  return new Map(rows.map(({ name, value }) => [name, value]));
}

export async function storeOption(trx: Trx, name: string, value: string): Promise<void> {
  await trx
    .insertInto('site_options')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}
