import type { UserNotice, WebhookNotice } from '../../contract/rules/notice-kinds.ts';
import { HOUR_MS, MINUTE_MS } from '../../contract/rules/units.ts';
import type { Queryable, Trx } from '../db/database.ts';
import type { daysOf } from '../shared/days.ts';
import type { NotificationService } from '../notifications/notification-service.ts';
import type { NoticeEvent } from './notice-event.ts';
import type { Outbox } from './outbox.ts';
import type { CommentNotice, ContentNotice, PlainNotice } from './payload.ts';
import * as settings from './setting-queries.ts';
import type { Webhooks } from './webhooks.ts';

interface Parts {
  now: () => number;
  dayOf: ReturnType<typeof daysOf>;
  hasMail: () => boolean;
  outbox: Pick<Outbox, 'put'>;
  webhooks: Pick<Webhooks, 'wanting' | 'wantingOf'>;
  notifications: Pick<NotificationService, 'add'>;
  addressesOf(db: Queryable, userIds: readonly string[]): Promise<Map<string, string>>;
}

/** Time of day of digests, in the site's time zone. */
const DIGEST_HOUR_MS = 8 * HOUR_MS;
/** Notices of a bulk action are collected this long, so that each author receives one mail. */
const BULK_PERIOD_MS = MINUTE_MS;

/** Puts notices of an event in the outbox, for the users and webhooks that want them. */
export function createNotify(parts: Parts) {
  const { now, dayOf, hasMail, outbox, webhooks, notifications, addressesOf } = parts;
  function nextDigest(): number {
    const today = dayOf(now());
    const time = today.start + DIGEST_HOUR_MS;
    return time > now() ? time : dayOf(today.end).start + DIGEST_HOUR_MS;
  }

  /** End of the period of a bulk action that began at `start`: its later notices make another mail. */
  const nextOf = (start: number): number =>
    start + (Math.floor((now() - start) / BULK_PERIOD_MS) + 1) * BULK_PERIOD_MS;

  async function notifyUsers(
    trx: Trx,
    entries: readonly {
      userId: string;
      kind: UserNotice;
      payload: CommentNotice | PlainNotice;
      key: string;
      bulk?: number | undefined;
    }[],
  ): Promise<void> {
    if (!hasMail() || entries.length === 0) return;
    const ids = entries.map(({ userId }) => userId);
    const addresses = await addressesOf(trx, ids);
    const wishes = await settings.findSettings(trx, ids);
    for (const { userId, kind, payload, key, bulk } of entries) {
      const wish = wishes.get(userId);
      if (!addresses.has(userId) || !wish || wish.mode === 'off' || !wish.kinds.includes(kind)) continue;
      const dueTime = wish.mode === 'daily' ? nextDigest() : bulk && nextOf(bulk);
      const delivery = dueTime === undefined ? undefined : `${userId}.${dueTime}`;
      const uniqueKey = key === '' ? undefined : `${key}:${userId}`;
      await outbox.put(trx, { lane: 'mail', target: userId, payload, uniqueKey, delivery, dueTime });
    }
  }

  async function notifyWebhooks(
    trx: Trx,
    kind: WebhookNotice,
    payload: CommentNotice | PlainNotice,
    key: string,
  ): Promise<void> {
    for (const target of await webhooks.wanting(kind)) {
      const uniqueKey = key === '' ? undefined : `${key}:${target}`;
      await outbox.put(trx, { lane: 'webhook', target, payload, uniqueKey });
    }
  }

  /** Events with the same subject are sent one after the other. */
  async function notifyOfContent(
    trx: Trx,
    { event, of }: Pick<ContentNotice, 'event' | 'of'>,
    { subject, author }: { subject: string; author?: string },
  ): Promise<void> {
    const payload: ContentNotice = { event, of, time: now() };
    for (const target of await webhooks.wanting(event))
      await outbox.put(trx, { lane: 'webhook', target, payload, subject });
    if (author === undefined) return;
    for (const target of await webhooks.wantingOf(trx, author, event))
      await outbox.put(trx, { lane: 'own', target, payload, subject });
  }

  async function notifyOfDecision(trx: Trx, event: Extract<NoticeEvent, { kind: 'moderation' }>) {
    const { kind, userId, subject, data, bulk } = event;
    const mail = await notifications.add(trx, { userId, kind: 'decision', subject, data });
    const payload = { kind, ...mail, path: data.path };
    await notifyUsers(trx, [{ userId, kind, payload, key: '', bulk }]);
  }

  async function notifyOfAnswer(trx: Trx, event: Extract<NoticeEvent, { kind: 'answer' }>) {
    const { userId, reported, result, text, path } = event;
    const data = { result, text, reason: '', path };
    const { title } = await notifications.add(trx, { userId, kind: 'report', subject: reported, data });
    const kind = 'moderation' as const;
    const payload = { kind, title, text: '', note: text, path, answers: { reported, result } };
    await notifyUsers(trx, [{ userId, kind, payload, key: '' }]);
  }

  return async function notify(trx: Trx, event: NoticeEvent): Promise<void> {
    if (event.kind === 'article') {
      const { articleId: of, authorId: author } = event;
      return notifyOfContent(trx, { event: event.event, of }, { subject: of, author });
    }
    if (event.kind === 'comment') {
      const { commentId, addressees } = event;
      const about = { subject: event.articleId, author: event.authorId };
      if (event.event) await notifyOfContent(trx, { event: event.event, of: commentId }, about);
      const key = `comment:${commentId}`;
      const entries = addressees.map(({ userId, as }) => ({
        userId,
        kind: as,
        payload: { comment: commentId, as },
        key,
      }));
      await notifyUsers(trx, entries);
      return notifyWebhooks(trx, 'comment', { comment: commentId, as: 'comment' }, key);
    }
    if (event.kind === 'signup') {
      const { kind, username, path } = event;
      await notifyOfContent(trx, { event: 'user.created', of: username }, { subject: username });
      return notifyWebhooks(trx, kind, { kind, title: `新用户：${username}`, text: '', path }, '');
    }
    if (event.kind === 'answer') return notifyOfAnswer(trx, event);
    if (event.kind === 'moderation') return notifyOfDecision(trx, event);
    const { kind, title, text, path, uniqueKey: key = '' } = event;
    const payload = { kind, title, text, path };
    // Pending content is reported to staff with the kind `report`: both are work.
    const staff = await settings.listStaff(trx);
    const entries = staff.map((userId) => ({ userId, kind: 'report' as const, payload, key }));
    await notifyUsers(trx, entries);
    await notifyWebhooks(trx, kind, payload, key);
  };
}
