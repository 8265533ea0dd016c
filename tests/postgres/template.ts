import type { Client } from 'pg';

/** A migrated database from which those of tests are made. */
export interface Template {
  name: string;
  /** Identifies schema and settings, see `FINGERPRINT`. */
  fingerprint: string;
  /** Rows that migrations insert, by table. */
  rows: Record<string, unknown[]>;
  /** Last value of each sequence; null for an unused one. */
  sequences: Record<string, string | null>;
}

/** Query for one row with a `fingerprint` of the tables, constraints, triggers, functions and settings. */
export const FINGERPRINT = `
  select md5(string_agg(part, ',' order by part)) as fingerprint from (
    select concat('class', relname, relkind, relnatts, reloptions) as part from pg_class
      where relnamespace = 'public'::regnamespace
    union all select concat('attribute', attrelid::regclass, attname, atttypid, attnotnull) from pg_attribute
      where attnum > 0 and attrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
    union all select concat('constraint', conname, conrelid::regclass) from pg_constraint
      where connamespace = 'public'::regnamespace
    union all select concat('trigger', tgname, tgrelid::regclass) from pg_trigger where not tgisinternal
    union all select concat('function', proname, md5(prosrc)) from pg_proc
      where pronamespace = 'public'::regnamespace
    union all select concat('schema', nspname) from pg_namespace where nspname !~ '^pg_'
    union all select concat('setting', setconfig) from pg_db_role_setting
      where setdatabase = (select oid from pg_database where datname = current_database())
  ) as parts`;

/** Reads what `giveBack` needs to empty a copy of the connected database. */
export async function describeTemplate(client: Client, name: string): Promise<Template> {
  const { rows: found } = await client.query<{ fingerprint: string }>(FINGERPRINT);
  const { rows: tables } = await client.query<{ name: string }>(
    `select relname as name from pg_class
       where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0`,
  );
  const rows: Template['rows'] = {};
  for (const table of tables) {
    const sql = `select coalesce(json_agg(t), '[]') as content from "${table.name}" t`;
    rows[`"${table.name}"`] = (await client.query<{ content: unknown[] }>(sql)).rows[0]?.content ?? [];
  }
  const { rows: sequences } = await client.query<{ name: string; value: string | null }>(
    `select quote_ident(sequencename) as name, last_value as value from pg_sequences where schemaname = 'public'`,
  );
  return {
    name,
    fingerprint: found[0]?.fingerprint ?? '',
    rows,
    sequences: Object.fromEntries(sequences.map((each) => [each.name, each.value])),
  };
}
