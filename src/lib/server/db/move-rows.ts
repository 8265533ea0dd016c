import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { sql, type RawBuilder } from 'kysely';
import type { Database, Queryable, Trx } from './database.ts';
import { MOVED_TABLES, type MovedTable } from './move-tables.ts';

export type Row = Record<string, unknown>;

export interface TableCount {
  table: string;
  rows: number;
}

/** A table's row count, and the SHA-256 of all rows in a form that is equal on both engines. */
export interface Fingerprint extends TableCount {
  digest: string;
}

/** Returns the rows after `after` by key, or the first ones, in a form that either engine can store. */
export async function rowsAfter(db: Queryable, table: MovedTable, after: Row | undefined): Promise<Row[]> {
  const columns = sql.join(table.key.map((column) => sql.ref(column)));
  const bound = after
    ? sql`where (${columns}) > (${sql.join(table.key.map((column) => after[column]))})`
    : sql``;
  const { rows } = await sql<Row>`
    select * from ${sql.table(table.name)} ${bound} order by ${columns} limit ${sql.lit(table.batchSize)}`.execute(
    db,
  );
  return rows.map(portable);
}

export async function lastRow(db: Queryable, { name, key }: MovedTable): Promise<Row | undefined> {
  const order = sql.join(key.map((column) => sql`${sql.ref(column)} desc`));
  const { rows } = await sql<Row>`select * from ${sql.table(name)} order by ${order} limit 1`.execute(db);
  return rows[0];
}

export async function insertRows(trx: Trx, { name, batchSize }: MovedTable, rows: Row[]): Promise<void> {
  const insert = trx.withTables<Record<string, Row>>().insertInto(name);
  for (let start = 0; start < rows.length; start += batchSize)
    await insert.values(rows.slice(start, start + batchSize)).execute();
}

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

export const totalOf = (counts: readonly { rows: number }[]): number =>
  counts.reduce((sum, { rows }) => sum + rows, 0);

/** Whether the moved tables among `tables` have no rows except counters of 0. */
export async function isEmpty(db: Queryable, tables: readonly string[]): Promise<boolean> {
  for (const { name } of MOVED_TABLES.filter((table) => tables.includes(table.name))) {
    const some = name === 'counters' ? sql`where value <> 0` : sql``;
    const { rows } = await sql`select 1 from ${sql.table(name)} ${some} limit 1`.execute(db);
    if (rows.length > 0) return false;
  }
  return true;
}

/** Reads a whole table; calls `onRows` with the number of rows of each batch. */
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
    // SQLite works synchronously: other tasks need a turn in between.
    await setImmediate();
    rows = await rowsAfter(db, table, rows.at(-1));
  }
  return { table: table.name, rows: total, digest: hash.digest('hex') };
}

/** Serialises a row as one line: columns by name, values as JSON, bytes as base64. */
export function canonical(row: Row): string {
  const columns = Object.keys(row).sort();
  const values = columns.map((column) => {
    const value = row[column];
    return [column, value instanceof Uint8Array ? { base64: Buffer.from(value).toString('base64') } : value];
  });
  return `${JSON.stringify(values)}\n`;
}

/**
 * Parses a line that `canonical` wrote.
 * @throws Error for any other line
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

/** PostgreSQL cannot store U+0000 in text: replaced with U+FFFD, as in CommonMark. */
function portable(row: Row): Row {
  const entries = Object.entries(row).map(([column, value]) => [
    column,
    typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value,
  ]);
  return Object.fromEntries(entries) as Row;
}

export async function emptyCounters(trx: Trx): Promise<void> {
  await trx.deleteFrom('counters').execute();
}

/** Statements that continue sequences after the copied numbers. SQLite does this by itself. */
const CONTINUATIONS: Record<Database['engine'], readonly RawBuilder<unknown>[]> = {
  sqlite: [],
  postgres: [
    sql`select setval(pg_get_serial_sequence('articles', 'seq'), coalesce(max(seq), 1), max(seq) is not null)
      from articles`,
  ],
};

export async function continueSequences(trx: Trx, engine: Database['engine']): Promise<void> {
  for (const statement of CONTINUATIONS[engine]) await statement.execute(trx);
}

/**
 * Returns the source of an unfinished move, or null; until the move is finished the database is not served.
 */
export async function unfinishedMove(db: Queryable): Promise<string | null> {
  const row = await db.selectFrom('moves').select('source').executeTakeFirst();
  return row?.source ?? null;
}

const RESTORE = 'backup ';

/**
 * Values of `moves.source` for a restore from the archive with that digest: started, and with all rows
 * copied.
 */
export const restoreFrom = (digest: string): string => RESTORE + digest;
export const restoredFrom = (digest: string): string => `${RESTORE}${digest} rows`;

export const isRestore = (source: string): boolean => source.startsWith(RESTORE);

export async function markMove(trx: Trx, source: string): Promise<void> {
  await trx.insertInto('moves').values({ source }).execute();
}

export async function remarkMove(trx: Trx, source: string): Promise<void> {
  await trx.updateTable('moves').set({ source }).execute();
}

export async function unmarkMove(trx: Trx): Promise<void> {
  await trx.deleteFrom('moves').execute();
}
