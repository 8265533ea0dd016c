import { setTimeout as sleep } from 'node:timers/promises';
import { Client, escapeLiteral } from 'pg';
import type { Log } from '../../shared/log.ts';
import type { Notices } from '../database.ts';
import { ACK_CHANNEL } from './postgres-acks.ts';
import { CHANNEL, LEASE_MS, type Outbox } from './postgres-notices.ts';
import { connectionTo, reasonOf } from './postgres-pool.ts';
import { POSITION, type Position } from './postgres-replica.ts';

const POLL_INTERVAL_MS = 50;
/** A server that does not answer within this time counts as unreachable. */
const QUERY_TIMEOUT_MS = 1_500;
const RETRY_DELAY_MS = 200;
/** Time that `catchUp` waits while no probe is answered. */
const CATCH_UP_TIMEOUT_MS = 500;

type Listener = Parameters<Notices['listen']>[0];

/**
 * Listens on a separate connection and reconnects when it is lost; `isReachable` is about the pool.
 * @param hasReplica whether probes also read the primary's position, at once after each write
 */
export function createListener(
  url: string,
  outbox: Outbox,
  isReachable: () => boolean,
  log: Pick<Log, 'info' | 'warn'>,
  hasReplica = false,
) {
  const { acks } = outbox;
  const config = { ...connectionTo(url), query_timeout: QUERY_TIMEOUT_MS };
  const closing = new AbortController();
  /** When the last answered probe was sent. */
  let provenAt = -Infinity;
  /** Number of writes noticed, and the position of the primary after all of them. */
  let writes = 0;
  let position: Position | undefined;
  let listening: Promise<void> | undefined;
  let hurry: (() => void) | undefined;
  /** Callers that wait for the answer to a probe sent after they called. */
  const waiting = new Set<{ since: number; answer: (isCurrent: boolean) => void }>();
  const moved = (): void => {
    if (!hasReplica) return;
    writes++;
    position = undefined;
    hurry?.();
  };
  outbox.observeSent(moved);
  const answerWaiting = (askedAt: number): void => {
    for (const one of waiting) if (one.since <= askedAt) one.answer(true);
  };

  async function receive(listener: Listener, onCurrent: () => void): Promise<never> {
    const client = new Client(config);
    const lost = new AbortController();
    const lose = (error?: unknown): void => {
      provenAt = -Infinity;
      lost.abort(error);
    };
    client.on('error', lose).on('end', lose);
    client.on('notification', ({ channel, payload = '' }) => {
      if (channel === ACK_CHANNEL) return acks.open(payload);
      const { notices, confirm } = outbox.open(payload);
      if (notices?.length !== 0) moved();
      if (notices) notices.forEach(listener.onNotice);
      else listener.onGap();
      if (confirm) acks.acknowledge(confirm.to, confirm.number);
    });
    const signal = AbortSignal.any([lost.signal, closing.signal]);
    const end = () => void client.end().catch(() => {});
    closing.signal.addEventListener('abort', end);
    try {
      await client.connect();
      // Confirmations need not survive a crash.
      await client.query(`set synchronous_commit = off; listen ${ACK_CHANNEL}; listen ${CHANNEL}`);
      await acks.connect((text) => client.query(`notify ${ACK_CHANNEL}, ${escapeLiteral(text)}`));
      outbox.expect();
      // While no page can be rendered again, the cached ones must not be discarded.
      while (!isReachable()) await sleep(POLL_INTERVAL_MS, undefined, { signal });
      // From now on every notice arrives; those of earlier writes may be missing.
      listener.onGap();
      for (let isFirst = true; ; isFirst = false) {
        const [askedAt, writesBefore] = [performance.now(), writes];
        // A pooler in between may have given the session to another client.
        const { rows, rowCount } = await client.query<Position>(
          `select ${hasReplica ? POSITION : ''} from pg_listening_channels() as t(c) where c = '${CHANNEL}'`,
        );
        signal.throwIfAborted();
        if (rowCount !== 1)
          throw new Error('the session does not listen: DATABASE_URL must not point to a transaction pooler');
        provenAt = askedAt;
        if (writes === writesBefore) [position] = rows;
        if (isFirst) onCurrent();
        answerWaiting(askedAt);
        if (waiting.size === 0 && writes === writesBefore) await pause(signal);
      }
    } catch (error) {
      throw lost.signal.reason ?? error;
    } finally {
      provenAt = -Infinity;
      hurry = undefined;
      for (const one of waiting) one.answer(false);
      if (!closing.signal.aborted) acks.disconnect();
      outbox.expectNothing();
      closing.signal.removeEventListener('abort', end);
      end();
    }
  }

  async function pause(signal: AbortSignal): Promise<void> {
    const hurried = new AbortController();
    hurry = () => hurried.abort();
    await sleep(POLL_INTERVAL_MS, undefined, { signal: AbortSignal.any([signal, hurried.signal]) }).catch(
      () => {},
    );
    signal.throwIfAborted();
  }

  async function keepListening(listener: Listener, attempted: () => void): Promise<void> {
    let isCurrent = false;
    let isReported = false;
    const onCurrent = (): void => {
      if (isReported) log.info('notifications from other processes received again');
      isCurrent = true;
      isReported = false;
      attempted();
    };
    while (!closing.signal.aborted) {
      await receive(listener, onCurrent).catch((error: unknown) => {
        if (closing.signal.aborted) return;
        if (isCurrent) outbox.numbers.losses++;
        if (!isReported)
          log.warn(
            { reason: reasonOf(error) },
            'notifications from other processes lost: page cache disabled',
          );
        isCurrent = false;
        isReported = true;
      });
      attempted();
      await sleep(RETRY_DELAY_MS, undefined, { signal: closing.signal }).catch(() => {});
    }
  }

  const notices: Notices = {
    listen: (listener) =>
      new Promise<void>((attempted) => {
        listening = keepListening(listener, attempted);
      }),
    isCurrent: () => performance.now() - provenAt < LEASE_MS,
    async catchUp() {
      if (!hurry) return false;
      hurry();
      const since = performance.now();
      return new Promise<boolean>((resolve) => {
        const one = {
          since,
          answer(isCurrent: boolean): void {
            waiting.delete(one);
            resolve(isCurrent);
          },
        };
        waiting.add(one);
        // While probes are answered, however late a busy process reads the answers, the awaited answer will
        // arrive.
        const watch = (lastAnswer: number): void => {
          const look = () => (provenAt > lastAnswer ? watch(provenAt) : one.answer(false));
          setTimeout(() => setImmediate(() => waiting.has(one) && look()), CATCH_UP_TIMEOUT_MS);
        };
        watch(provenAt);
      });
    },
    observeLag: outbox.observeLag,
    numbers: () => ({ ...outbox.numbers }),
  };
  return {
    notices,
    /** Returns the primary's position after all writes noticed so far; undefined while it is not known. */
    position: () => (notices.isCurrent() ? position : undefined),
    async close(): Promise<void> {
      await acks.leave();
      closing.abort();
      acks.disconnect();
      await listening;
    },
  };
}
