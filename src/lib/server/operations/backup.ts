import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { openDestination, passing, removeLeftovers, type DestinationPlace } from '../backup/destination.ts';
import { BackupError, type Manifest } from '../backup/format.ts';
import { recordBackup } from '../backup/backup-queries.ts';
import { writeArchive, type ArchiveProgress } from '../backup/write-archive.ts';
import type { Config } from '../config/config.ts';
import { explainLost, openSnapshot, openTarget, placeIn, requireSound, type Place } from './databases.ts';
import type { Snapshot } from '../db/database.ts';
import { NEWEST_VERSION } from '../db/migrate.ts';
import { reasonOf } from '../db/postgres/postgres-pool.ts';
import { writeFault } from '../db/sqlite/sqlite-faults.ts';
import { copySqlite } from '../db/sqlite/sqlite-copy.ts';
import { isInReserve } from '../storage/disk-reserve.ts';
import { openUploads } from '../wiring/open-storage.ts';
import { StorageUnavailableError } from '../storage/storage.ts';

export interface BackupJob {
  site: Pick<Config, 'dataDir' | 'databaseUrl' | 'uploads'> & Partial<Pick<Config, 'diskReserveBytes'>>;
  /** The site's secret and the passphrase that encrypts it; null omits it. */
  secret: { value: string; passphrase: string } | null;
  to: DestinationPlace;
  name: string;
}

export interface BackupReport {
  /** The archive contains all writes acknowledged before this time (milliseconds). */
  time: number;
  bytes: number;
  manifest: Manifest;
}

/**
 * Backs up a site while its server runs. The archive appears complete or not at all.
 * @throws BackupError, OperationError, StorageUnusableError, AbortError, errors of the storages
 */
export async function backUp(
  { site, secret, to, name }: BackupJob,
  options: { signal: AbortSignal; onProgress(progress: ArchiveProgress): void },
): Promise<BackupReport> {
  await requireRoom(site, to);
  const destination = openDestination(to);
  const uploads = openUploads(site);
  try {
    const draft = await destination.begin(name);
    try {
      const time = Date.now();
      // The snapshot is stored next to the archive; for a bucket, in DATA_DIR.
      const beside = join('s3' in to ? site.dataDir : to.folder, name);
      const written = await withSnapshot(placeIn(site), beside, (snapshot) =>
        writeArchive({ snapshot, time, uploads, secret }, draft.sink, options),
      );
      options.signal.throwIfAborted();
      await draft.commit();
      return { time, ...written };
    } catch (error) {
      await draft.discard();
      if (!(error instanceof StorageUnavailableError) || writeFault(error) === null)
        throw explainLost(error, '再备份');
      const reason = reasonOf(error.cause);
      throw new BackupError(`数据库文件读不了（${reason}）：没有留下备份，请从更早的备份恢复`);
    }
  } finally {
    uploads.close();
    destination.close();
  }
}

/** Records a manual backup in the database for the server. Older schemas have no table for it. */
export async function noteBackup(
  site: BackupJob['site'],
  { time, bytes, manifest }: BackupReport,
): Promise<void> {
  if (manifest.schema !== NEWEST_VERSION) return;
  await using db = await openTarget(placeIn(site));
  await recordBackup(db, 'manual', { time, bytes });
}

/** Refuses a backup that would use the database's disk reserve. @throws BackupError */
async function requireRoom({ diskReserveBytes = 0, ...site }: BackupJob['site'], to: DestinationPlace) {
  // A backup to a bucket writes a copy of SQLite's file into DATA_DIR, and no file for PostgreSQL.
  const folder = 'folder' in to ? to.folder : 'file' in placeIn(site) ? site.dataDir : null;
  if (folder !== null && (await isInReserve(folder, diskReserveBytes)))
    throw new BackupError(`${folder} 所在的磁盘快满了（DISK_RESERVE_MB），剩下的空间留给数据库，没有备份`);
}

/**
 * Provides one consistent state of the database: a PostgreSQL snapshot, or a copy of the SQLite file, so its
 * log can be checkpointed.
 */
function withSnapshot<T>(place: Place, beside: string, work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  switch (place.engine) {
    case 'sqlite':
      return withCopy(place.file, beside, work);
    case 'postgres':
      return withOpened(place, work);
  }
}

async function withCopy<T>(
  from: string,
  beside: string,
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  removeLeftovers(beside);
  const file = passing(beside, 'snapshot');
  try {
    await copySqlite(from, file).catch((error: unknown) => {
      const fault = writeFault(error);
      if (fault === null) throw error;
      if (fault === 'unwritable') throw new StorageUnavailableError(error);
      throw new BackupError('磁盘已满：备份要先在旁边放一份数据库的副本');
    });
    return await withOpened({ engine: 'sqlite', file }, work);
  } finally {
    for (const ending of ['', '-wal', '-shm', '-journal']) rmSync(file + ending, { force: true });
  }
}

async function withOpened<T>(place: Place, work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  await using snapshot = await openSnapshot(place);
  await requireSound(snapshot, '备份');
  return await work(snapshot);
}
