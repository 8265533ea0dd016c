import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import type { Database } from './database.ts';

const BUSY_TIMEOUT_MS = 5_000;
/** Faults that are named; more are alike. */
const NAMED = 5;

/**
 * What SQLite finds wrong with the database `file`, read whole on a connection of its own that cannot write;
 * empty where all is well. Blocks this thread: not for a server's.
 */
export function sqliteFaults(file: string): string[] {
  const connection = new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS, defensive: true });
  try {
    const texts = connection.prepare(`pragma integrity_check(${NAMED})`).all();
    const faults = texts.map((row) => String(row['integrity_check'])).filter((text) => text !== 'ok');
    const strays = connection.prepare('pragma foreign_key_check').all();
    const tables = [...new Set(strays.map(({ table, parent }) => `${String(table)} → ${String(parent)}`))];
    return [...faults, ...tables.slice(0, NAMED).map((text) => `foreign key ${text}`)];
  } catch (error) {
    return [(error as Error).message];
  } finally {
    connection.close();
  }
}

/**
 * What PostgreSQL knows to be wrong: pages whose checksum was wrong, indexes that are not whole, constraints
 * that were never checked. It reads nothing for that; whole reads are pg_amcheck's.
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
    limit ${sql.lit(NAMED)}`.execute(db.read);
  return rows.map(({ fault }) => fault);
}

/** What the database's own clock says, milliseconds; SQLite has this machine's. */
export async function databaseTime(db: Database): Promise<number> {
  if (db.engine === 'sqlite') return Date.now();
  const { rows } = await sql<{ time: number }>`
    select cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as time`.execute(db.read);
  return Number(rows[0]?.time);
}
