import { sql } from 'kysely';
import type { Queryable, Trx } from '../db/database.ts';
import type { OutboxTable } from '../db/schema/notice-schema.ts';
import { literal } from '../db/prepared.ts';

export type Lane = OutboxTable['lane'];

export interface Delivery {
  id: string;
  lane: Lane;
  target: string;
  payloads: string[];
  tries: number;
  /** Until then no other process sends it. */
  claimedUntil: number;
  giveUpTime: number;
}

// Literals, so the partial index is used (see article-queries.ts).
const WAITING = sql.lit<OutboxTable['state']>('waiting');

/**
 * Rows read per claimed delivery: a digest has several. Grouping all pending rows took longer the longer a
 * mail server was down.
 */
const ROWS_PER_DELIVERY = 8;

export async function insertNotice(
  trx: Trx,
  row: Pick<
    OutboxTable,
    | 'id'
    | 'delivery'
    | 'lane'
    | 'target'
    | 'unique_key'
    | 'payload'
    | 'create_time'
    | 'due_time'
    | 'give_up_time'
  >,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('outbox')
    .values({ ...row, tries: 0, state: 'waiting', settle_time: 0, problem: '' })
    .onConflict((conflict) => conflict.column('unique_key').doNothing())
    .executeTakeFirstOrThrow();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

const selectDue = (db: Queryable, lane: Lane, now: number) =>
  db
    .selectFrom('outbox')
    .select('delivery')
    .where('lane', '=', lane)
    .where('state', '=', WAITING)
    .where('due_time', '<=', now);

export const isDue = async (db: Queryable, lane: Lane, now: number): Promise<boolean> =>
  (await selectDue(db, lane, now).limit(literal(1)).executeTakeFirst()) !== undefined;

/** Claims due deliveries, earliest first. Other callers do not get them before `until`. */
export async function claim(
  trx: Trx,
  lane: Lane,
  { now, until, limit }: { now: number; until: number; limit: number },
): Promise<Delivery[]> {
  const due = await selectDue(trx, lane, now)
    .orderBy('due_time')
    .limit(literal(limit * ROWS_PER_DELIVERY))
    .execute();
  if (due.length === 0) return [];
  const ids = [...new Set(due.map(({ delivery }) => delivery))].slice(0, limit);
  await trx
    .updateTable('outbox')
    .set((eb) => ({ due_time: until, tries: eb('tries', '+', 1) }))
    .where('delivery', 'in', ids)
    .where('state', '=', WAITING)
    .execute();
  const rows = await trx
    .selectFrom('outbox')
    .selectAll()
    .where('delivery', 'in', ids)
    .where('state', '=', WAITING)
    .orderBy('create_time')
    .orderBy('id')
    .execute();
  return ids.flatMap((id) => {
    const own = rows.filter(({ delivery }) => delivery === id);
    const [first] = own;
    if (!first) return [];
    return {
      id,
      lane,
      target: first.target,
      payloads: own.map(({ payload }) => payload),
      tries: Math.max(...own.map(({ tries }) => tries)),
      claimedUntil: until,
      giveUpTime: Math.max(...own.map((row) => row.give_up_time)),
    };
  });
}

/** Marks a delivery as done and erases its contents. */
export async function settle(trx: Trx, delivery: string, now: number): Promise<void> {
  await trx
    .updateTable('outbox')
    .set({ state: 'sent', payload: '', target: '', problem: '', settle_time: now })
    .where('delivery', '=', delivery)
    .where('state', '!=', 'sent')
    .execute();
}

/** Changes a claimed delivery, unless another process has claimed or settled it in the meantime. */
export async function changeClaimed(
  trx: Trx,
  { id, claimedUntil }: Delivery,
  changes: Partial<Pick<OutboxTable, 'state' | 'due_time' | 'settle_time' | 'problem'>>,
): Promise<void> {
  await trx
    .updateTable('outbox')
    .set(changes)
    .where('delivery', '=', id)
    .where('state', '=', WAITING)
    .where('due_time', '=', claimedUntil)
    .execute();
}

export interface ListedDelivery {
  delivery: string;
  lane: Lane;
  target: string;
  payload: string;
  notices: number;
  tries: number;
  due_time: number;
  settle_time: number;
  problem: string;
}

export async function listDeliveries(
  db: Queryable,
  state: 'waiting' | 'dead',
  page: { offset: number; limit: number },
): Promise<ListedDelivery[]> {
  const groups = await db
    .selectFrom('outbox')
    .select((eb) => ['delivery', eb.fn.min('id').as('first'), eb.fn.countAll<number>().as('notices')])
    .where('state', '=', state)
    .groupBy('delivery')
    .orderBy((eb) => eb.fn.max('settle_time'), 'desc')
    .orderBy((eb) => eb.fn.min('due_time'))
    .orderBy('delivery')
    .offset(literal(page.offset))
    .limit(literal(page.limit))
    .execute();
  if (groups.length === 0) return [];
  const rows = await db
    .selectFrom('outbox')
    .select(['id', 'delivery', 'lane', 'target', 'payload', 'tries', 'due_time', 'settle_time', 'problem'])
    .where(
      'id',
      'in',
      groups.map(({ first }) => first),
    )
    .execute();
  const known = new Map(rows.map(({ id, ...row }) => [id, row]));
  return groups.flatMap(({ first, notices }) => {
    const row = known.get(first);
    return row ? { ...row, notices } : [];
  });
}

export interface FailingTarget {
  /** Number of failed deliveries that will be retried. */
  waiting: number;
  /** Facts of the newest one. */
  problem: string;
  tries: number;
  due_time: number;
}

/** Targets of a lane with failed deliveries that will be retried. */
export async function listFailing(db: Queryable, lane: Lane): Promise<Map<string, FailingTarget>> {
  const groups = await db
    .selectFrom('outbox')
    .select((eb) => [eb.fn.max('id').as('newest'), eb.fn.countAll<number>().as('waiting')])
    .where('lane', '=', lane)
    .where('state', '=', WAITING)
    .where('problem', '<>', '')
    .groupBy('target')
    .execute();
  if (groups.length === 0) return new Map();
  const counts = new Map(groups.map(({ newest, waiting }) => [newest, waiting]));
  const rows = await db
    .selectFrom('outbox')
    .select(['id', 'target', 'problem', 'tries', 'due_time'])
    .where('id', 'in', [...counts.keys()])
    .execute();
  return new Map(rows.map(({ id, target, ...row }) => [target, { ...row, waiting: counts.get(id) ?? 1 }]));
}

export async function countDeliveries(
  db: Queryable,
  state: 'waiting' | 'dead',
  among?: readonly string[],
): Promise<number> {
  if (among?.length === 0) return 0;
  const all = db
    .selectFrom('outbox')
    .select((eb) => eb.fn.count<number>('delivery').distinct().as('total'))
    .where('state', '=', state);
  const { total } = await (among ? all.where('delivery', 'in', among) : all).executeTakeFirstOrThrow();
  return total;
}

export const countUnsent = (
  db: Queryable,
): Promise<{ lane: Lane; state: OutboxTable['state']; total: number }[]> =>
  db
    .selectFrom('outbox')
    .select((eb) => ['lane', 'state', eb.fn.count<number>('delivery').distinct().as('total')])
    .where('state', 'in', ['waiting', 'dead'])
    .groupBy(['lane', 'state'])
    .execute();

export async function revive(
  trx: Trx,
  deliveries: readonly string[],
  { now, giveUp }: { now: number; giveUp: number },
): Promise<number> {
  const found = await countDeliveries(trx, 'dead', deliveries);
  if (found === 0) return 0;
  await trx
    .updateTable('outbox')
    .set({ state: 'waiting', due_time: now, give_up_time: giveUp, tries: 0, settle_time: 0 })
    .where('delivery', 'in', [...deliveries])
    .where('state', '=', 'dead')
    .execute();
  return found;
}

export async function discard(trx: Trx, deliveries: readonly string[]): Promise<number> {
  const found = await countDeliveries(trx, 'dead', deliveries);
  if (found === 0) return 0;
  await trx
    .deleteFrom('outbox')
    .where('delivery', 'in', [...deliveries])
    .where('state', '=', 'dead')
    .execute();
  return found;
}

/**
 * Deletes pending notices with these keys that were never tried, or are due after `leased`: every current
 * lease has ended by then, so they are not being sent.
 */
export async function deleteIdle(trx: Trx, keys: readonly string[], leased: number): Promise<void> {
  if (keys.length === 0) return;
  await trx
    .deleteFrom('outbox')
    .where('unique_key', 'in', [...keys])
    .where('state', '=', 'waiting')
    .where((eb) => eb.or([eb('tries', '=', 0), eb('due_time', '>', leased)]))
    .execute();
}

export async function deleteOfTarget(trx: Trx, lane: Lane, target: string): Promise<void> {
  await trx.deleteFrom('outbox').where('lane', '=', lane).where('target', '=', target).execute();
}

export async function deleteSettled(trx: Trx, state: 'sent' | 'dead', before: number): Promise<void> {
  await trx.deleteFrom('outbox').where('state', '=', state).where('settle_time', '<', before).execute();
}
