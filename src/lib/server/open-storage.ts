import { findFormerPictureUses } from './articles/usage-queries.ts';
import { SECRET_FILE, type Config } from './config.ts';
import { closeDataFolder, refuseEmptiedDatabase } from './data-folder.ts';
import type { Database } from './db/database.ts';
import { unfinishedMove } from './db/move-rows.ts';
import { openPostgres } from './db/postgres.ts';
import { openSqlite } from './db/sqlite.ts';
import { createDisk, type Disk } from './disk/disk.ts';
import { createFolder, holdsUploads } from './files/folder.ts';
import { createS3 } from './files/s3.ts';
import type { Uploads } from './files/uploads.ts';
import type { Log } from './log.ts';
import { createPostgresSearch } from './search/postgres-search.ts';
import { rebuildIfNeeded } from './search/rebuild.ts';
import type { SearchIndex } from './search/search.ts';
import { createSqliteSearch } from './search/sqlite-search.ts';
import { StorageUnusableError } from './storage.ts';
import { fillSkeletons } from './users/user-queries.ts';
import { join, sep } from 'node:path';

const DATABASE_FILE = 'moye.sqlite';
/** SQLite's log and the index of it beside the database. */
const DATABASE_FILES = ['', '-wal', '-shm'].map((ending) => DATABASE_FILE + ending);

/**
 * Opens the storage that `config` names: database, search index and uploads, made or completed as needed.
 * @throws StorageUnusableError, NewerDatabaseError
 */
export async function openStorage(
  config: Config,
  log: Log,
  now: () => number,
): Promise<Disk & { search: SearchIndex }> {
  const { databaseUrl, databasePool, dataDir } = config;
  const file = join(dataDir, DATABASE_FILE);
  const folder = 'folder' in config.uploads ? config.uploads.folder : null;
  const ownFolder = folder?.startsWith(dataDir + sep) ? folder.slice(dataDir.length + 1) : null;
  closeDataFolder(dataDir, [...DATABASE_FILES, SECRET_FILE, ...(ownFolder === null ? [] : [ownFolder])], log);
  if (databaseUrl === null)
    refuseEmptiedDatabase(file, () => (folder && holdsUploads(folder) ? folder : null));
  const opened = await (databaseUrl === null
    ? openSqlite(file)
    : openPostgres(databaseUrl, { connections: databasePool, log }));
  await refuseUnfinishedMove(opened);
  const folders = [...(databaseUrl === null ? [dataDir] : []), ...(folder === null ? [] : [folder])];
  const disk = createDisk({
    db: opened,
    uploads: openUploads(config, ownFolder !== null),
    folders,
    log,
    now,
  });
  const { db } = disk;
  await rebuildIfNeeded(db);
  await findFormerPictureUses(db);
  await fillSkeletons(db);
  return { ...disk, search: databaseUrl === null ? createSqliteSearch(db, file) : createPostgresSearch(db) };
}

const openUploads = ({ uploads }: Config, isPrivate: boolean): Uploads =>
  's3' in uploads ? createS3(uploads.s3) : createFolder(uploads.folder, { isPrivate });

/** A database that `moye move` has not filled yet is not to be served, nor to be changed by anybody else. */
async function refuseUnfinishedMove(db: Database): Promise<void> {
  const source = await unfinishedMove(db.read);
  if (source === null) return;
  await db.close();
  throw new StorageUnusableError(
    `a move into this database from ${source} is not done: run \`moye move\` again`,
  );
}
