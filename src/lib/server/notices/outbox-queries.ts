import { sql } from 'kysely';
import type { Queryable, Trx } from '../db/database.ts';
import { isFound, valuesOf } from '../db/lists.ts';
import type { OutboxTable } from '../db/schema/notice-schema.ts';
import { literal } from '../db/prepared.ts';
import { countDeliveries } from './delivery-queries.ts';

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
    | 'subject'
  >,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('outbox')
    .values({ ...row, tries: 0, state: 'waiting', settle_time: 0, problem: '' })
    .onConflict((conflict) => conflict.column('unique_key').doNothing())
    .executeTakeFirstOrThrow();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Due notices, without those that wait for an earlier one about their subject. */
const selectDue = (db: Queryable, lane: Lane, now: number) =>
  db
    .selectFrom('outbox')
    .select(['delivery', 'target'])
    .where('lane', '=', lane)
    .where('state', '=', WAITING)
    .where('due_time', '<=', now)
    .where((eb) => {
      const earlier = eb
        .selectFrom('outbox as earlier')
        .select('earlier.id')
        .whereRef('earlier.target', '=', 'outbox.target')
        .whereRef('earlier.subject', '=', 'outbox.subject')
        .where('earlier.state', '=', WAITING)
        .where((each) =>
          each.or([
            each('earlier.create_time', '<', each.ref('outbox.create_time')),
            each.and([
              each('earlier.create_time', '=', each.ref('outbox.create_time')),
              each('earlier.id', '<', each.ref('outbox.id')),
            ]),
          ]),
        );
      return eb.not(eb.exists(earlier));
    });

export const isDue = (db: Queryable, lane: Lane, now: number): Promise<boolean> =>
  isFound(selectDue(db, lane, now).limit(literal(1)));

interface ClaimLimits {
  now: number;
  until: number;
  limit: number;
  targetLimit: number;
}

/** The first deliveries of a list, `targetLimit` of them for each target. */
function chooseIds(
  due: readonly { delivery: string; target: string }[],
  { limit, targetLimit }: Pick<ClaimLimits, 'limit' | 'targetLimit'>,
): string[] {
  const chosen = new Map<string, string>();
  for (const { delivery, target } of due) {
    const sameTarget = [...chosen.values()].filter((each) => each === target).length;
    if (chosen.size < limit && sameTarget < targetLimit) chosen.set(delivery, target);
  }
  return [...chosen.keys()];
}

/** Claims due deliveries, earliest first. Other callers do not get them before `until`. */
export async function claim(trx: Trx, lane: Lane, limits: ClaimLimits): Promise<Delivery[]> {
  const { now, until, limit } = limits;
  const due = await selectDue(trx, lane, now)
    .orderBy('due_time')
    .limit(literal(limit * ROWS_PER_DELIVERY))
    .execute();
  if (due.length === 0) return [];
  const ids = chooseIds(due, limits);
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

/** Marks a delivery as done, and erases its contents unless it is logged. */
export async function settle(
  trx: Trx,
  delivery: string,
  facts: Pick<OutboxTable, 'settle_time' | 'problem'>,
): Promise<void> {
  await trx
    .updateTable('outbox')
    .set(({ case: choose, ref }) => {
      const kept = (column: 'payload' | 'target') =>
        choose().when('subject', 'is', null).then('').else(ref(column)).end();
      return {
        state: 'sent',
        payload: kept('payload'),
        target: kept('target'),
        ...facts,
      };
    })
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

/** Postpones the due deliveries to a target. */
export async function postpone(
  trx: Trx,
  { lane, target }: Pick<Delivery, 'lane' | 'target'>,
  { now, until }: Pick<ClaimLimits, 'now' | 'until'>,
): Promise<void> {
  await trx
    .updateTable('outbox')
    .set({ due_time: until })
    .where('lane', '=', lane)
    .where('target', '=', target)
    .where('state', '=', WAITING)
    .where('due_time', '<=', now)
    .execute();
}

export async function revive(
  trx: Trx,
  deliveries: readonly string[],
  { now, giveUp, target }: { now: number; giveUp: number; target?: string | undefined },
): Promise<number> {
  const revived = trx
    .updateTable('outbox')
    .set({ state: 'waiting', due_time: now, give_up_time: giveUp, tries: 0, settle_time: 0 })
    .where('delivery', 'in', deliveries)
    .where((eb) =>
      eb.or([eb('state', '=', 'dead'), eb.and([eb('state', '=', 'sent'), eb('subject', 'is not', null)])]),
    )
    .$if(target !== undefined, (query) => query.where('target', '=', target ?? ''))
    .returning('delivery');
  return new Set(await valuesOf(revived)).size;
}

export async function discard(trx: Trx, deliveries: readonly string[]): Promise<number> {
  const found = await countDeliveries(trx, 'dead', deliveries);
  if (found === 0) return 0;
  await trx.deleteFrom('outbox').where('delivery', 'in', deliveries).where('state', '=', 'dead').execute();
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
    .where('unique_key', 'in', keys)
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
