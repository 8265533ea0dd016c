import {
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import type { Answer } from './postgres-pool.ts';

export interface Connections<C extends DatabaseConnection> {
  acquireConnection(): Promise<C>;
  beginTransaction(connection: C, settings: TransactionSettings): Promise<void>;
  commitTransaction(connection: C): Promise<void>;
  rollbackTransaction(connection: C): Promise<void>;
  releaseConnection(connection: C): Promise<void>;
}

export function dialectOver<C extends DatabaseConnection>(connections: Connections<C>): Dialect {
  const driver: Driver = { ...connections, init: async () => {}, destroy: async () => {} };
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

const COUNTING = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

export function resultOf<R>({ rows, command, rowCount }: Answer): QueryResult<R> {
  return {
    rows: rows as R[],
    ...(COUNTING.has(command) ? { numAffectedRows: BigInt(rowCount ?? 0) } : {}),
  };
}

/** Kysely requires this method, but no query of the product is streamed. */
export function neverStreams(): never {
  throw new Error('streaming results is not supported');
}
