import type { CallInput } from '../../contract/calls/calls.ts';
import type { Notification, NotificationList } from '../../contract/calls/notification-calls.ts';
import { DAY_MS } from '../../contract/rules/units.ts';
import type { Trx } from '../db/database.ts';
import type { NotificationsTable } from '../db/schema/notice-schema.ts';
import type { Reader } from '../db/visibility.ts';
import type { Core } from '../services.ts';
import { newId, toInstant } from '../shared/ids.ts';
import { mailOf, titleOf, type NewNotification, type NotificationData } from './notification-data.ts';
import * as queries from './notification-queries.ts';

export type { NewNotification, NotificationData };
export type NotificationService = ReturnType<typeof createNotificationService>;

/** Retention, as the description of `notificationList` states it. */
const RETENTION_MS = 180 * DAY_MS;
const MAX_KEPT = 1_000;
const PURGE_BATCH_SIZE = 500;

/** List of what concerns a user, inside the site; the kinds are NOTIFICATIONS (rules/notice-kinds.ts). */
export function createNotificationService({
  db,
  events,
  now,
  timeZone,
}: Pick<Core, 'db' | 'events' | 'now' | 'timeZone'>) {
  const changed = (trx: Trx, userId: string) =>
    events.emit(trx, { type: 'notifications-changed', userIds: [userId] });

  function toWire(row: NotificationsTable): Notification {
    const subject = { kind: row.subject_kind, id: row.subject_id };
    const data = JSON.parse(row.data) as NotificationData;
    return {
      _id: row.id,
      kind: row.kind,
      result: data.result,
      subject,
      title: titleOf({ subject, data }, timeZone),
      text: data.result === 'removed' ? '' : data.text,
      reason: data.reason,
      path: data.path,
      create_time: toInstant(row.create_time),
      is_read: row.read_time !== null,
    };
  }

  const countUnread = async (userId: string): Promise<number> =>
    (await queries.countUnreadOf(db.read, [userId])).get(userId) ?? 0;

  return {
    /** Adds a notification inside `trx`, which does what it reports; returns title and text of its mail. */
    async add(trx: Trx, item: NewNotification): Promise<ReturnType<typeof mailOf>> {
      const { userId, kind, subject, data } = item;
      const row = {
        id: newId(),
        recipient_id: userId,
        kind,
        subject_kind: subject.kind,
        subject_id: subject.id,
        data: JSON.stringify(data),
        create_time: now(),
        read_time: null,
      };
      await queries.insertNotifications(trx, [row]);
      changed(trx, userId);
      return mailOf(item, timeZone);
    },

    /** Returns a page of the viewer's notifications, and the number of all unread ones. */
    async list(input: CallInput<'notificationList'>, viewer: Reader): Promise<NotificationList> {
      const { kind, unread, cursor, pageSize } = input;
      const [time, id] = cursor?.split('.') ?? [];
      const before = time !== undefined && id !== undefined ? { time: Number(time), id } : null;
      const filter = { kind, unread, before, limit: pageSize + 1 };
      const rows = await queries.listNotifications(db.read, viewer.id, filter);
      const shown = rows.slice(0, pageSize);
      const last = rows.length > pageSize ? shown.at(-1) : undefined;
      return {
        result: shown.map(toWire),
        cursor: last ? `${last.create_time}.${last.id}` : null,
        unread: await countUnread(viewer.id),
      };
    },

    /** Marks those with `ids`, or all, as read; returns the number of unread ones. */
    async markRead({ ids, all }: CallInput<'notificationRead'>, viewer: Reader): Promise<number> {
      if (all || ids.length > 0)
        await db.write(async (trx) => {
          if (await queries.markRead(trx, viewer.id, all ? null : ids, now())) changed(trx, viewer.id);
        });
      return countUnread(viewer.id);
    },

    /** Numbers of unread notifications by user id; a missing one is 0. */
    countUnreadOf: (ids: readonly string[]) => queries.countUnreadOf(db.read, ids),

    /** Deletes notifications after 180 days, and all but the newest 1,000 of a user. */
    async purgeExpired(): Promise<void> {
      for (;;) {
        const until = now() - RETENTION_MS;
        const gone = await db.write((trx) => queries.deleteOlder(trx, until, PURGE_BATCH_SIZE));
        if (gone < PURGE_BATCH_SIZE) break;
      }
      for (const userId of await queries.listCrowded(db.read, MAX_KEPT))
        await db.write(async (trx) => {
          await queries.deleteBeyond(trx, userId, MAX_KEPT);
          changed(trx, userId);
        });
    },
  };
}
