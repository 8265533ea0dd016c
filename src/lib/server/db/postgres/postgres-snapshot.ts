import { Kysely, type CompiledQuery, type DatabaseConnection } from 'kysely';
import { Client } from 'pg';
import { StorageUnavailableError, StorageUnusableError } from '../../storage/storage.ts';
import type { Snapshot } from '../database.ts';
import { dialectOver, neverStreams, resultOf } from './postgres-dialect.ts';
import { connectionTo, reasonOf, sessionSettings } from './postgres-pool.ts';
import type { Schema } from '../schema/schema.ts';

/**
 * A statement may read a whole table of millions of rows, and the transaction is idle while rows are written
 * elsewhere.
 */
const SESSION_TIMEOUTS = { statement_timeout: 600_000, idle_in_transaction_session_timeout: 0 };

/** Opens the database at `url` in its current state, on one connection. @throws StorageUnusableError */
export async function openPostgresSnapshot(url: string): Promise<Snapshot> {
  const client = new Client(connectionTo(url));
  // The next query reports the error.
  client.on('error', () => {});
  const name = `${client.host}:${client.port}/${client.database ?? ''}`;
  try {
    await client.connect();
    await client.query(sessionSettings(url, SESSION_TIMEOUTS));
    await client.query('start transaction isolation level repeatable read read only');
    const { rows } = await client.query<{ name: string }>(
      'select tablename as name from pg_tables where schemaname = any (current_schemas(false))',
    );
    const tables = rows.map((row) => row.name);
    const versions = tables.includes('schema_version')
      ? (await client.query<{ version: number }>('select version from schema_version')).rows
      : [];
    return {
      engine: 'postgres',
      name,
      tables,
      version: versions[0]?.version ?? 0,
      db: new Kysely<Schema>({ dialect: dialectOnto(client) }),
      close: () => client.end(),
    };
  } catch (error) {
    await client.end().catch(() => {});
    throw new StorageUnusableError(`cannot use PostgreSQL database ${name}: ${reasonOf(error)}`);
  }
}

function dialectOnto(client: Client) {
  const connection: DatabaseConnection = {
    async executeQuery<R>({ sql, parameters }: CompiledQuery) {
      try {
        return resultOf<R>(await client.query(sql, [...parameters]));
      } catch (error) {
        throw new StorageUnavailableError(error);
      }
    },
    streamQuery: neverStreams,
  };
  const notHere = (): never => {
    throw new Error('transactions inside a snapshot are not supported');
  };
  return dialectOver({
    acquireConnection: async () => connection,
    beginTransaction: async () => notHere(),
    commitTransaction: async () => notHere(),
    rollbackTransaction: async () => notHere(),
    releaseConnection: async () => {},
  });
}
