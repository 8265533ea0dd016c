import type { Queryable, Trx } from '../db/database.ts';
import type { WebhooksTable } from '../db/schema/notice-schema.ts';
import type { Flag } from '../db/schema/schema.ts';

export const listWebhooks = (db: Queryable): Promise<WebhooksTable[]> =>
  db.selectFrom('webhooks').selectAll().orderBy('create_time').orderBy('id').execute();

export const findWebhook = (db: Queryable, id: string): Promise<WebhooksTable | undefined> =>
  db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst();

export async function insertWebhook(trx: Trx, row: WebhooksTable): Promise<void> {
  await trx.insertInto('webhooks').values(row).execute();
}

export async function updateWebhook(
  trx: Trx,
  id: string,
  changes: Partial<Pick<WebhooksTable, 'name' | 'format' | 'place' | 'sealed' | 'kinds'>> & { is_on?: Flag },
): Promise<void> {
  await trx.updateTable('webhooks').set(changes).where('id', '=', id).execute();
}

export async function deleteWebhook(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('webhooks').where('id', '=', id).execute();
}
