import { sql, type RawBuilder } from 'kysely';
import type { Queryable, Trx } from './database.ts';
import type { Schema } from './schema/schema.ts';

/** A counter stored in a column. The code that updates the counter declares it. */
export interface KeptNumber {
  table: keyof Schema;
  key: string;
  column: string;
  /** Query that counts the true values: rows of `key` and `value`; a missing row means 0. */
  truth: RawBuilder<unknown>;
  /** Condition on the rows that hold this counter; all rows by default. */
  only?: RawBuilder<unknown>;
  /** Inserts missing rows, with the values of these columns from `truth`. */
  adds?: readonly string[];
}

const where = ({ only }: KeptNumber) => only ?? sql`1 = 1`;

const wrongRows = (kept: KeptNumber) => {
  const { table, key, column, truth } = kept;
  const stored = sql.ref(`kept.${column}`);
  return sql`select kept.${sql.ref(key)} as wrong_key, cast(coalesce(counted.value, 0) as bigint) as right_value
    from ${sql.table(table)} as kept left join (${truth}) as counted on counted.key = kept.${sql.ref(key)}
    where ${stored} <> coalesce(counted.value, 0) and (${where(kept)})`;
};

const missingRows = ({ table, key, truth }: KeptNumber) =>
  sql`from (${truth}) as counted
    where not exists (select 1 from ${sql.table(table)} as kept where kept.${sql.ref(key)} = counted.key)`;

export async function countWrongNumbers(db: Queryable, kept: KeptNumber): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from (${wrongRows(kept)}) as wrong`.execute(db);
  const missing = kept.adds
    ? await sql<{ total: number }>`select count(*) as total ${missingRows(kept)}`.execute(db)
    : { rows: [] };
  return (rows[0]?.total ?? 0) + (missing.rows[0]?.total ?? 0);
}

export async function mendNumbers(trx: Trx, kept: KeptNumber): Promise<void> {
  const { table, key, column, adds } = kept;
  const target = sql.table(table);
  await sql`update ${target} set ${sql.ref(column)} = wrong.right_value from (${wrongRows(kept)}) as wrong
    where ${sql.ref(`${table}.${key}`)} = wrong.wrong_key`.execute(trx);
  if (!adds) return;
  const extra = sql.join(
    adds.map((name) => sql`, ${sql.ref(name)}`),
    sql``,
  );
  await sql`insert into ${target} (${sql.ref(key)}, ${sql.ref(column)}${extra})
    select counted.key, counted.value${extra} ${missingRows(kept)}`.execute(trx);
}
