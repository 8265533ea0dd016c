import { existsSync, openSync, readSync, closeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Problem } from '../../../markdown-file/problem.ts';

/** A row by column name; all values are text, whatever types the file has. */
export type ForeignRow = Record<string, string | null>;

export interface Ask {
  where?: Readonly<Record<string, string>>;
  order?: readonly string[];
}

export interface ForeignTables {
  /** Ordinary tables, without views and virtual tables. */
  readonly names: readonly string[];
  has(table: string, column: string): boolean;
  /**
   * Iterates over rows without holding all of them. Columns that the table lacks are null; those of `where`
   * and `order` must exist.
   */
  rows(table: string, columns: readonly string[], ask?: Ask): Iterable<ForeignRow>;
  close(): void;
}

export type ColumnType = 'INTEGER' | 'TEXT';

/** Temporary tables on disk, written once and then queried; they disappear with the process. */
export interface ScratchTables extends ForeignTables {
  /**
   * Creates a table if it does not exist. `INTEGER` columns sort and compare as numbers; of two rows with the
   * same key the later one stays.
   */
  create(table: string, columns: Readonly<Record<string, ColumnType>>, key: readonly string[]): void;
  /**
   * @param values in the order of the table's columns
   * @throws Problem if a numeric key is text, or the disk is full
   */
  add(table: string, values: readonly (string | null)[]): void;
}

const DAMAGED = '数据库文件不完整或已损坏';
const NO_ROOM = '存放临时数据的磁盘已满：请腾出空间，或用环境变量 TMPDIR 换一个文件夹';
/** Longest value that is read, in bytes: more than any article, too little to exhaust memory. */
const MAX_VALUE_BYTES = 64 * 2 ** 20;
const MAGIC = 'SQLite format 3\0';
const CACHE_KIB = 16_384;

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/**
 * @returns whether the file begins like a SQLite database
 * @throws the system's error if it cannot be read
 */
export function isSqliteFile(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(MAGIC.length);
    return readSync(file, head, 0, head.length, 0) === head.length && head.toString('latin1') === MAGIC;
  } finally {
    closeSync(file);
  }
}

/**
 * Opens the SQLite file of another program, read-only: its schema is not trusted, and every page is checked
 * first.
 * @throws Problem
 */
export function openForeignTables(path: string): ForeignTables {
  if (!existsSync(path) || !isSqliteFile(path)) throw new Problem('不是 SQLite 数据库文件');
  const database = new DatabaseSync(path, { readOnly: true, defensive: true, timeout: 5_000 });
  try {
    database.exec(`PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA query_only = ON;
      PRAGMA cache_size = -${CACHE_KIB}; PRAGMA mmap_size = 0`);
    const [check] = database.prepare('PRAGMA quick_check(1)').all();
    if (check?.['quick_check'] !== 'ok') throw new Problem(DAMAGED);
    return { ...readerOf(database), names: namesOf(database) };
  } catch (error) {
    database.close();
    if (error instanceof Problem) throw error;
    throw new Problem(DAMAGED, { cause: error });
  }
}

/**
 * Creates tables in an unnamed file in the system's temporary folder (`TMPDIR`). The file disappears with the
 * process, however that ends.
 */
export function createScratchTables(): ScratchTables {
  const database = new DatabaseSync('', { defensive: true });
  database.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA temp_store = FILE;
    PRAGMA cache_size = -${CACHE_KIB}; BEGIN`);
  const inserts = new Map<string, ReturnType<DatabaseSync['prepare']>>();
  return {
    ...readerOf(database),
    create(table, columns, key) {
      const declared = Object.entries(columns).map(([name, type]) => `${quoted(name)} ${type}`);
      const parts = [...declared, `PRIMARY KEY (${key.map(quoted).join(', ')})`];
      database.exec(`CREATE TABLE IF NOT EXISTS ${quoted(table)} (${parts.join(', ')})`);
    },
    add(table, values) {
      let insert = inserts.get(table);
      if (!insert) {
        const places = values.map(() => '?').join(', ');
        insert = database.prepare(`INSERT OR REPLACE INTO ${quoted(table)} VALUES (${places})`);
        inserts.set(table, insert);
      }
      try {
        insert.run(...values);
      } catch (error) {
        throw asForeign(error);
      }
    },
    get names() {
      return namesOf(database);
    },
  };
}

function namesOf(database: DatabaseSync): string[] {
  const listed = database.prepare(
    "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'",
  );
  return listed.all().map(({ name }) => String(name));
}

function readerOf(database: DatabaseSync): Pick<ForeignTables, 'has' | 'rows' | 'close'> {
  const known = new Map<string, Set<string>>();
  const columnsOf = (table: string): Set<string> => {
    const found = known.get(table);
    if (found) return found;
    // A generated column would run an expression of the file.
    const listed = database.prepare('SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0').all(table);
    const columns = new Set(listed.map(({ name }) => String(name)));
    if (columns.size > 0) known.set(table, columns);
    return columns;
  };
  return {
    has: (table, column) => columnsOf(table).has(column),
    *rows(table, columns, { where = {}, order = [] } = {}) {
      const present = columnsOf(table);
      const wanted = columns.map((name) => (present.has(name) ? textOf(name) : `NULL AS ${quoted(name)}`));
      const conditions = Object.keys(where).map((name) => `${quoted(name)} = ?`);
      const text = [
        `SELECT ${wanted.join(', ')} FROM ${quoted(table)}`,
        conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '',
        order.length > 0 ? `ORDER BY ${order.map(quoted).join(', ')}` : '',
      ].join(' ');
      for (const row of database.prepare(text).iterate(...Object.values(where))) {
        if (Object.values(row).includes(TOO_LARGE))
          throw new Problem('数据库里有超过 64 MiB 的值，不是博客的数据');
        yield row as ForeignRow;
      }
    },
    close: () => database.close(),
  };
}

const TOO_LARGE = -1;
const textOf = (name: string): string =>
  `CASE WHEN octet_length(${quoted(name)}) > ${MAX_VALUE_BYTES} THEN ${TOO_LARGE}
   ELSE CAST(${quoted(name)} AS TEXT) END AS ${quoted(name)}`;

const [MISMATCH, FULL, IO_ERROR] = [20, 13, 10];

/**
 * Translates an error that SQLite throws while storing a row, by its primary code; only a write fails because
 * of the disk.
 */
function asForeign(error: unknown): unknown {
  const { errcode } = error as { errcode?: unknown };
  const code = typeof errcode === 'number' ? errcode & 0xff : 0;
  if (code === MISMATCH) return new Problem(DAMAGED, { cause: error });
  if (code === FULL || code === IO_ERROR) return new Problem(NO_ROOM, { cause: error });
  return error;
}
