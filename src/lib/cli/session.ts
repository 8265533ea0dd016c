import { statSync } from 'node:fs';
import { readConfig, readPlaces, type SitePlaces } from '../server/config/config.ts';
import { UsageError } from '../server/operations/explain.ts';
import type { App } from '../server/services.ts';

/**
 * Opens the storage for one command, also while a server runs, and closes it. Logs nothing at the default
 * LOG_LEVEL.
 * @param options `canBegin`: the command may create the site; any other refuses to run without one
 * @throws ConfigError, UsageError, StorageUnusableError, NewerDatabaseError
 */
export async function withApp<T>(
  work: (app: App) => Promise<T>,
  { canBegin = false }: { canBegin?: boolean } = {},
): Promise<T> {
  if (!canBegin) await requireSite(readPlaces());
  const config = readConfig();
  // Loaded here: help and usage errors need no server.
  const { createApp } = await import('../server/app.ts');
  const logLevel = config.logLevel === 'info' ? 'silent' : config.logLevel;
  const app = await createApp({ ...config, logLevel }, Date.now, undefined, { isBulk: true });
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}

/**
 * Refuses a command that needs a site, before anything creates a folder, a secret or a schema.
 * @throws UsageError if the database is missing or empty; StorageUnusableError; errors of the file system
 */
export async function requireSite(site: SitePlaces): Promise<void> {
  const { openSnapshot, placeIn } = await import('../server/operations/databases.ts');
  const place = placeIn(site);
  if (place.engine === 'sqlite') {
    if ((statSync(place.file, { throwIfNoEntry: false })?.size ?? 0) > 0) return;
    throw new UsageError(
      `${site.dataDir} 里没有站点的数据库：请把 DATA_DIR 设为服务所用的文件夹，或先启动一次服务`,
    );
  }
  const snapshot = await openSnapshot(place);
  await snapshot.close();
  if (snapshot.version === 0)
    throw new UsageError('DATABASE_URL 的数据库里没有站点：请检查这个地址，或先启动一次服务');
}
