import type { App } from '../server/services.ts';
import { readConfig, readPlaces } from '../server/config/config.ts';
import { requireSite } from './require-site.ts';

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
