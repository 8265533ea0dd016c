import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { backUp, type BackupJob, type BackupReport } from '../../src/lib/server/operations/backup.ts';
import { readPlaces, type SitePlaces } from '../../src/lib/server/config/config.ts';
import { placeIn } from '../../src/lib/server/operations/databases.ts';
import { fingerprintOf } from '../../src/lib/server/db/move-rows.ts';
import { MOVED_TABLES } from '../../src/lib/server/db/move-tables.ts';
import {
  restoreBackup,
  type RestoreOptions,
  type RestoreReport,
} from '../../src/lib/server/operations/restore.ts';
import { createStorage, ENGINE, sqliteIn, type TestStorage } from '../engine.ts';
import { runMoye } from './import-command.ts';
import { fillSite, openSnapshotOf, type Filled } from './move-stage.ts';

export const PASSPHRASE = '空山不见人，但闻人语响，返景入深林';

/** Environment of the commands: a passphrase, and no secret but the one in the data folder. */
export const COMMAND_ENVIRONMENT = { BACKUP_PASSPHRASE: PASSPHRASE, TOKEN_SECRET: undefined };

/** Storage settings of a site. */
export interface Home {
  storage: TestStorage;
  dataDir: string;
  places: SitePlaces;
  /** URL of the site's database. */
  address: string;
}

/** Sites and archives in one folder, which is removed at the end. */
export interface BackupStage {
  folder: string;
  /** An empty home, on the engine of this run unless `isSqlite`. */
  home(name: string, options?: { isSqlite?: boolean; settings?: Record<string, string> }): Promise<Home>;
  /** A SQLite site with rows in every table. */
  site(): Promise<Home & { filled: Filled }>;
  backUp(from: Home, name?: string, options?: Partial<BackupJob>): Promise<BackupReport & { file: string }>;
  restore(file: string, to: Home, options?: Partial<RestoreOptions>): Promise<RestoreReport>;
  close(): Promise<void>;
}

/** Runs a command for a site. */
export const moye = (at: Home, ...words: string[]) =>
  runMoye(at.storage, words, { environment: COMMAND_ENVIRONMENT });

export async function openBackupStage(): Promise<BackupStage> {
  const folder = mkdtempSync(join(tmpdir(), 'moye-backup-'));
  const storages: TestStorage[] = [];
  const signal = new AbortController().signal;
  const home: BackupStage['home'] = async (name, { isSqlite = false, settings = {} } = {}) => {
    const dataDir = join(folder, name);
    const storage = isSqlite ? sqliteIn(dataDir) : await createStorage(dataDir, { isEmpty: true });
    storages.push(storage);
    const { TOKEN_SECRET: _, ...own } = storage.settings;
    const places = readPlaces({ ...own, BACKUP_PASSPHRASE: PASSPHRASE, ...settings });
    const address = storage.settings['DATABASE_URL'] ?? `sqlite:${join(dataDir, 'moye.sqlite')}`;
    return { storage, dataDir, places, address };
  };
  return {
    folder,
    home,
    async site() {
      const made = await home('site', { isSqlite: true });
      return { ...made, filled: await fillSite(made.dataDir) };
    },
    async backUp(from, name = 'a.tar.zst', options = {}) {
      const secret = { value: 'the secret of the site that is backed up', passphrase: PASSPHRASE };
      const job = { site: from.places, secret, to: { folder }, name, ...options };
      const report = await backUp(job, { signal, onProgress: () => {} });
      return { ...report, file: join(folder, name) };
    },
    restore: (file, to, options = {}) =>
      restoreBackup({
        from: { place: { folder: dirname(file) }, name: basename(file) },
        to: placeIn(to.places),
        site: to.places,
        signal,
        onProgress: () => {},
        ...options,
      }),
    async close() {
      for (const storage of storages) await storage.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Returns the digest of every table of the database at `address`. */
export async function digestsOf(address: string): Promise<Record<string, string>> {
  const snapshot = await openSnapshotOf(address);
  try {
    const digests: Record<string, string> = {};
    for (const table of MOVED_TABLES) digests[table.name] = (await fingerprintOf(snapshot.db, table)).digest;
    return digests;
  } finally {
    await snapshot.close();
  }
}

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Runs SQLite's integrity checks. PostgreSQL has no equivalent. */
export async function expectSound({ storage, address }: Home): Promise<void> {
  if (!address.startsWith('sqlite:')) return;
  const [integrity, broken] = [
    await storage.rows('pragma integrity_check'),
    await storage.rows('pragma foreign_key_check'),
  ];
  if (JSON.stringify(integrity) !== '[{"integrity_check":"ok"}]' || broken.length > 0)
    throw new Error(`${address} is damaged: ${JSON.stringify([integrity, broken])}`);
}

export { ENGINE };
