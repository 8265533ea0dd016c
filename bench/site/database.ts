import { join } from 'node:path';
import { Kysely, PostgresDialect } from 'kysely';
import { Pool } from 'pg';
import type { Database, Trx } from '../../src/lib/server/db/database.ts';
import { openPostgres } from '../../src/lib/server/db/postgres/postgres.ts';
import type { Schema } from '../../src/lib/server/db/schema/schema.ts';
import { openSqlite } from '../../src/lib/server/db/sqlite/sqlite.ts';

const SILENT = { info: () => {}, warn: () => {} };

/** Opens the database of a server's settings, and migrates it. */
export const openDatabase = (env: NodeJS.ProcessEnv): Promise<Database> => {
  const { DATABASE_URL: url, DATA_DIR: folder = '' } = env;
  return url ? openPostgres(url, { connections: 2, log: SILENT }) : openSqlite(join(folder, 'moye.sqlite'));
};

/** Runs `work` in a transaction. */
export type Write = (work: (trx: Trx) => Promise<void>) => Promise<void>;

/** Runs `work` with transactions that have no time limit. */
export async function writeAtLeisure(
  { DATABASE_URL: url }: NodeJS.ProcessEnv,
  db: Database,
  work: (write: Write) => Promise<void>,
): Promise<void> {
  if (!url) return work((task) => db.write(task));
  const pool = new Pool({ connectionString: url, max: 1 });
  const patient = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  try {
    await work((task) => patient.transaction().execute(task));
  } finally {
    await patient.destroy();
  }
}
