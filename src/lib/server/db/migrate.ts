import { sql, type Kysely, type Transaction } from 'kysely';
import type { Log } from '../shared/log.ts';
import type { Database } from './database.ts';
import type { Schema } from './schema/schema.ts';
import type { Migration } from './migration.ts';
import * as migrations from './migrations.ts';

/** All migrations, in order. The statements of a released number never change. */
export const MIGRATIONS: readonly Migration[] = Object.values(migrations).toSorted(
  (one, other) => one.number - other.number,
);

export const NEWEST_VERSION = MIGRATIONS.at(-1)?.number ?? 0;

export const migrationsTo = (version: number): readonly Migration[] =>
  MIGRATIONS.filter(({ number }) => number <= version);

export class NewerDatabaseError extends Error {
  constructor(found: number, known: number) {
    super(
      `database schema is version ${found}, this version of Moye knows ${known}: start the newer version`,
    );
    this.name = 'NewerDatabaseError';
  }
}

const SILENT = { info: () => {} };

type Write = <T>(work: (trx: Transaction<Schema>) => Promise<T>) => Promise<T>;

/**
 * Migrates the database to the newest schema. Each step is a transaction that first reads the version under
 * the write lock, so two processes that start together run each step once.
 * @param log receives one line about all steps that this process has run
 * @throws NewerDatabaseError
 */
export async function migrate(
  engine: Database['engine'],
  write: Write,
  steps: readonly Migration[] = MIGRATIONS,
  log: Pick<Log, 'info'> = SILENT,
): Promise<void> {
  const newest = steps.at(-1)?.number ?? 0;
  let ran = null as { from: number; to: number } | null;
  for (;;) {
    const done = await write(async (trx) => {
      const current = await readVersion(trx);
      if (current > newest) throw new NewerDatabaseError(current, newest);
      const step = steps.find((candidate) => candidate.number > current);
      if (!step) return null;
      for (const statement of step[engine]) await sql.raw(statement).execute(trx);
      await sql`update schema_version set version = ${step.number}`.execute(trx);
      return { from: current, to: step.number };
    });
    if (!done) break;
    ran = { from: ran?.from ?? done.from, to: done.to };
  }
  if (ran) log.info(ran, 'database migrated');
}

async function readVersion(db: Kysely<Schema>): Promise<number> {
  await sql`create table if not exists schema_version (version integer not null)`.execute(db);
  const { rows } = await sql<{ version: number }>`select version from schema_version`.execute(db);
  if (rows[0]) return rows[0].version;
  await sql`insert into schema_version (version) values (0)`.execute(db);
  return 0;
}
