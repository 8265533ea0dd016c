import { sql } from 'kysely';
import type { NotificationKind } from '../../contract/rules/notice-kinds.ts';
import type { Queryable, Trx } from '../db/database.ts';
import { TOTAL, among, countChanged, isChanged } from '../db/lists.ts';
import { literal } from '../db/prepared.ts';
import type { NotificationsTable } from '../db/schema/notice-schema.ts';

/** Position in the list, newest first: before the notification with this time and id. */
interface Position {
  time: number;
  id: string;
}

/** Rows of one insert: PostgreSQL takes at most 65,535 parameters, SQLite 32,766. */
const INSERT_BATCH_SIZE = 500;

export async function insertNotifications(trx: Trx, rows: readonly NotificationsTable[]): Promise<void> {
  for (let at = 0; at < rows.length; at += INSERT_BATCH_SIZE)
    await trx
      .insertInto('notifications')
      .values(rows.slice(at, at + INSERT_BATCH_SIZE))
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
}

interface Filter {
  kind?: NotificationKind | undefined;
  unread?: boolean | undefined;
  before: Position | null;
  limit: number;
}

export function listNotifications(
  db: Queryable,
  userId: string,
  { kind, unread, before, limit }: Filter,
): Promise<NotificationsTable[]> {
  let own = db.selectFrom('notifications').selectAll().where('recipient_id', '=', userId);
  if (kind) own = own.where('kind', '=', kind);
  if (unread !== undefined) own = own.where('read_time', unread ? 'is' : 'is not', null);
  if (before) {
    const { time, id } = before;
    own = own.where(sql<boolean>`(create_time <= ${time} and (create_time < ${time} or id < ${id}))`);
  }
  return own.orderBy('create_time', 'desc').orderBy('id', 'desc').limit(literal(limit)).execute();
}

/** Numbers of unread notifications; users without any are missing. */
export async function countUnreadOf(db: Queryable, ids: readonly string[]): Promise<Map<string, number>> {
  const counts = db
    .selectFrom('notifications')
    .select(['recipient_id', TOTAL])
    .where('read_time', 'is', null)
    .groupBy('recipient_id');
  const rows = await among(ids, (some) => counts.where('recipient_id', 'in', some));
  return new Map(rows.map(({ recipient_id, total }) => [recipient_id, total]));
}

/** Marks notifications of a user as read, those with `ids` or all; returns whether any were unread. */
export function markRead(
  trx: Trx,
  userId: string,
  ids: readonly string[] | null,
  instant: number,
): Promise<boolean> {
  const unread = trx
    .updateTable('notifications')
    .set({ read_time: instant })
    .where('recipient_id', '=', userId)
    .where('read_time', 'is', null);
  return isChanged(ids ? unread.where('id', 'in', ids) : unread);
}

/** Deletes at most `limit` notifications that are older than `instant`; returns how many. */
export const deleteOlder = (trx: Trx, instant: number, limit: number): Promise<number> =>
  countChanged(
    trx
      .deleteFrom('notifications')
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('notifications')
          .select('id')
          .where('create_time', '<', instant)
          .orderBy('create_time')
          .limit(literal(limit)),
      ),
  );

/** Deletes the notifications of a user after the newest `kept`; returns how many. */
export const deleteBeyond = (trx: Trx, userId: string, kept: number): Promise<number> =>
  countChanged(
    trx
      .deleteFrom('notifications')
      .where('recipient_id', '=', userId)
      .where('id', 'not in', (eb) =>
        eb
          .selectFrom('notifications')
          .select('id')
          .where('recipient_id', '=', userId)
          .orderBy('create_time', 'desc')
          .orderBy('id', 'desc')
          .limit(literal(kept)),
      ),
  );

/** Users with more notifications than `kept`. */
export async function listCrowded(db: Queryable, kept: number): Promise<string[]> {
  const rows = await db
    .selectFrom('notifications')
    .select('recipient_id')
    .groupBy('recipient_id')
    .having((eb) => eb.fn.countAll<number>(), '>', kept)
    .execute();
  return rows.map(({ recipient_id }) => recipient_id);
}
