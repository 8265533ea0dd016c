import type { Database, Trx } from '../db/database.ts';
import type { OutboxTable } from '../db/notice-schema.ts';
import { newId } from '../ids.ts';
import type { Log } from '../log.ts';
import { createJob } from '../jobs.ts';
import * as queries from './outbox-queries.ts';

export type { Delivery, Lane, ListedDelivery } from './outbox-queries.ts';

/** What is to be sent, as the code that knows of it says it. */
export interface Queued {
  lane: queries.Lane;
  target: string;
  payload: object;
  /** Of two with one key the first alone is sent. */
  uniqueKey?: string | undefined;
  /** Goes out together with others of this id; on its own without it. */
  delivery?: string | undefined;
  /** When it may go; at once without it. */
  dueTime?: number | undefined;
}

/**
 * Sends one delivery; what it throws is told to the operator, and it is sent again later. Returns at once
 * when the signal aborts.
 */
export type Send = (delivery: queries.Delivery, signal: AbortSignal) => Promise<void>;

/** Thrown by a `Send` for what no other try can mend. */
export class Undeliverable extends Error {
  override name = 'Undeliverable';
}

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;
/** Waits after the first failure, the second, …; the last counts for all that follow. */
const PAUSES_MS = [1, 3, 10, 30, 60, 120, 240].map((minutes) => minutes * MINUTE_MS);
const GIVE_UP_MS = DAY_MS;
/** One try takes no longer; what a process has taken and not settled, another one sends after the lease. */
const TRY_MS = 60_000;
const LEASE_MS = 2 * TRY_MS;
const SEND_EVERY_MS = 15_000;
const AT_ONCE = 8;
const LONGEST_PROBLEM = 300;
/** Sent ones are known for a while, so that a key is not used twice; given up ones can be sent again. */
const KEPT_MS = { sent: 7 * DAY_MS, dead: 30 * DAY_MS };

export type Outbox = ReturnType<typeof createOutbox>;

/**
 * Notices for places outside of this site: written in the transaction of what they tell of, sent by one
 * process at a time, again after growing pauses, given up after a day. No request waits for a receiver. A
 * process that dies while it sends leaves a delivery to be sent once more, under the same id.
 */
export function createOutbox({
  db,
  send,
  log,
  now,
  leaseMs = LEASE_MS,
}: {
  db: Database;
  send: Record<queries.Lane, Send>;
  log: Pick<Log, 'info' | 'warn'>;
  now: () => number;
  leaseMs?: number;
}) {
  const lanes = (['mail', 'webhook'] as const).map((lane) => ({
    lane,
    job: createJob((signal) => drain(lane, signal), {
      everyMs: SEND_EVERY_MS,
      failed: (error) => log.warn({ err: error, lane }, 'notices not sent'),
    }),
  }));
  const wake = (): void => lanes.forEach(({ job }) => job.wake());

  async function fail(delivery: queries.Delivery, error: unknown): Promise<void> {
    const problem = (error instanceof Error ? error.message : String(error)).slice(0, LONGEST_PROBLEM);
    const pause = PAUSES_MS[Math.min(delivery.tries, PAUSES_MS.length) - 1] ?? MINUTE_MS;
    const isLast = error instanceof Undeliverable || now() + pause > delivery.giveUpTime;
    await db.write((trx) =>
      isLast
        ? queries.bury(trx, delivery, { problem, now: now() })
        : queries.postpone(trx, delivery, { due_time: now() + pause, problem }),
    );
    const { id, lane, tries } = delivery;
    log.warn({ delivery: id, lane, tries, isLast, problem }, 'notice not taken');
  }

  async function deliver(delivery: queries.Delivery, signal: AbortSignal): Promise<void> {
    try {
      await send[delivery.lane](delivery, AbortSignal.any([signal, AbortSignal.timeout(TRY_MS)]));
    } catch (error) {
      // A server that stops leaves it to the next one.
      if (!signal.aborted) return fail(delivery, error);
      return db.write((trx) => queries.postpone(trx, delivery, { due_time: now(), problem: '' }));
    }
    await db.write((trx) => queries.settle(trx, delivery.id, now()));
    log.info({ delivery: delivery.id, lane: delivery.lane }, 'notice sent');
  }

  /** Sends what is due now; returns how many deliveries it has tried. */
  async function sendDue(lane: queries.Lane, signal: AbortSignal): Promise<number> {
    // Asked first without a write: nearly always nothing is due.
    if (!(await queries.isDue(db.read, lane, now()))) return 0;
    const limits = { now: now(), until: now() + leaseMs, limit: AT_ONCE };
    const claimed = await db.write((trx) => queries.claim(trx, lane, limits));
    const results = await Promise.allSettled(claimed.map((delivery) => deliver(delivery, signal)));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
    return claimed.length;
  }

  async function drain(lane: queries.Lane, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await sendDue(lane, signal)) > 0);
  }

  return {
    /** Has a notice sent once `trx` has committed. Returns whether it is the first with its key. */
    async put(trx: Trx, { lane, target, payload, uniqueKey, delivery, dueTime }: Queued): Promise<boolean> {
      const id = newId();
      const time = now();
      const due = dueTime ?? time;
      const row: Parameters<typeof queries.insertNotice>[1] = {
        id,
        delivery: delivery ?? id,
        lane,
        target,
        unique_key: uniqueKey ?? null,
        payload: JSON.stringify(payload),
        create_time: time,
        due_time: due,
        give_up_time: due + GIVE_UP_MS,
      };
      const isNew = await queries.insertNotice(trx, row);
      if (isNew && due <= time) db.afterCommit(trx, wake);
      return isNew;
    },

    /** Forgets what was to be sent under these keys, but for what may be on its way; `put` takes it again. */
    withdraw: (trx: Trx, keys: readonly string[]): Promise<void> =>
      queries.deleteIdle(trx, keys, now() + leaseMs),

    sendDue,

    /** A page of deliveries that wait or were given up, and how many there are of either. */
    async list(state: Exclude<OutboxTable['state'], 'sent'>, page: { offset: number; limit: number }) {
      return {
        items: await queries.listDeliveries(db.read, state, page),
        total: await queries.countDeliveries(db.read, state),
      };
    },

    /** Has given up deliveries sent again, for another day; returns how many of them there were. */
    async revive(trx: Trx, deliveries: readonly string[]): Promise<number> {
      const count = await queries.revive(trx, deliveries, { now: now(), giveUp: now() + GIVE_UP_MS });
      db.afterCommit(trx, wake);
      return count;
    },

    /** Forgets given up deliveries; returns how many of them there were. */
    discard: queries.discard,

    /** Forgets all that is meant for a target that is gone. */
    forget: queries.deleteOfTarget,

    purgeExpired: () =>
      db.write(async (trx) => {
        await queries.deleteSettled(trx, 'sent', now() - KEPT_MS.sent);
        await queries.deleteSettled(trx, 'dead', now() - KEPT_MS.dead);
      }),

    /** Sends from now on. */
    start: (): void => lanes.forEach(({ job }) => job.start()),

    /** Breaks off what is being sent; another process, or this one's successor, sends it. */
    stop: async (): Promise<void> => {
      await Promise.all(lanes.map(({ job }) => job.stop()));
    },
  };
}
