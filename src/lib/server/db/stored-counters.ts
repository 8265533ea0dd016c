import { sql, type RawBuilder } from 'kysely';
import type { Queryable, Trx } from './database.ts';
import { firstValue } from './lists.ts';
import { perform } from './perform.ts';
import type { Schema } from './schema/schema.ts';

/** A counter stored in a column. The code that updates the counter declares it. */
export interface StoredCounter {
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

type Total = Schema['counters']['name'];

/** Returns a total of the site. */
export const readTotal = async (db: Queryable, name: Total): Promise<number> =>
  (await firstValue(db.selectFrom('counters').select('value').where('name', '=', name))) ?? 0;

/** Adds to a total of the site. */
export const addToTotal = (trx: Trx, name: Total, delta: number): Promise<void> =>
  perform(
    trx,
    trx
      .updateTable('counters')
      .set((eb) => ({ value: eb('value', '+', delta) }))
      .where('name', '=', name),
  );

const where = ({ only }: StoredCounter) => only ?? sql`1 = 1`;

const wrongRows = (counter: StoredCounter) => {
  const { table, key, column, truth } = counter;
  const stored = sql.ref(`counter.${column}`);
  return sql`select counter.${sql.ref(key)} as wrong_key, cast(coalesce(counted.value, 0) as bigint) as right_value
    from ${sql.table(table)} as counter left join (${truth}) as counted on counted.key = counter.${sql.ref(key)}
    where ${stored} <> coalesce(counted.value, 0) and (${where(counter)})`;
};

const missingRows = ({ table, key, truth }: StoredCounter) =>
  sql`from (${truth}) as counted
    where not exists (select 1 from ${sql.table(table)} as counter where counter.${sql.ref(key)} = counted.key)`;

export async function countWrongCounters(db: Queryable, counter: StoredCounter): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from (${wrongRows(counter)}) as wrong`.execute(db);
  const missing = counter.adds
    ? await sql<{ total: number }>`select count(*) as total ${missingRows(counter)}`.execute(db)
    : { rows: [] };
  return (rows[0]?.total ?? 0) + (missing.rows[0]?.total ?? 0);
}

export async function repairCounters(trx: Trx, counter: StoredCounter): Promise<void> {
  const { table, key, column, adds } = counter;
  const target = sql.table(table);
  await sql`update ${target} set ${sql.ref(column)} = wrong.right_value from (${wrongRows(counter)}) as wrong
    where ${sql.ref(`${table}.${key}`)} = wrong.wrong_key`.execute(trx);
  if (!adds) return;
  const extra = sql.join(
    adds.map((name) => sql`, ${sql.ref(name)}`),
    sql``,
  );
  await sql`insert into ${target} (${sql.ref(key)}, ${sql.ref(column)}${extra})
    select counted.key, counted.value${extra} ${missingRows(counter)}`.execute(trx);
}
