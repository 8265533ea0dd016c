import type { NoticeOverview, Webhook as ShownWebhook } from '../../contract/calls/notice-calls.ts';
import { SECRET_CHANGED } from '../../contract/rules/audit.ts';
import { toInstant } from '../shared/ids.ts';
import type { PageRequest } from '../shared/paging.ts';
import { veil } from '../shared/veil.ts';
import type { Webhook, WebhookFields } from './notice-service.ts';
import { listFailing } from './delivery-queries.ts';
import { readLog, toWire } from './webhook-wire.ts';
import type { AppParts } from '../services.ts';

const MAX_SHOWN_DELIVERIES = 100;

export type NoticeConsole = ReturnType<typeof createNoticeConsole>;

export function createNoticeConsole(parts: Pick<AppParts, 'db' | 'audit' | 'notices' | 'outside'>) {
  const { db, notices, outside, audit } = parts;
  const { outbox, webhooks } = notices;
  return {
    async overview(): Promise<NoticeOverview> {
      const [all, failing, waiting, dead] = await Promise.all([
        webhooks.list(),
        listFailing(db.read),
        notices.listDeliveries('waiting', { offset: 0, limit: 1 }),
        notices.listDeliveries('dead', { offset: 0, limit: MAX_SHOWN_DELIVERIES }),
      ]);
      return {
        has_mail: notices.hasMail,
        webhooks: all.map((hook) => toWire(hook, failing.get(hook.id))),
        waiting: waiting.total,
        dead: dead.items.map(({ delivery, lane, title, kind, target, tries, settle_time, problem }) => ({
          id: delivery,
          lane,
          title,
          kind,
          target: lane === 'mail' ? veil(target) : target,
          tries,
          time: toInstant(settle_time),
          problem,
        })),
        dead_total: dead.total,
      };
    },

    /**
     * Adds a webhook, or changes the one with `id`. Refuses as `webhooks.save`, and with URL_REFUSED for a
     * receiver that can never be reached.
     */
    async saveWebhook(id: string | null, fields: WebhookFields, actorId: string): Promise<ShownWebhook> {
      if (fields.url !== undefined) await outside.requireReceiver(fields.url);
      return db.write(async (trx) => {
        const former = (await webhooks.list()).find((hook) => hook.id === id);
        const saved = await webhooks.save(trx, id, fields);
        await audit.write(trx, {
          actorId,
          action: former ? 'webhook.change' : 'webhook.add',
          subject: { kind: 'webhook', id: saved.id },
          before: former ? recorded(former) : {},
          after: {
            ...recorded(saved),
            ...(fields.url === undefined ? {} : { url: SECRET_CHANGED }),
            ...(fields.secret === undefined ? {} : { secret: SECRET_CHANGED }),
          },
        });
        return toWire(saved);
      });
    },

    /** Removes a webhook with its deliveries. Refuses with WEBHOOK_NOT_FOUND. */
    removeWebhook: (id: string, actorId: string): Promise<void> =>
      db.write(async (trx) => {
        const former = await webhooks.remove(trx, id);
        await outbox.forget(trx, 'webhook', id);
        const subject = { kind: 'webhook', id };
        await audit.write(trx, {
          actorId,
          action: 'webhook.delete',
          subject,
          before: recorded(former),
          after: {},
        });
      }),

    log: (id: string, page: PageRequest) => readLog(notices, { id, owner: null }, page),

    retry: (ids: readonly string[]): Promise<number> => db.write((trx) => outbox.revive(trx, ids)),
    discard: (ids: readonly string[]): Promise<number> => db.write((trx) => outbox.discard(trx, ids)),
  };
}

const recorded = ({ name, format, place, kinds, isOn }: Webhook) => ({ name, format, place, kinds, isOn });
