import type { App } from '../server/services.ts';
import { readConfig } from '../server/config/config.ts';

/**
 * Opens the storage for one command, also while a server runs, and closes it. Logs nothing at the default
 * LOG_LEVEL.
 * @throws ConfigError, StorageUnusableError, NewerDatabaseError
 */
export async function withApp<T>(work: (app: App) => Promise<T>): Promise<T> {
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
