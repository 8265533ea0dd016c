import { join, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { countArticles } from './articles/count-queries.ts';
import type { Config } from './config.ts';
import type { Database, Snapshot } from './db/database.ts';
import { MIGRATIONS } from './db/migrate.ts';
import { openPostgres } from './db/postgres.ts';
import { openPostgresSnapshot } from './db/postgres-snapshot.ts';
import { openSqlite, openSqliteSnapshot } from './db/sqlite.ts';
import { rebuildIfNeeded } from './search/rebuild.ts';

/** Where a database is, of either engine. A `url` holds a password: never to be shown. */
export type Place = { engine: 'sqlite'; file: string } | { engine: 'postgres'; url: string };

/** In DATA_DIR. */
export const DATABASE_FILE = 'moye.sqlite';

const quiet = { info: () => {}, warn: () => {} };

/** The place that `sqlite:<file>` or `postgres://…` names, or null. */
export function placeOf(text: string): Place | null {
  if (/^postgres(?:ql)?:\/\/./.test(text) && URL.canParse(text)) return { engine: 'postgres', url: text };
  const file = /^sqlite:(?:\/\/(?=\/))?(.+)$/.exec(text)?.[1];
  return file === undefined ? null : { engine: 'sqlite', file: resolve(file) };
}

/** Where a site's settings say that its database is. */
export const placeIn = ({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>): Place =>
  databaseUrl === null
    ? { engine: 'sqlite', file: join(dataDir, DATABASE_FILE) }
    : { engine: 'postgres', url: databaseUrl };

/** Opens what is there as it is now. @throws StorageUnusableError, also where there is nothing */
export const openSnapshot = (place: Place): Promise<Snapshot> =>
  place.engine === 'sqlite' ? openSqliteSnapshot(place.file) : openPostgresSnapshot(place.url);

/**
 * Opens a database to fill, and brings its schema to the newest version unless `steps` end before.
 * @throws StorageUnusableError, NewerDatabaseError
 */
export const openTarget = (place: Place, steps = MIGRATIONS): Promise<Database> =>
  place.engine === 'sqlite'
    ? openSqlite(place.file, steps)
    : openPostgres(place.url, { connections: 2, log: quiet, steps });

/** Builds the search index of a database that was filled. @returns false when it was stopped */
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
