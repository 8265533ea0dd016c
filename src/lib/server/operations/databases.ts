import { join, resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import type { Database, Snapshot } from '../db/database.ts';
import { MIGRATIONS, NEWEST_VERSION } from '../db/migrate.ts';
import { unfinishedMove } from '../db/move-rows.ts';
import { openPostgres } from '../db/postgres/postgres.ts';
import { reasonOf } from '../db/postgres/postgres-pool.ts';
import { openPostgresSnapshot } from '../db/postgres/postgres-snapshot.ts';
import { openSqlite, openSqliteSnapshot } from '../db/sqlite/sqlite.ts';
import { StorageUnavailableError } from '../storage/storage.ts';

/** Reason why an operation is impossible: one Chinese sentence for the operator. */
export class OperationError extends Error {
  override name = 'OperationError';
}

/** Location of a database of any engine. A `url` contains a password: never show it. */
export type Place =
  { engine: 'sqlite'; file: string } | { engine: Exclude<Database['engine'], 'sqlite'>; url: string };

export const DATABASE_FILE = 'moye.sqlite';

const quiet = { info: () => {}, warn: () => {} };

/** Addresses that operators write: their form for messages, and how they are read. */
const ADDRESSES: Record<Database['engine'], { form: string; read(text: string): Place | null }> = {
  sqlite: {
    form: 'sqlite:<文件>',
    read(text) {
      const file = /^sqlite:(?:\/\/(?=\/))?(.+)$/.exec(text)?.[1];
      return file === undefined ? null : { engine: 'sqlite', file: resolve(file) };
    },
  },
  postgres: {
    form: 'postgres://用户:密码@主机:端口/数据库',
    read: (text) =>
      /^postgres(?:ql)?:\/\/./.test(text) && URL.canParse(text) ? { engine: 'postgres', url: text } : null,
  },
};

/** @throws OperationError */
export function placeOf(text: string): Place {
  const addresses = Object.values(ADDRESSES);
  const place = addresses.map(({ read }) => read(text)).find((each) => each !== null);
  if (place) return place;
  throw new OperationError(`数据库的地址应为 ${addresses.map(({ form }) => form).join(' 或 ')}`);
}

export const placeIn = ({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>): Place =>
  databaseUrl === null
    ? { engine: 'sqlite', file: join(dataDir, DATABASE_FILE) }
    : { engine: 'postgres', url: databaseUrl };

/** Lets `await using` close it. */
const disposable = <T extends { close(): Promise<void> }>(opened: T): T & AsyncDisposable => ({
  ...opened,
  [Symbol.asyncDispose]: () => opened.close(),
});

/** Opens the current state of a database. @throws StorageUnusableError, also when there is no database */
export async function openSnapshot(place: Place) {
  switch (place.engine) {
    case 'sqlite':
      return disposable(await openSqliteSnapshot(place.file));
    case 'postgres':
      return disposable(await openPostgresSnapshot(place.url));
  }
}

/**
 * Opens a database for import and migrates its schema to the newest version, or as far as `steps` go.
 * @throws StorageUnusableError, NewerDatabaseError
 */
export async function openTarget(place: Place, steps = MIGRATIONS) {
  switch (place.engine) {
    case 'sqlite':
      return disposable(await openSqlite(place.file, steps));
    case 'postgres':
      return disposable(await openPostgres(place.url, { connections: 2, log: quiet, steps }));
  }
}

/** Returns the source of an unfinished move or restore into a database of any version, or null. */
export const unfinishedIn = async ({ tables, db }: Snapshot): Promise<string | null> =>
  tables.includes('moves') ? unfinishedMove(db) : null;

/** Refuses a database that is not Moye's, newer, or incomplete. @throws OperationError */
export async function requireSound(source: Snapshot, operation: '备份' | '导出'): Promise<void> {
  if (source.version === 0) throw new OperationError('这不是墨页的数据库');
  if (source.version > NEWEST_VERSION)
    throw new OperationError(`数据库是更新版本的墨页建的：请用那个版本${operation}`);
  if ((await unfinishedIn(source)) !== null)
    throw new OperationError(`数据库还没有搬完或恢复完，数据不完整，不能${operation}`);
}

/** Returns the sentence for a lost database, any other error as it is. @param then what to do afterwards */
export const explainLost = (error: unknown, then: string): unknown =>
  error instanceof StorageUnavailableError
    ? new OperationError(`数据库没有回应（${reasonOf(error.cause)}）：等它恢复后${then}`)
    : error;
