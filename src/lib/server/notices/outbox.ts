import type { Trx } from '../db/database.ts';
import type { OutboxTable } from '../db/schema/notice-schema.ts';
import { newId } from '../shared/ids.ts';
import type { AppParts } from '../services.ts';
import { createJob, joinJobs } from '../jobs/jobs.ts';
import * as lists from './delivery-queries.ts';
import * as queries from './outbox-queries.ts';
import { DAY_MS, MINUTE_MS } from '../../contract/rules/units.ts';

export type { Delivery } from './outbox-queries.ts';

export interface Queued {
  lane: queries.Lane;
  target: string;
  payload: object;
  /** Only the first of several notices with the same key is sent. */
  uniqueKey?: string | undefined;
  /** Sent together with others of this id; alone if unset. */
  delivery?: string | undefined;
  /** Earliest time to send; immediately if unset. */
  dueTime?: number | undefined;
  /** Deliveries to a target about the same subject are sent in order, and listed after they were sent. */
  subject?: string | undefined;
  /** Whether a request waits for the result (`outcomeOf`): a refusal is then final. */
  isAwaited?: boolean | undefined;
}

/**
 * Sends one delivery. If it throws, the operator sees the message and the delivery is retried. Returns at
 * once when the signal aborts.
 */
export type Send = (delivery: queries.Delivery, signal: AbortSignal) => Promise<void>;

/** Thrown by a `Send` if the receiver refuses; only changed settings could make a retry succeed. */
export class Refused extends Error {
  override name = 'Refused';

  /** Whether the reason concerns the receiver's address, not the site's settings. */
  readonly isAboutReceiver: boolean;

  constructor(message: string, isAboutReceiver = false) {
    super(message);
    this.isAboutReceiver = isAboutReceiver;
  }
}

/** Thrown by a `Send` if no retry can succeed. */
export class Undeliverable extends Refused {
  override name = 'Undeliverable';
}

/** Thrown by a `Send` if there is nothing to send any more; the message is logged with the delivery. */
export class Unneeded extends Error {
  override name = 'Unneeded';
}

/** Delays after the first failure, the second, …; the last one repeats. */
const RETRY_DELAYS_MS = [1, 3, 10, 30, 60, 120, 240].map((minutes) => minutes * MINUTE_MS);
const MAX_RETRY_PERIOD_MS = DAY_MS;
/**
 * Timeout of one attempt. After the lease, another process sends what this one has claimed but not settled.
 */
const SEND_TIMEOUT_MS = MINUTE_MS;
const LEASE_MS = 2 * SEND_TIMEOUT_MS;
const SEND_INTERVAL_MS = 15_000;
const NOTICE_BATCH_SIZE = 8;
/** Maximum share of a batch: an author's receiver that hangs must not hold up other receivers. */
const MAX_BATCH_OF_OWN_WEBHOOK = 2;
const OWN_WEBHOOK_REST_MS = MINUTE_MS;
const MAX_PROBLEM_CHARACTERS = 300;
/** Time that a request waits for the result of its notice. */
const OUTCOME_TIMEOUT_MS = 5_000;
/** Sent notices are kept to recognize repeated keys, failed ones to retry them. */
const RETENTION_MS = { sent: 7 * DAY_MS, dead: 30 * DAY_MS };

export type Outbox = ReturnType<typeof createOutbox>;

/**
 * Notices for receivers outside the site: written in the transaction of what they report, sent by one process
 * at a time, retried with growing delays, abandoned after a day. No request waits long for a receiver. If a
 * process dies while sending, the delivery is sent again with the same id.
 */
export function createOutbox(
  parts: Pick<AppParts, 'db' | 'log' | 'now'> & { send: Record<queries.Lane, Send>; leaseMs?: number },
) {
  const { db, send, log, now, leaseMs = LEASE_MS } = parts;
  const jobs = joinJobs(
    (['mail', 'webhook', 'own'] as const).map((lane) =>
      createJob(async (signal) => ((await sendDue(lane, signal)) > 0 ? 0 : SEND_INTERVAL_MS), {
        everyMs: SEND_INTERVAL_MS,
        failed: (error) => log.warn({ err: error, lane }, 'notification job failed'),
      }),
    ),
  );

  /** Deliveries whose result a request waits for. */
  const awaited = new Map<string, PromiseWithResolvers<Error | null>>();
  let isStarted = false;

  async function fail(delivery: queries.Delivery, error: unknown): Promise<void> {
    const problem = (error instanceof Error ? error.message : String(error)).slice(0, MAX_PROBLEM_CHARACTERS);
    const pause = RETRY_DELAYS_MS[Math.min(delivery.tries, RETRY_DELAYS_MS.length) - 1] ?? MINUTE_MS;
    const isFinal = error instanceof (awaited.has(delivery.id) ? Refused : Undeliverable);
    const isLast = isFinal || now() + pause > delivery.giveUpTime;
    const changes = isLast
      ? { state: 'dead' as const, problem, settle_time: now() }
      : { due_time: now() + pause, problem };
    const { id, lane, tries } = delivery;
    await db.writeAside(async (trx) => {
      await queries.changeClaimed(trx, delivery, changes);
      if (lane === 'own')
        await queries.postpone(trx, delivery, { now: now(), until: now() + OWN_WEBHOOK_REST_MS });
    });
    log.warn({ delivery: id, lane, tries, isLast, problem }, 'delivering a notification failed');
  }

  async function deliver(delivery: queries.Delivery, signal: AbortSignal): Promise<void> {
    let problem = '';
    try {
      await send[delivery.lane](delivery, AbortSignal.any([signal, AbortSignal.timeout(SEND_TIMEOUT_MS)]));
    } catch (error) {
      // A stopping server leaves it to the next process.
      if (signal.aborted)
        return db.writeAside((trx) => queries.changeClaimed(trx, delivery, { due_time: now(), problem: '' }));
      if (!(error instanceof Unneeded)) {
        await fail(delivery, error);
        return awaited.get(delivery.id)?.resolve(error as Error);
      }
      problem = error.message;
    }
    await db.writeAside((trx) => queries.settle(trx, delivery.id, { settle_time: now(), problem }));
    awaited.get(delivery.id)?.resolve(null);
    log.info({ delivery: delivery.id, lane: delivery.lane }, 'notification sent');
  }

  async function sendDue(lane: queries.Lane, signal: AbortSignal): Promise<number> {
    // Checked without a write first: usually nothing is due.
    if (!(await queries.isDue(db.read, lane, now()))) return 0;
    const limits = {
      now: now(),
      until: now() + leaseMs,
      limit: NOTICE_BATCH_SIZE,
      targetLimit: lane === 'own' ? MAX_BATCH_OF_OWN_WEBHOOK : NOTICE_BATCH_SIZE,
    };
    const claimed = await db.write((trx) => queries.claim(trx, lane, limits));
    const results = await Promise.allSettled(claimed.map((delivery) => deliver(delivery, signal)));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
    return claimed.length;
  }

  return {
    /** Sends a notice once `trx` has committed. Returns its delivery, or null if it repeats a key. */
    async put(trx: Trx, queued: Queued): Promise<string | null> {
      const { lane, target, payload, uniqueKey, delivery, dueTime, subject, isAwaited = false } = queued;
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
        give_up_time: due + MAX_RETRY_PERIOD_MS,
        subject: subject ?? null,
      };
      const isNew = await queries.insertNotice(trx, row);
      if (!isNew) return null;
      if (isAwaited && isStarted)
        db.afterCommit(trx, () => void awaited.set(row.delivery, Promise.withResolvers()));
      if (due <= time) db.afterCommit(trx, jobs.wake);
      return row.delivery;
    },

    /**
     * Returns why the first attempt at an awaited delivery failed; null if it succeeded, has no result yet,
     * or is another process's.
     */
    async outcomeOf(delivery: string): Promise<Error | null> {
      const outcome = awaited.get(delivery);
      if (!outcome) return null;
      const timer = setTimeout(() => outcome.resolve(null), OUTCOME_TIMEOUT_MS);
      try {
        return await outcome.promise;
      } finally {
        clearTimeout(timer);
        awaited.delete(delivery);
      }
    },

    /** Cancels notices with these keys unless they may be in transit; `put` accepts the keys again. */
    withdraw: (trx: Trx, keys: readonly string[]): Promise<void> =>
      queries.deleteIdle(trx, keys, now() + leaseMs),

    sendDue,

    async list(state: Exclude<OutboxTable['state'], 'sent'>, page: { offset: number; limit: number }) {
      return {
        items: await lists.listDeliveries(db.read, state, page),
        total: await lists.countDeliveries(db.read, state),
      };
    },

    log: (target: string, page: { offset: number; limit: number }) => lists.listLogged(db.read, target, page),

    /** Sends failed deliveries, and logged ones that were sent, once more. */
    async revive(trx: Trx, deliveries: readonly string[], target?: string): Promise<number> {
      const times = { now: now(), giveUp: now() + MAX_RETRY_PERIOD_MS };
      const count = await queries.revive(trx, deliveries, { ...times, target });
      db.afterCommit(trx, jobs.wake);
      return count;
    },

    discard: queries.discard,

    forget: queries.deleteOfTarget,

    purgeExpired: () =>
      db.write(async (trx) => {
        await queries.deleteSettled(trx, 'sent', now() - RETENTION_MS.sent);
        await queries.deleteSettled(trx, 'dead', now() - RETENTION_MS.dead);
      }),

    start(): void {
      isStarted = true;
      jobs.start();
    },

    /** Aborts current deliveries; another process, or this one after a restart, sends them. */
    stop: jobs.stop,
  };
}
