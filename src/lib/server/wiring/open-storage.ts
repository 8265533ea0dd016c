import { join, sep } from 'node:path';
import { findFormerPictureUses } from '../articles/core/usage-queries.ts';
import { ConfigError, SECRET_FILE, type Config } from '../config/config.ts';
import {
  closeDataFolder,
  ensureFolder,
  ensureWritableFolder,
  refuseEmptiedDatabase,
} from '../storage/data-folder.ts';
import type { UploadPlace } from '../config/upload-settings.ts';
import { explain } from '../operations/explain.ts';
import { DATABASE_FILE, placeIn } from '../operations/databases.ts';
import type { Database } from '../db/database.ts';
import { isRestore, unfinishedMove } from '../db/move-rows.ts';
import { openPostgres } from '../db/postgres/postgres.ts';
import { reasonOf } from '../db/postgres/postgres-pool.ts';
import { tryWriting } from '../db/space-check.ts';
import { openSqlite } from '../db/sqlite/sqlite.ts';
import { createDisk, type Disk } from '../disk/disk.ts';
import { createFolder, holdsUploads } from '../files/folder.ts';
import { createS3 } from '../files/s3.ts';
import { createCurrentUploads, layered, type CurrentUploads } from '../files/current-uploads.ts';
import type { Uploads } from '../files/uploads.ts';
import type { Log } from '../shared/log.ts';
import { createPostgresSearch } from '../search/postgres/postgres-search.ts';
import { rebuildIfNeeded } from '../search/rebuild.ts';
import type { SearchIndex } from '../search/search.ts';
import { createSqliteSearch } from '../search/sqlite/sqlite-search.ts';
import { StorageUnusableError } from '../storage/storage.ts';
import { fillSkeletons } from '../users/user-queries.ts';

const PROBE_BYTES = 16;
/** SQLite's page cache during bulk writes: written pages are rarely read again. */
const BULK_CACHE_KIB = 8_192;

const DATABASE_FILES = ['', '-wal', '-shm'].map((ending) => DATABASE_FILE + ending);

/**
 * Opens database, search and uploads, and brings derived data up to date. `folders` are those on the disk of
 * this machine.
 * @param isBulk whether the process mainly writes and needs no fast reads
 * @throws StorageUnusableError, NewerDatabaseError, ConfigError for an unusable UPLOADS_DIR
 */
export async function openStorage(
  config: Config,
  log: Log,
  now: () => number,
  { isBulk }: { isBulk: boolean },
): Promise<Disk & { search: SearchIndex; folders: readonly string[]; pictures: CurrentUploads }> {
  const { databaseUrl, dataDir } = config;
  const folder = 'folder' in config.uploads ? config.uploads.folder : null;
  const ownFolder = folder?.startsWith(dataDir + sep) ? folder.slice(dataDir.length + 1) : null;
  closeDataFolder(dataDir, [...DATABASE_FILES, SECRET_FILE, ...(ownFolder === null ? [] : [ownFolder])], log);
  if (folder !== null && ownFolder === null) requireWritable(folder);
  const opened = await openDatabase(config, log, { isBulk, uploads: folder });
  try {
    await refuseUnfinishedMove(opened);
    await refuseUnwritable(opened);
    await rebuildIfNeeded(opened);
    await findFormerPictureUses(opened);
    await fillSkeletons(opened);
  } catch (error) {
    await opened.close();
    throw opened.writeFault(error) === null ? error : unusable(config, opened, error);
  }
  const folders = [...(databaseUrl === null ? [dataDir] : []), ...(folder === null ? [] : [folder])];
  const pictures = createCurrentUploads({
    initial: config.uploads,
    open: (place) => openPlace(place, dataDir),
    explain,
  });
  const disk = createDisk({
    db: opened,
    uploads: pictures.uploads,
    folders,
    reserve:
      folder === null
        ? null
        : { folder, bytes: config.diskReserveBytes, isUsed: () => pictures.isInFolder() },
    log,
    now,
  });
  const { db } = disk;
  const indexes: Record<Database['engine'], () => SearchIndex> = {
    sqlite: () => createSqliteSearch(db, join(dataDir, DATABASE_FILE)),
    postgres: () => createPostgresSearch(db, { log }),
  };
  return { ...disk, search: indexes[db.engine](), folders, pictures };
}

function requireWritable(folder: string): void {
  try {
    ensureFolder(folder);
    ensureWritableFolder(folder);
  } catch (error) {
    throw new ConfigError(`UPLOADS_DIR ${folder} cannot be used: ${(error as Error).message}`);
  }
}

function openDatabase(
  config: Config,
  log: Log,
  { isBulk, uploads }: { isBulk: boolean; uploads: string | null },
): Promise<Database> {
  const place = placeIn(config);
  const { writesPerCommit } = config;
  switch (place.engine) {
    case 'sqlite':
      refuseEmptiedDatabase(place.file, () => (uploads && holdsUploads(uploads) ? uploads : null));
      return openSqlite(place.file, undefined, {
        writesPerCommit,
        log,
        ...(isBulk ? { cacheKiB: BULK_CACHE_KIB } : {}),
      });
    case 'postgres':
      return openPostgres(place.url, {
        connections: config.databasePool,
        writesPerCommit,
        readUrl: config.databaseReadUrl,
        log,
      });
  }
}

/** Tolerates a full disk: it may have space again soon, and readers can be served meanwhile. */
async function refuseUnwritable(db: Database): Promise<void> {
  try {
    if (!db.isBusy()) await tryWriting(db, PROBE_BYTES);
  } catch (error) {
    if (db.writeFault(error) === 'unwritable') throw error;
  }
}

function unusable({ dataDir }: Config, { engine }: Database, error: unknown): StorageUnusableError {
  const places: Record<Database['engine'], string> = {
    sqlite: join(dataDir, DATABASE_FILE),
    postgres: 'in PostgreSQL',
  };
  const { cause = error } = error as Error;
  return new StorageUnusableError(`cannot use database ${places[engine]}: ${reasonOf(cause)}`);
}

export const openUploads = ({ uploads, dataDir }: Pick<Config, 'uploads' | 'dataDir'>): Uploads =>
  openPlace(uploads, dataDir);

function openPlace(place: UploadPlace, dataDir: string): Uploads {
  const folderAt = (folder: string) => createFolder(folder, { isPrivate: folder.startsWith(dataDir + sep) });
  if ('folder' in place) return folderAt(place.folder);
  const bucket = createS3(place.s3);
  return place.former === undefined ? bucket : layered(bucket, folderAt(place.former));
}

async function refuseUnfinishedMove(db: Database): Promise<void> {
  const source = await unfinishedMove(db.read);
  if (source === null) return;
  throw new StorageUnusableError(
    isRestore(source)
      ? 'restoring a backup into this database was interrupted: run `moye restore` again'
      : `a move into this database from ${source} is not done: run \`moye move\` again`,
  );
}
