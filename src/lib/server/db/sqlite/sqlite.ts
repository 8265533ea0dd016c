import { accessSync, constants, existsSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DatabaseSync, type StatementSync, type SQLInputValue } from 'node:sqlite';
import { Kysely, sql, SqliteDialect, type SqliteDatabase, type SqliteStatement } from 'kysely';
import { LRUCache } from 'lru-cache';
import { ensureFolder, ensurePrivateFile } from '../../storage/data-folder.ts';
import { StorageUnavailableError, StorageUnusableError } from '../../storage/storage.ts';
import type { Log } from '../../shared/log.ts';
import type { Database, Snapshot } from '../database.ts';
import { migrate } from '../migrate.ts';
import type { Migration } from '../migration.ts';
import { answerDirectly } from '../prepared.ts';
import type { Schema } from '../schema/schema.ts';
import { guarded, isDamaged, isLocked, reasonOfFault, violation, writeFault } from './sqlite-faults.ts';
import { writerOver } from './sqlite-writes.ts';

// SECURITY.md, "SQLite facts".
const PRAGMAS = [
  'journal_mode = WAL',
  'synchronous = FULL',
  'foreign_keys = ON',
  'trusted_schema = OFF',
  'cell_size_check = ON',
  'journal_size_limit = 67108864',
  'temp_store = MEMORY',
];
/** Page cache of a connection; the operating system caches the file as well. */
const READER_CACHE_KIB = 4_096;
/** The writer seldom reads what was written. */
const WRITER_CACHE_KIB = 2_048;
const WORKER_CACHE_KIB = 2_048;
const BUSY_TIMEOUT_MS = 5_000;
const MAX_CACHED_STATEMENTS = 500;

/**
 * Opens, creates and migrates the database at `file`, to the newest schema or to the last of `steps`. One
 * connection writes, one transaction at a time; another reads and never sees an open transaction.
 * @param options `cacheKiB`: page cache of the reader; `writesPerCommit`: maximum number of writes that share
 * a transaction; `log` receives each migration
 * @throws StorageUnusableError, NewerDatabaseError
 */
export async function openSqlite(
  file: string,
  steps?: readonly Migration[],
  {
    cacheKiB = READER_CACHE_KIB,
    writesPerCommit = 1,
    log,
  }: { cacheKiB?: number; writesPerCommit?: number; log?: Pick<Log, 'info'> } = {},
): Promise<Database> {
  const writer = openFile(file);
  const write = writerOver(writer, cachingStatements(writer), writesPerCommit);
  try {
    await migrate('sqlite', write.transaction, steps, log);
  } catch (error) {
    writer.close();
    throw writeFault(error) === null ? error : unusable(file, error);
  }
  const reader = openFile(file, cacheKiB);
  reader.exec('pragma query_only = ON');
  const database = cachingStatements(reader);
  const read = new Kysely<Schema>({ dialect: new SqliteDialect({ database }) });
  answerDirectly(read, (text, parameters) => database.prepare(text).all(parameters));
  return {
    engine: 'sqlite',
    isRemote: false,
    read,
    write: write.transaction,
    writeAside: write.transaction,
    afterCommit: write.afterCommit,
    announce: () => {},
    alone: (work) => work(),
    foreignVersion: foreignVersionOf(writer),
    violation,
    writeFault,
    isBusy: () => !writer.isTransaction && isBusy(file),
    faults: async () => sqliteFaults(file),
    time: async () => Date.now(),
    async size() {
      const { rows } = await sql<{ bytes: number }>`
        select page_count * page_size as bytes from pragma_page_count, pragma_page_size`.execute(read);
      return rows[0]?.bytes ?? 0;
    },
    isReachable: () => true,
    async ping() {
      if (isDamaged(writer) || isDamaged(reader))
        throw new StorageUnavailableError(new Error('the database file is damaged'));
      await sql`select 1 from schema_version`.execute(read);
    },
    async close() {
      await write.idle();
      reader.close();
      writer.close();
    },
  };
}

/** `data_version` counts commits of other connections; the reader of this process makes none. */
function foreignVersionOf(writer: DatabaseSync): () => number {
  const statement = writer.prepare('pragma data_version');
  return () => Number(statement.get()?.['data_version']);
}

/** Opens a separate connection with the product's pragmas, for a worker thread that only reads. */
export function openReader(file: string): DatabaseSync {
  const connection = openConnection(file, WORKER_CACHE_KIB);
  connection.exec('pragma query_only = ON');
  return connection;
}

/**
 * Opens `file` in its current state; other processes may keep writing.
 * @throws StorageUnusableError, also if there is no such file
 */
export async function openSqliteSnapshot(file: string): Promise<Snapshot> {
  const opened: DatabaseSync[] = [];
  const close = async (): Promise<void> => opened.forEach((connection) => connection.close());
  const open = (name: string): DatabaseSync => {
    const connection = new DatabaseSync(name, { readOnly: true, timeout: BUSY_TIMEOUT_MS, defensive: true });
    opened.push(connection);
    return connection;
  };
  try {
    const name = realpathSync(file);
    // SQLite reports other commits only to a connection outside a transaction.
    const written = foreignVersionOf(open(name));
    const before = written();
    const connection = open(name);
    connection.exec('begin');
    const tables = connection
      .prepare(
        "select name from sqlite_schema where type = 'table' and name not like 'sqlite\\_%' escape '\\'",
      )
      .all()
      .map((row) => String(row['name']));
    const version = tables.includes('schema_version')
      ? Number(connection.prepare('select version from schema_version').get()?.['version'] ?? 0)
      : 0;
    const db = new Kysely<Schema>({
      dialect: new SqliteDialect({ database: cachingStatements(connection) }),
    });
    return { engine: 'sqlite', name, tables, version, db, wasWritten: () => written() !== before, close };
  } catch (error) {
    await close();
    throw unusable(file, error);
  }
}

function openFile(file: string, cacheKiB = WRITER_CACHE_KIB): DatabaseSync {
  try {
    ensureFolder(dirname(file), true);
    accessSync(dirname(file), constants.W_OK | constants.R_OK);
    // SQLite would make it readable to every account; its log and its index inherit the mode of the database.
    if (!existsSync(file)) ensurePrivateFile(file);
    return openConnection(file, cacheKiB);
  } catch (error) {
    throw unusable(file, error);
  }
}

const unusable = (file: string, error: unknown) =>
  new StorageUnusableError(`cannot use database ${file}: ${reasonOfFault(error, dirname(file))}`);

/** Writes on a new connection and rolls back, without waiting for another process. */
function isBusy(file: string): boolean {
  let connection: DatabaseSync | undefined;
  try {
    // Does not create a file that has been removed.
    const url = new URL(`${pathToFileURL(file).href}?mode=rw`);
    connection = new DatabaseSync(url, { timeout: 0, defensive: true });
    connection.exec("begin immediate; insert into space_checks (content) values (''); rollback");
    return false;
  } catch (error) {
    if (isLocked(error)) return true;
    throw new StorageUnavailableError(error);
  } finally {
    connection?.close();
  }
}

function openConnection(file: string, cacheKiB: number): DatabaseSync {
  const connection = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS, defensive: true });
  for (const pragma of PRAGMAS) connection.exec(`pragma ${pragma}`);
  connection.exec(`pragma cache_size = -${cacheKiB}`);
  return connection;
}

/** node:sqlite for Kysely with cached statements: compiling costs more than most reads. */
function cachingStatements(connection: DatabaseSync): SqliteDatabase {
  const statements = new LRUCache<string, SqliteStatement>({ max: MAX_CACHED_STATEMENTS });
  return {
    close: () => connection.close(),
    prepare(text) {
      let statement = statements.get(text);
      if (!statement) {
        statement = guarded(connection, () => adapt(connection, connection.prepare(text)));
        statements.set(text, statement);
      }
      return statement;
    },
  };
}

function adapt(connection: DatabaseSync, statement: StatementSync): SqliteStatement {
  const values = (parameters: readonly unknown[]) => parameters as SQLInputValue[];
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => guarded(connection, () => statement.all(...values(parameters))),
    run: (parameters) => guarded(connection, () => statement.run(...values(parameters))),
    iterate: (parameters) => statement.iterate(...values(parameters)),
  };
}

const MAX_SHOWN_FAULTS = 5;

/**
 * Returns the faults that SQLite finds in the whole database `file`; empty if it is intact. Reads on a
 * separate read-only connection and blocks this thread: not for a server's thread.
 */
function sqliteFaults(file: string): string[] {
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
