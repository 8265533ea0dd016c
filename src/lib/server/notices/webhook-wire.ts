import type { LoggedDelivery, Webhook as ShownWebhook } from '../../contract/calls/notice-calls.ts';
import type { List } from '../../contract/entities.ts';
import { toInstant } from '../shared/ids.ts';
import type { PageRequest } from '../shared/paging.ts';
import type { FailingTarget } from './delivery-queries.ts';
import type { NoticeService, Webhook } from './notice-service.ts';
import { aboutOf } from './payload.ts';
import type { WebhookOwner } from './webhooks.ts';

export const toWire = ({ hasSecret, isOn, ...hook }: Webhook, failing?: FailingTarget): ShownWebhook => ({
  ...hook,
  has_secret: hasSecret,
  is_on: isOn,
  ...(failing && {
    failing: {
      problem: failing.problem,
      tries: failing.tries,
      waiting: failing.waiting,
      next_time: toInstant(failing.due_time),
    },
  }),
});

/** Returns a page of the content events sent to a webhook. Refuses with WEBHOOK_NOT_FOUND. */
export async function readLog(
  { webhooks, outbox }: Pick<NoticeService, 'webhooks' | 'outbox'>,
  { id, owner }: { id: string; owner: WebhookOwner },
  { page, pageSize }: PageRequest,
): Promise<List<LoggedDelivery>> {
  await webhooks.requireKnown(id, owner);
  const { items, total } = await outbox.log(id, { offset: (page - 1) * pageSize, limit: pageSize });
  const result = items.map(({ delivery, payload, state, create_time, settle_time, ...item }) => ({
    ...item,
    id: delivery,
    state: state === 'sent' && item.problem !== '' ? ('dropped' as const) : state,
    kind: aboutOf(payload).kind,
    create_time: toInstant(create_time),
    settle_time: settle_time === 0 ? null : toInstant(settle_time),
  }));
  return { result, total };
}
