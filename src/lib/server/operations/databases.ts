import { join, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { countArticles } from '../articles/core/count-queries.ts';
import type { Config } from '../config/config.ts';
import type { Database, Snapshot } from '../db/database.ts';
import { MIGRATIONS } from '../db/migrate.ts';
import { openPostgres } from '../db/postgres/postgres.ts';
import { openPostgresSnapshot } from '../db/postgres/postgres-snapshot.ts';
import { openSqlite, openSqliteSnapshot } from '../db/sqlite/sqlite.ts';
import { rebuildIfNeeded } from '../search/rebuild.ts';

/** Location of a database of either engine. A `url` contains a password: never show it. */
export type Place = { engine: 'sqlite'; file: string } | { engine: 'postgres'; url: string };

export const DATABASE_FILE = 'moye.sqlite';

const quiet = { info: () => {}, warn: () => {} };

export function placeOf(text: string): Place | null {
  if (/^postgres(?:ql)?:\/\/./.test(text) && URL.canParse(text)) return { engine: 'postgres', url: text };
  const file = /^sqlite:(?:\/\/(?=\/))?(.+)$/.exec(text)?.[1];
  return file === undefined ? null : { engine: 'sqlite', file: resolve(file) };
}

export const placeIn = ({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>): Place =>
  databaseUrl === null
    ? { engine: 'sqlite', file: join(dataDir, DATABASE_FILE) }
    : { engine: 'postgres', url: databaseUrl };

/** Opens the current state of a database. @throws StorageUnusableError, also when there is no database */
export function openSnapshot(place: Place): Promise<Snapshot> {
  switch (place.engine) {
    case 'sqlite':
      return openSqliteSnapshot(place.file);
    case 'postgres':
      return openPostgresSnapshot(place.url);
  }
}

/**
 * Opens a database for import and migrates its schema to the newest version, or as far as `steps` go.
 * @throws StorageUnusableError, NewerDatabaseError
 */
export function openTarget(place: Place, steps = MIGRATIONS): Promise<Database> {
  switch (place.engine) {
    case 'sqlite':
      return openSqlite(place.file, steps);
    case 'postgres':
      return openPostgres(place.url, { connections: 2, log: quiet, steps });
  }
}

/** Builds the search index of an imported database. @returns false when it was stopped */
export async function buildIndex(
  target: Database,
  signal: AbortSignal,
  onProgress: (done: number, total: number) => void,
): Promise<boolean> {
  const total = await countArticles(target.read, { of: 'public' });
  onProgress(0, total);
  await setImmediate();
  if (signal.aborted) return false;
  await rebuildIfNeeded(target, (indexed) => {
    onProgress(indexed, total);
    return !signal.aborted;
  });
  return !signal.aborted;
}
