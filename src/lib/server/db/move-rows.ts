import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { sql, type Kysely } from 'kysely';
import type { Database, Queryable, Trx } from './database.ts';
import { MOVED_TABLES, type MovedTable } from './move-tables.ts';

/** A row of any table, by column. */
export type Row = Record<string, unknown>;
type AnyTables = Kysely<Record<string, Row>>;

export interface TableCount {
  table: string;
  rows: number;
}

/** A table's number of rows and the SHA-256 of all, in a form that is the same for every engine. */
export interface Fingerprint extends TableCount {
  digest: string;
}

/** The next rows of a table after `after`, or its first, by key, as they can be stored anywhere. */
export async function rowsAfter(db: Queryable, table: MovedTable, after: Row | undefined): Promise<Row[]> {
  const columns = sql.join(table.key.map((column) => sql.ref(column)));
  const bound = after
    ? sql`where (${columns}) > (${sql.join(table.key.map((column) => after[column]))})`
    : sql``;
  const { rows } = await sql<Row>`
    select * from ${sql.table(table.name)} ${bound} order by ${columns} limit ${sql.lit(table.atOnce)}`.execute(
    db,
  );
  return rows.map(portable);
}

/** The last row of a table, in the order of its key. */
export async function lastRow(db: Queryable, { name, key }: MovedTable): Promise<Row | undefined> {
  const order = sql.join(key.map((column) => sql`${sql.ref(column)} desc`));
  const { rows } = await sql<Row>`select * from ${sql.table(name)} order by ${order} limit 1`.execute(db);
  return rows[0];
}

/** Adds rows to a table. */
export async function insertRows(trx: Trx, { name }: MovedTable, rows: Row[]): Promise<void> {
  await (trx as unknown as AnyTables).insertInto(name).values(rows).execute();
}

/** How many rows each table has, all that are moved unless `tables` are given. */
export async function countRows(
  db: Queryable,
  tables: readonly MovedTable[] = MOVED_TABLES,
): Promise<TableCount[]> {
  const counts: TableCount[] = [];
  for (const { name: table } of tables) {
    const { rows } = await sql<{ total: number }>`select count(*) as total from ${sql.table(table)}`.execute(
      db,
    );
    counts.push({ table, rows: Number(rows[0]?.total) });
  }
  return counts;
}

/** Whether those of `tables` that are moved hold no rows but counters that count nothing. */
export async function isEmpty(db: Queryable, tables: readonly string[]): Promise<boolean> {
  for (const { name } of MOVED_TABLES.filter((table) => tables.includes(table.name))) {
    const some = name === 'counters' ? sql`where value <> 0` : sql``;
    const { rows } = await sql`select 1 from ${sql.table(name)} ${some} limit 1`.execute(db);
    if (rows.length > 0) return false;
  }
  return true;
}

/** Reads a whole table; `onRows` is told after each part how many rows it had. */
export async function fingerprintOf(
  db: Queryable,
  table: MovedTable,
  onRows: (count: number) => void = () => {},
): Promise<Fingerprint> {
  const hash = createHash('sha256');
  let total = 0;
  let rows = await rowsAfter(db, table, undefined);
  while (rows.length > 0) {
    for (const row of rows) hash.update(canonical(row));
    total += rows.length;
    onRows(rows.length);
    // SQLite works without waiting: nobody else would have a turn.
    await setImmediate();
    rows = await rowsAfter(db, table, rows.at(-1));
  }
  return { table: table.name, rows: total, digest: hash.digest('hex') };
}

/** Columns by name, values as JSON, bytes as base64: one line a row. */
export function canonical(row: Row): string {
  const columns = Object.keys(row).sort();
  const values = columns.map((column) => {
    const value = row[column];
    return [column, value instanceof Uint8Array ? { base64: Buffer.from(value).toString('base64') } : value];
  });
  return `${JSON.stringify(values)}\n`;
}

/**
 * The row that `canonical` wrote as `line`.
 * @throws Error where it wrote no such line
 */
export function readCanonical(line: string): Row {
  const values: unknown = JSON.parse(line);
  if (!Array.isArray(values)) throw new Error('a row is a list of columns');
  const row: Row = {};
  for (const pair of values as unknown[]) {
    if (!Array.isArray(pair) || pair.length !== 2 || typeof pair[0] !== 'string')
      throw new Error('a column is a name and a value');
    row[pair[0]] = readValue(pair[1]);
  }
  return row;
}

function readValue(value: unknown): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value;
  if (typeof value === 'object' && 'base64' in value && typeof value.base64 === 'string')
    return Buffer.from(value.base64, 'base64');
  throw new Error('a value is text, a number, bytes or nothing');
}

/** PostgreSQL has no U+0000 in text: U+FFFD stands for it, as CommonMark has it. */
function portable(row: Row): Row {
  const entries = Object.entries(row).map(([column, value]) => [
    column,
    typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value,
  ]);
  return Object.fromEntries(entries) as Row;
}

/** Removes the counters that migrations make, so that those of the source can take their place. */
export async function emptyCounters(trx: Trx): Promise<void> {
  await trx.deleteFrom('counters').execute();
}

/** Lets numbers that the engine gives out go on after those that were copied. SQLite does so by itself. */
export async function continueSequences(trx: Trx, engine: Database['engine']): Promise<void> {
  if (engine === 'sqlite') return;
  await sql`select setval(pg_get_serial_sequence('articles', 'seq'), coalesce(max(seq), 1), max(seq) is not null)
    from articles`.execute(trx);
}

/** Where the rows of an unfinished move come from, or null; until it is done the database serves nobody. */
export async function unfinishedMove(db: Queryable): Promise<string | null> {
  const row = await db.selectFrom('moves').select('source').executeTakeFirst();
  return row?.source ?? null;
}

const RESTORE = 'backup ';

/** What is noted of a restore from the archive of that digest, and once all its rows are there. */
export const restoreFrom = (digest: string): string => RESTORE + digest;
export const restoredFrom = (digest: string): string => `${RESTORE}${digest} rows`;

/** Whether rows come from a backup. */
export const isRestore = (source: string): boolean => source.startsWith(RESTORE);

/** Notes that rows begin to come from `source`. */
export async function markMove(trx: Trx, source: string): Promise<void> {
  await trx.insertInto('moves').values({ source }).execute();
}

/** Notes how far it is. */
export async function remarkMove(trx: Trx, source: string): Promise<void> {
  await trx.updateTable('moves').set({ source }).execute();
}

/** Notes that all rows are there. */
export async function unmarkMove(trx: Trx): Promise<void> {
  await trx.deleteFrom('moves').execute();
}
