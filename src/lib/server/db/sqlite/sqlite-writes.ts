import { AsyncLocalStorage } from 'node:async_hooks';
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import {
  Kysely,
  SqliteAdapter,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type Dialect,
  type Driver,
  type SqliteDatabase,
} from 'kysely';
import { createPauses, type Pauses } from '../../jobs/pauses.ts';
import { isInRequest, outsideRequests } from '../../storage/storage.ts';
import type { Trx } from '../database.ts';
import { performBy } from '../perform.ts';
import { answerDirectly, shareCompiled } from '../prepared.ts';
import type { Schema } from '../schema/schema.ts';
import { guarded } from './sqlite-faults.ts';

type Work<T> = (trx: Trx) => Promise<T>;

interface Write {
  /** Runs the work in the context of its caller, in the transaction that is open. */
  run(): Promise<unknown>;
  /** Calls the callbacks of `afterCommit`. */
  follow(): void;
  isInRequest: boolean;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/**
 * Write transactions of `connection`, one at a time. The writes that wait, at most `maxGroup`, run one after
 * another in one transaction and are committed together, because each commit waits for the disk. If one of
 * them fails, all are rolled back and run again, each alone. Long writes pause between statements, so that
 * readers are answered meanwhile; they do not see the open transaction.
 */
export function writerOver(connection: DatabaseSync, database: SqliteDatabase, maxGroup: number) {
  const pauses = createPauses();
  const db = new Kysely<Schema>({ dialect: dialectOver(database, pauses) });
  const pending = new WeakMap<object, (() => void)[]>();
  const queue: Write[] = [];
  let running: Promise<void> | undefined;
  const command = (text: string) => guarded(connection, () => connection.exec(text));

  async function runInto(results: unknown[], group: readonly Write[]): Promise<void> {
    try {
      for (const write of group) results.push(await write.run());
      command('commit');
    } catch (error) {
      // SQLite rolls back by itself when the disk is full.
      if (connection.isTransaction) command('rollback');
      throw error;
    }
  }

  async function runGroup(group: readonly Write[]): Promise<void> {
    const results: unknown[] = [];
    pauses.restart();
    try {
      command('begin immediate');
    } catch (error) {
      for (const { reject } of group) reject(error);
      return;
    }
    try {
      await runInto(results, group);
    } catch (error) {
      if (group.length > 1) for (const write of group) await runGroup([write]);
      else group[0]?.reject(error);
      return;
    }
    for (const [index, write] of group.entries()) settle(write, results[index]);
  }

  function settle({ follow, resolve, reject }: Write, result: unknown): void {
    try {
      follow();
      resolve(result);
    } catch (error) {
      reject(error);
    }
  }

  function nextGroup(): Write[] {
    const [first] = queue;
    // A job's write may take long, and the requests of the group would wait for it.
    const end = queue.findIndex((write) => write.isInRequest !== first?.isInRequest);
    return queue.splice(0, Math.min(maxGroup, end < 0 ? queue.length : end));
  }

  async function runAll(): Promise<void> {
    while (queue.length > 0) {
      // Requests that have arrived join the group.
      if (maxGroup > 1) await setImmediate();
      await runGroup(nextGroup());
    }
    running = undefined;
  }

  return {
    transaction<T>(work: Work<T>): Promise<T> {
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      const inContext = AsyncLocalStorage.snapshot();
      let followUps: (() => void)[] = [];
      queue.push({
        run: () =>
          inContext(() =>
            db.transaction().execute((trx) => {
              followUps = [];
              pending.set(trx, followUps);
              shareCompiled(trx, db);
              performBy(trx, async ({ sql, parameters }) => {
                if (pauses.isDue()) await pauses.take();
                database.prepare(sql).run(parameters);
              });
              answerDirectly(trx, async (text, parameters) => {
                if (pauses.isDue()) await pauses.take();
                return database.prepare(text).all(parameters);
              });
              return work(trx);
            }),
          ),
        follow: () => inContext(() => followUps.forEach((followUp) => followUp())),
        isInRequest: isInRequest(),
        resolve: (result) => resolve(result as T),
        reject,
      });
      running ??= outsideRequests(runAll);
      return promise;
    },
    afterCommit(trx: Trx, work: () => void): void {
      const followUps = pending.get(trx);
      if (!followUps) throw new Error('afterCommit needs the transaction that write() passes');
      followUps.push(work);
    },
    idle: async () => running,
  };
}

/** Kysely's SQLite dialect, except that its transactions are parts of the transaction of a group. */
function dialectOver(database: SqliteDatabase, pauses: Pauses): Dialect {
  const connections = new SqliteDriver({ database });
  const inGroup = async (): Promise<void> => {};
  const driver: Driver = {
    init: () => connections.init(),
    async acquireConnection() {
      const connection = await connections.acquireConnection();
      return {
        async executeQuery(query, options) {
          if (pauses.isDue()) await pauses.take();
          return connection.executeQuery(query, options);
        },
        streamQuery: (query, chunkSize, options) => connection.streamQuery(query, chunkSize, options),
      };
    },
    releaseConnection: () => connections.releaseConnection(),
    destroy: () => connections.destroy(),
    beginTransaction: inGroup,
    commitTransaction: inGroup,
    rollbackTransaction: inGroup,
  };
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}
