import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely } from 'kysely';
import { isInRequest, outsideRequests, StorageUnavailableError, waiting } from '../../storage/storage.ts';
import type { Trx } from '../database.ts';
import { performBy } from '../perform.ts';
import { answerDirectly, shareCompiled } from '../prepared.ts';
import type { Schema } from '../schema/schema.ts';
import { dialectOver } from './postgres-dialect.ts';
import type { Outbox, Sealed } from './postgres-notices.ts';
import {
  asFault,
  codeOf,
  isUnwritable,
  LostConnection,
  type PostgresPool,
  type Writer,
} from './postgres-pool.ts';
import { WriteConnection } from './postgres-write-connection.ts';

type Work<T> = (trx: Trx) => Promise<T>;

const MAX_ATTEMPTS = 5;
const MAX_RETRY_DELAY_MS = 50;
/** Longest delay that setTimeout supports. */
const FOREVER_MS = 2 ** 31 - 1;
/** Later no further write joins a group, because other processes wait for the lock. */
const MAX_GROUP_MS = 20;

interface Write {
  /** Runs the work in the context of its caller. */
  run(): Promise<unknown>;
  deadline: number;
  isInRequest: boolean;
  /** Forms a group by itself, because its former group failed. */
  isAlone: boolean;
  isLate: boolean;
  attempts: number;
  outcome?: { result: unknown } | { error: unknown };
  followUps: (() => void)[];
  notices: unknown[];
  resolve(result: unknown): void;
  reject(error: unknown): void;
}
type Done = Write & { outcome: { result: unknown } };

const latestOf = (writes: readonly Write[]) => Math.max(...writes.map(({ deadline }) => deadline));
const isDone = (write: Write): write is Done => write.outcome !== undefined && 'result' in write.outcome;

const writes = new WeakMap<object, Write>();

function writeOf(trx: Trx): Write {
  const write = writes.get(trx);
  if (!write) throw new Error('this needs the transaction that write() passes');
  return write;
}

export const afterCommit = (trx: Trx, work: () => void): void => void writeOf(trx).followUps.push(work);
export const announce = (trx: Trx, notice: unknown): void => void writeOf(trx).notices.push(notice);

/**
 * Write transactions, one at a time; those `aside` run at the same time as the others. The writes that wait
 * form a group of at most `maxGroup`: they run one after another in one transaction, each under a savepoint,
 * and are committed together. A write does not wait for the answers to statements of the one before it. If
 * one of those failed, the server rolled the group back by itself, or the connection was lost before the
 * commit was sent, its writes run again, each alone. One that takes too long for a caller is rolled back.
 */
export function writerOver(pool: PostgresPool, outbox: Outbox, maxGroup: number, from: Writer = 'writer') {
  const queue: Write[] = [];
  let running: Promise<void> | undefined;
  let connection: WriteConnection | undefined;
  const current = (): WriteConnection => {
    if (!connection) throw new Error('no write transaction is open');
    return connection;
  };
  const db = new Kysely<Schema>({
    dialect: dialectOver<WriteConnection>({
      acquireConnection: async () => current(),
      beginTransaction: async (opened) => opened.begin(),
      commitTransaction: async () => {},
      rollbackTransaction: (opened) => opened.undo(),
      releaseConnection: async () => {},
    }),
  });

  function mayJoin(group: readonly Write[], until: number): boolean {
    const [first] = group;
    const [next] = queue;
    if (!first || !next) return next !== undefined;
    if (first.isAlone || next.isAlone || group.length >= maxGroup) return false;
    // A job's write may take long, and the requests of the group would wait for it.
    return first.isInRequest === next.isInRequest && performance.now() < until;
  }

  async function runInto(group: Write[], opened: WriteConnection): Promise<void> {
    const until = performance.now() + MAX_GROUP_MS;
    while (mayJoin(group, until)) {
      const write = queue.shift() as Write;
      group.push(write);
      [write.followUps, write.notices] = [[], []];
      opened.deadline = write.deadline;
      write.outcome = await write.run().then(
        (result) => ({ result }),
        (error: unknown) => ({ error }),
      );
      // It has ignored that a statement failed.
      if (opened.fault !== undefined) {
        write.outcome = { error: opened.fault };
        await opened.undo();
      }
      if (opened.ended !== undefined) throw opened.ended;
    }
  }

  async function runGroup(): Promise<void> {
    const group: Write[] = [];
    const deadline = latestOf(queue);
    let sealed: Sealed | undefined;
    try {
      const opened = (connection = new WriteConnection(await pool.acquire(from)));
      await opened.open(deadline, from === 'aside');
      await runInto(group, opened);
      const done = group.filter(isDone);
      if (done.length > 0) {
        sealed = outbox.seal(
          done.flatMap(({ notices }) => notices),
          from,
        );
        opened.deadline = latestOf(done);
        await opened.commit(sealed.statements);
      } else await opened.rollback();
    } catch (error) {
      // If it was committed after all, its notices are handled like another process's.
      sealed?.disown();
      await connection?.rollback();
      if (error instanceof LostConnection && connection?.isCommitting)
        return await leaveUnknown(group, error);
      return await fail(group.length > 0 ? group : queue.splice(0, 1), error);
    } finally {
      connection?.release();
      connection = undefined;
    }
    const received = sealed?.received();
    const done = group.filter(isDone);
    done.forEach(follow);
    // The next group does not wait for other processes.
    for (const { notices, resolve, outcome } of done)
      void Promise.resolve(notices.length > 0 ? received : undefined).then(() => resolve(outcome.result));
    await refuse(group);
  }

  /** The request does not wait for what the callbacks start. */
  function follow({ followUps, reject }: Write): void {
    try {
      outsideRequests(() => followUps.forEach((followUp) => followUp()));
    } catch (error) {
      reject(error);
    }
  }

  async function refuse(group: readonly Write[]): Promise<void> {
    for (const write of group)
      if (write.outcome && 'error' in write.outcome) await fail([write], write.outcome.error);
  }

  async function leaveUnknown(group: readonly Write[], error: LostConnection): Promise<void> {
    for (const write of group.filter(isDone)) {
      follow(write);
      write.reject(new StorageUnavailableError(error, true));
    }
    await refuse(group);
  }

  /** Refuses writes that were rolled back, or queues them again. */
  async function fail(group: readonly Write[], error: unknown): Promise<void> {
    const isPassing = error instanceof LostConnection || PASSING.has(codeOf(error));
    const again: Write[] = [];
    for (const write of group) {
      write.attempts++;
      if (group.length === 1 && !isPassing)
        write.reject(isUnwritable(error) ? new StorageUnavailableError(error) : asFault(error));
      else if (write.isLate || write.attempts === MAX_ATTEMPTS)
        write.reject(new StorageUnavailableError(error));
      else again.push(Object.assign(write, { isAlone: true }));
    }
    queue.unshift(...again);
    if (again.length > 0) await sleep(Math.random() * MAX_RETRY_DELAY_MS);
  }

  async function runAll(): Promise<void> {
    while (queue.length > 0) await runGroup();
    running = undefined;
  }

  /** Refuses a write whose caller waits no longer. */
  function expire(write: Write): void {
    write.isLate = true;
    const at = queue.indexOf(write);
    if (at >= 0) {
      queue.splice(at, 1);
      write.reject(new StorageUnavailableError(new Error('too many writes are waiting')));
    } else if (connection?.isCommitting) {
      write.reject(new StorageUnavailableError(new Error('the commit takes too long'), true));
    } else {
      // However it spends its time, it blocks all other writers.
      connection?.drop(new LostConnection('a write takes too long'));
    }
  }

  /** Runs `work` in turn; `atMost` milliseconds later it is refused. */
  function enqueue<T>(work: Work<T>, atMost: number): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const inContext = AsyncLocalStorage.snapshot();
    const timer = setTimeout(() => expire(write), atMost);
    const write: Write = {
      run: () =>
        inContext(() =>
          db.transaction().execute((trx) => {
            const opened = current();
            writes.set(trx, write);
            shareCompiled(trx, db);
            performBy(trx, (query) => opened.send(query));
            answerDirectly(trx, (text, values) => opened.query(text, values));
            return work(trx);
          }),
        ),
      deadline: performance.now() + atMost,
      isInRequest: isInRequest(),
      isAlone: false,
      isLate: false,
      attempts: 0,
      followUps: [],
      notices: [],
      resolve(result) {
        clearTimeout(timer);
        resolve(result as T);
      },
      reject(error) {
        clearTimeout(timer);
        reject(error);
      },
    };
    queue.push(write);
    running ??= outsideRequests(runAll);
    return promise;
  }

  return {
    transaction: <T>(work: Work<T>): Promise<T> =>
      waiting((atMost) => enqueue(work, atMost), pool.roundTripMs()),
    patiently: <T>(work: Work<T>): Promise<T> => enqueue(work, FOREVER_MS),
    idle: async () => running,
  };
}

/** Serialisation failure, deadlock, lock timeout: another attempt may succeed. */
const PASSING = new Set(['40001', '40P01', '55P03']);
