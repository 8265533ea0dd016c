import { CompiledQuery, type DatabaseConnection, type Dialect, type QueryResult } from 'kysely';
import { waiting } from '../../storage/storage.ts';
import { dialectOver, neverStreams, resultOf } from './postgres-dialect.ts';
import {
  asFault,
  LostConnection,
  STATEMENT_TIMEOUT_MS,
  type Answer,
  type PostgresPool,
  type Session,
} from './postgres-pool.ts';

/** One more than the readers of a small pool, because all its idle sessions may have ended together. */
const MAX_ATTEMPTS = 5;

/** Runs a statement outside transactions; if it loses its connection, it runs again on another. */
export async function runRead(pool: PostgresPool, text: string, values: readonly unknown[]): Promise<Answer> {
  return waiting(async (atMost) => {
    const deadline = performance.now() + Math.min(atMost, 2 * STATEMENT_TIMEOUT_MS);
    for (let attempt = 1; ; attempt++) {
      const session = await pool.acquire('readers');
      try {
        return await session.run(text, values.map(findable), Math.max(1, deadline - performance.now()));
      } catch (error) {
        const isLast = attempt === MAX_ATTEMPTS || performance.now() >= deadline;
        if (!(error instanceof LostConnection) || isLast) throw asFault(error);
      } finally {
        session.release();
      }
    }
  }, pool.roundTripMs());
}

/** Runs one statement of `SharedCounts`; never twice, because it may have counted. */
export async function runCount(
  pool: PostgresPool,
  text: string,
  values: readonly unknown[],
): Promise<Answer> {
  return waiting(async (atMost) => {
    const session = await pool.acquire('counters');
    try {
      return await session.run(text, values, Math.min(atMost, STATEMENT_TIMEOUT_MS));
    } catch (error) {
      throw asFault(error);
    } finally {
      session.release();
    }
  }, pool.roundTripMs());
}

/** PostgreSQL refuses NUL, which no stored text contains: searches for a character that no name contains. */
const findable = (value: unknown) => (typeof value === 'string' ? value.replaceAll('\0', '\u0001') : value);

/** Kysely's connection for reads: any free one for each statement, a fixed one in a transaction. */
class ReadConnection implements DatabaseConnection {
  readonly #pool: PostgresPool;
  #session: Session | undefined;
  streamQuery = neverStreams;

  constructor(pool: PostgresPool) {
    this.#pool = pool;
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const session = this.#session;
    if (!session) return resultOf(await runRead(this.#pool, sql, parameters));
    return waiting(async (atMost) => {
      try {
        return resultOf<R>(await session.run(sql, parameters.map(findable), atMost));
      } catch (error) {
        throw asFault(error);
      }
    }, this.#pool.roundTripMs());
  }

  async begin(statement: string): Promise<void> {
    this.#session = await this.#pool.acquire('readers');
    try {
      await this.executeQuery(CompiledQuery.raw(statement));
    } catch (error) {
      this.#session.drop();
      throw error;
    }
  }

  /** If ROLLBACK fails, drops the connection. */
  async rollback(): Promise<void> {
    await this.executeQuery(CompiledQuery.raw('rollback')).catch(() => this.#session?.drop());
  }

  release(): void {
    this.#session?.release();
    this.#session = undefined;
  }
}

/** Reads over `pool`. A transaction sees one state of the database, that of its first statement. */
export function readerOver(pool: PostgresPool): Dialect {
  return dialectOver<ReadConnection>({
    acquireConnection: async () => new ReadConnection(pool),
    beginTransaction: (connection, { isolationLevel = 'repeatable read' }) =>
      connection.begin(`start transaction isolation level ${isolationLevel} read only`),
    async commitTransaction(connection) {
      await connection.executeQuery(CompiledQuery.raw('commit'));
    },
    rollbackTransaction: (connection) => connection.rollback(),
    releaseConnection: async (connection) => connection.release(),
  });
}
