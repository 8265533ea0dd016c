import type { SettingGroup, Variables } from '../../contract/rules/operator-settings.ts';
import type { Queryable, Trx } from '../db/database.ts';

export async function selectSettings(db: Queryable): Promise<Map<string, Variables>> {
  const rows = await db.selectFrom('operator_settings').select(['name', 'value']).execute();
  return new Map(rows.map(({ name, value }) => [name, JSON.parse(value) as Variables]));
}

export async function storeSettings(trx: Trx, name: SettingGroup, texts: Variables): Promise<void> {
  const value = JSON.stringify(texts);
  await trx
    .insertInto('operator_settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}
