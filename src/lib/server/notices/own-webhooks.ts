import type { LoggedDelivery, Webhook as ShownWebhook } from '../../contract/calls/notice-calls.ts';
import type { List } from '../../contract/entities.ts';
import type { Trx } from '../db/database.ts';
import type { PageRequest } from '../shared/paging.ts';
import type { WebhookFields } from './notice-service.ts';
import { listFailing } from './delivery-queries.ts';
import { readLog, toWire } from './webhook-wire.ts';
import type { AppParts } from '../services.ts';
import { idsIn } from '../shared/ids.ts';

interface Owner {
  id: string;
}

export type OwnWebhooks = ReturnType<typeof createOwnWebhooks>;

/** Webhooks of authors, which report changes of the author's public articles. All refuse ids of others. */
export function createOwnWebhooks({ db, notices, outside }: Pick<AppParts, 'db' | 'notices' | 'outside'>) {
  const { outbox, webhooks } = notices;
  return {
    async list({ id: owner }: Owner): Promise<ShownWebhook[]> {
      const all = await webhooks.list(owner);
      const failing = await listFailing(db.read, idsIn(all));
      return all.map((hook) => toWire(hook, failing.get(hook.id)));
    },

    /** Adds or changes a webhook. Refuses as `webhooks.save`, and with URL_REFUSED. */
    async save(id: string | null, fields: WebhookFields, { id: owner }: Owner): Promise<ShownWebhook> {
      if (fields.url !== undefined) await outside.requireReceiver(fields.url, { isPublicOnly: true });
      return toWire(await db.write((trx) => webhooks.save(trx, id, fields, owner)));
    },

    /** Removes a webhook with its deliveries. */
    remove: (id: string, { id: owner }: Owner): Promise<void> =>
      db.write(async (trx) => {
        await webhooks.remove(trx, id, owner);
        await outbox.forget(trx, 'own', id);
      }),

    test: (id: string, { id: owner }: Owner): Promise<void> => notices.testWebhook(id, owner),

    log: (id: string, page: PageRequest, { id: owner }: Owner): Promise<List<LoggedDelivery>> =>
      readLog(notices, { id, owner }, page),

    /** Sends deliveries of a webhook's log again; returns their number. */
    async retry(id: string, deliveries: readonly string[], { id: owner }: Owner): Promise<number> {
      await webhooks.requireKnown(id, owner);
      return db.write((trx) => outbox.revive(trx, deliveries, id));
    },

    /** Removes all webhooks of an account that is closed. */
    async removeAll(trx: Trx, owner: string): Promise<void> {
      for (const id of await webhooks.removeAll(trx, owner)) await outbox.forget(trx, 'own', id);
    },
  };
}
