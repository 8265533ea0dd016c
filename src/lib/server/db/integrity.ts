import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import type { Database } from './database.ts';

const BUSY_TIMEOUT_MS = 5_000;
const MAX_SHOWN_FAULTS = 5;

/**
 * Returns the faults that SQLite finds in the whole database `file`; empty if it is intact. Reads on a
 * separate read-only connection and blocks this thread: not for a server's thread.
 */
export function sqliteFaults(file: string): string[] {
  const connection = new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS, defensive: true });
  try {
    const texts = connection.prepare(`pragma integrity_check(${MAX_SHOWN_FAULTS})`).all();
    const faults = texts.map((row) => String(row['integrity_check'])).filter((text) => text !== 'ok');
    const strays = connection.prepare('pragma foreign_key_check').all();
    const tables = [...new Set(strays.map(({ table, parent }) => `${String(table)} → ${String(parent)}`))];
    return [...faults, ...tables.slice(0, MAX_SHOWN_FAULTS).map((text) => `foreign key ${text}`)];
  } catch (error) {
    return [(error as Error).message];
  } finally {
    connection.close();
  }
}

/**
 * Returns the faults that PostgreSQL already knows: pages with a wrong checksum, invalid indexes, constraints
 * that were never validated. It reads no tables for this; pg_amcheck does.
 */
export async function postgresFaults(db: Database): Promise<string[]> {
  const { rows } = await sql<{ fault: string }>`
    select 'checksum failures: ' || checksum_failures as fault from pg_stat_database
      where datname = current_database() and checksum_failures > 0
    union all
    select 'index ' || indexrelid::regclass from pg_index join pg_class on pg_class.oid = indrelid
      where not (indisvalid and indisready) and relnamespace = current_schema()::regnamespace
    union all
    select 'constraint ' || conname from pg_constraint
      where not convalidated and connamespace = current_schema()::regnamespace
    limit ${sql.lit(MAX_SHOWN_FAULTS)}`.execute(db.read);
  return rows.map(({ fault }) => fault);
}

/** Returns the time of the database's clock in milliseconds; for SQLite, of this machine's clock. */
export async function databaseTime(db: Database): Promise<number> {
  if (db.engine === 'sqlite') return Date.now();
  const { rows } = await sql<{ time: number }>`
    select cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as time`.execute(db.read);
  return Number(rows[0]?.time);
}
