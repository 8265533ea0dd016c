import type { Queryable, Trx } from '../db/database.ts';
import { valuesOf } from '../db/lists.ts';
import type { WebhooksTable } from '../db/schema/notice-schema.ts';
import type { Flag } from '../db/schema/schema.ts';

/** Webhooks of an owner; null is the site. */
export const listWebhooks = (db: Queryable, owner: string | null): Promise<WebhooksTable[]> =>
  db
    .selectFrom('webhooks')
    .selectAll()
    .where('owner_id', owner === null ? 'is' : '=', owner)
    .orderBy('create_time')
    .orderBy('id')
    .execute();

export const findWebhook = (db: Queryable, id: string): Promise<WebhooksTable | undefined> =>
  db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst();

/** A webhook with the end of its owner's ban. */
export const findReceiver = (db: Queryable, id: string) =>
  db
    .selectFrom('webhooks')
    .leftJoin('users', 'users.id', 'webhooks.owner_id')
    .selectAll('webhooks')
    .select('users.banned_until as bannedUntil')
    .where('webhooks.id', '=', id)
    .executeTakeFirst();

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

/** Deletes the webhooks of an owner, and returns their ids. */
export const deleteWebhooksOf = (trx: Trx, owner: string): Promise<string[]> =>
  valuesOf(trx.deleteFrom('webhooks').where('owner_id', '=', owner).returning('id'));

export async function deleteWebhook(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('webhooks').where('id', '=', id).execute();
}
