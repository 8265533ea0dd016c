import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, type CompiledQuery, type DatabaseConnection, type QueryResult } from 'kysely';
import { outsideRequests, StorageUnavailableError, waiting } from '../../storage/storage.ts';
import type { Trx } from '../database.ts';
import { performBy } from '../perform.ts';
import type { Outbox, Sealed } from './postgres-notices.ts';
import { dialectOver, neverStreams, resultOf } from './postgres-dialect.ts';
import {
  asFault,
  codeOf,
  isUnwritable,
  LostConnection,
  STATEMENT_TIMEOUT_MS,
  type Answer,
  type PostgresPool,
  type Session,
} from './postgres-pool.ts';
import type { Schema } from '../schema/schema.ts';

type Work<T> = (trx: Trx) => Promise<T>;

/** A committed write; the caller's response waits for `received` (postgres-acks.ts). */
interface Written<T> {
  result: T;
  received: Promise<void> | undefined;
}

/** Lock of each write transaction ("moye" in ASCII): services assume a single writer. */
const WRITE_LOCK = 0x6d6f7965;
const MAX_ATTEMPTS = 5;
/** Time that the server may take to report an aborted statement. */
const RESPONSE_MARGIN_MS = 500;
const MAX_RETRY_DELAY_MS = 50;
/** Longest delay that setTimeout supports. */
const FOREVER_MS = 2 ** 31 - 1;

interface Aftermath {
  followUps: (() => void)[];
  notices: unknown[];
}

/**
 * Write transactions, one at a time. One that the server rolled back by itself, or that lost its connection
 * before the commit was sent, runs again; one too long for its caller is rolled back.
 */
export function writerOver(pool: PostgresPool, outbox: Outbox) {
  const pending = new WeakMap<object, Aftermath>();
  let current: WriteConnection | undefined;
  let deadline = 0;
  const db = new Kysely<Schema>({
    dialect: dialectOver<WriteConnection>({
      async acquireConnection() {
        current = new WriteConnection(await pool.acquire('writer'), deadline);
        return current;
      },
      beginTransaction: (connection) => connection.begin(),
      commitTransaction: (connection) => connection.commit(),
      rollbackTransaction: (connection) => connection.rollback(),
      releaseConnection: async (connection) => connection.release(),
    }),
  });

  async function once<T>(work: Work<T>): Promise<Written<T>> {
    const aftermath: Aftermath = { followUps: [], notices: [] };
    // The request does not wait for what the callbacks start.
    const follow = () => outsideRequests(() => aftermath.followUps.forEach((followUp) => followUp()));
    let sealed: Sealed | undefined;
    current = undefined;
    try {
      const result = await db.transaction().execute(async (trx) => {
        pending.set(trx, aftermath);
        performBy(trx, (query) => current?.send(query));
        const made = await work(trx);
        sealed = outbox.seal(aftermath.notices);
        current?.announceAtCommit(sealed.statements);
        return made;
      });
      follow();
      return { result, received: sealed?.received() };
    } catch (error) {
      // If it was committed after all, its notices are handled like another process's.
      sealed?.disown();
      if (isOutcomeUnknown(error)) follow();
      throw error;
    }
  }
  const isOutcomeUnknown = (error: unknown) => error instanceof LostConnection && current?.isCommitting;

  async function persist<T>(work: Work<T>, until: number): Promise<Written<T>> {
    deadline = until;
    for (let attempt = 1; ; attempt++) {
      try {
        return await once(work);
      } catch (error) {
        if (isOutcomeUnknown(error)) throw new StorageUnavailableError(error, true);
        if (isUnwritable(error)) throw new StorageUnavailableError(error);
        if (!isPassing(error)) throw asFault(error);
        if (attempt === MAX_ATTEMPTS || performance.now() >= deadline)
          throw new StorageUnavailableError(error);
        await sleep(Math.random() * MAX_RETRY_DELAY_MS);
      }
    }
  }

  let tail: Promise<unknown> = Promise.resolve();
  /** Runs `work` in turn; after waiting `atMost` milliseconds it is refused and never runs. */
  function queue<T>(work: Work<T>, atMost: number): Promise<T> {
    const until = performance.now() + atMost;
    return new Promise<T>((resolve, reject) => {
      let isTooLate = false;
      const timer = setTimeout(() => {
        isTooLate = true;
        reject(new StorageUnavailableError(new Error('too many writes are waiting')));
      }, atMost);
      const turn = async (): Promise<void> => {
        clearTimeout(timer);
        if (isTooLate) return;
        await persist(work, until).then(({ result, received }) => {
          // The next write does not wait for other processes.
          void Promise.resolve(received).then(() => resolve(result));
        }, reject);
      };
      tail = tail.then(turn);
    });
  }

  function aftermathOf(trx: Trx): Aftermath {
    const aftermath = pending.get(trx);
    if (!aftermath) throw new Error('this needs the transaction that write() passes');
    return aftermath;
  }

  return {
    transaction: <T>(work: Work<T>): Promise<T> =>
      waiting((atMost) => queue(work, atMost), pool.roundTripMs()),
    patiently: <T>(work: Work<T>): Promise<T> => queue(work, FOREVER_MS),
    afterCommit: (trx: Trx, work: () => void) => void aftermathOf(trx).followUps.push(work),
    announce: (trx: Trx, notice: unknown) => void aftermathOf(trx).notices.push(notice),
    idle: () => tail,
  };
}

class WriteConnection implements DatabaseConnection {
  readonly #session: Session;
  readonly #deadline: number;
  readonly #timer: NodeJS.Timeout;
  #lastWords = '';
  /** Error of the first statement that failed without being awaited. */
  #fault: Error | undefined;
  isCommitting = false;
  streamQuery = neverStreams;

  constructor(session: Session, deadline: number) {
    this.#session = session;
    this.#deadline = deadline;
    // However it spends its time, it blocks all other writers.
    this.#timer = setTimeout(() => session.drop(), this.#left());
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    return resultOf(await this.#run(sql, parameters));
  }

  send({ sql, parameters }: CompiledQuery): void {
    this.#session.run(sql, parameters, this.#left()).catch((error: Error) => {
      this.#fault ??= error;
    });
  }

  /** PostgreSQL answers in order: after a failed statement all others in the transaction fail. */
  async #run(text: string, values: readonly unknown[]): Promise<Answer> {
    try {
      return await this.#session.run(text, values, this.#left());
    } catch (error) {
      const reason = this.#fault ?? error;
      // The next connection may reach the current primary.
      if (isUnwritable(reason)) this.#session.drop();
      throw reason;
    }
  }

  async begin(): Promise<void> {
    const left = this.#left();
    // The server times out slightly earlier and reports it, which distinguishes a wait from a silent server.
    const patience = left - RESPONSE_MARGIN_MS;
    const longer =
      patience > STATEMENT_TIMEOUT_MS
        ? `set local statement_timeout = ${patience}; set local lock_timeout = ${patience};`
        : '';
    try {
      await this.#session.run(`begin; ${longer} select pg_advisory_xact_lock(${WRITE_LOCK})`, [], left);
    } catch (error) {
      // Kysely ends only transactions that have begun.
      await this.rollback();
      throw error;
    }
  }

  /** Sends `statements`, each with its semicolon, together with the commit. */
  announceAtCommit(statements: string): void {
    this.#lastWords = statements;
  }

  async commit(): Promise<void> {
    this.isCommitting = true;
    const { command } = await this.#run(`${this.#lastWords}commit`, []);
    this.isCommitting = false;
    if (this.#fault) throw this.#fault;
    if (command !== 'COMMIT') throw new Error('a statement failed, but its transaction continued');
  }

  /** If ROLLBACK fails, drops the connection. */
  async rollback(): Promise<void> {
    await this.#session.run('rollback', [], this.#left()).catch(() => this.#session.drop());
  }

  release(): void {
    clearTimeout(this.#timer);
    this.#session.release();
  }

  #left(): number {
    return Math.max(1, Math.floor(this.#deadline - performance.now()));
  }
}

/** Serialisation failure, deadlock, lock timeout: another attempt may succeed. */
const PASSING = new Set(['40001', '40P01', '55P03']);
const isPassing = (error: unknown) => error instanceof LostConnection || PASSING.has(codeOf(error));
