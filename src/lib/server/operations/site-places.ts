import { deriveKey } from '../auth/tokens.ts';
import { readPlaces, type SitePlaces } from '../config/config.ts';
import type { Variables } from '../../contract/rules/operator-settings.ts';
import { holdSettings, SETTINGS_KEY } from '../settings/operator-settings.ts';
import { openSnapshot, placeIn } from './databases.ts';

/** Storage of a site, and `backup`: the variables of its backups. */
export type SiteWithConsole = SitePlaces & { backup: Variables };

/**
 * Reads the settings of a site's storage from the environment, and from its console if its database can be
 * opened; creates nothing. @throws ConfigError
 */
export async function readSite(): Promise<SiteWithConsole> {
  const site = readPlaces();
  const { operator } = site;
  const alone = { ...site, backup: operator.given.backup };
  if (site.secret === null) return alone;
  const snapshot = await openSnapshot(placeIn(site)).catch(() => null);
  if (snapshot === null) return alone;
  await using opened = snapshot;
  if (!opened.tables.includes('operator_settings')) return alone;
  const key = deriveKey(site.secret, SETTINGS_KEY);
  const { backup, uploads } = await holdSettings({ ...operator, key }).holdAll(opened.db);
  const passphrase = backup.texts['BACKUP_PASSPHRASE'] ?? null;
  return { ...site, uploads: uploads.value, passphrase, backup: backup.texts };
}
