import { sql } from 'kysely';
import type { Queryable } from '../database.ts';

const MAX_SHOWN_FAULTS = 5;

/**
 * Returns the faults that PostgreSQL already knows: pages with a wrong checksum, invalid indexes, constraints
 * that were never validated. It reads no tables for this; pg_amcheck does.
 */
export async function postgresFaults(db: Queryable): Promise<string[]> {
  const { rows } = await sql<{ fault: string }>`
    select 'checksum failures: ' || checksum_failures as fault from pg_stat_database
      where datname = current_database() and checksum_failures > 0
    union all
    select 'index ' || indexrelid::regclass from pg_index join pg_class on pg_class.oid = indrelid
      where not (indisvalid and indisready) and relnamespace = current_schema()::regnamespace
    union all
    select 'constraint ' || conname from pg_constraint
      where not convalidated and connamespace = current_schema()::regnamespace
    limit ${sql.lit(MAX_SHOWN_FAULTS)}`.execute(db);
  return rows.map(({ fault }) => fault);
}
