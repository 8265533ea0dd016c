import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  statSync,
} from 'node:fs';
import { open, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Log } from '../shared/log.ts';
import { StorageUnusableError } from './storage.ts';

export const PRIVATE_FOLDER = 0o700;
export const PRIVATE_FILE = 0o600;
/** A shared folder such as /tmp, whose mode must not be changed. */
const STICKY = 0o1000;

/**
 * Creates the folder `path` and its parents; `isPrivate` denies access to other accounts if it is new.
 * @throws the system's error, or an error when `path` is not a folder
 */
export function ensureFolder(path: string, isPrivate = false): void {
  // Not mkdirSync's `recursive`: it never returns on file systems that answer ENOENT, such as /proc.
  if (!existsSync(path)) {
    const parent = dirname(path);
    if (parent !== path) ensureFolder(parent);
    try {
      mkdirSync(path, isPrivate ? { mode: PRIVATE_FOLDER } : undefined);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  if (statSync(path).isDirectory()) return;
  const facts = { code: 'ENOTDIR', syscall: 'mkdir', path };
  throw Object.assign(new Error(`${path} is not a folder`), facts);
}

/**
 * Creates the folder `path` if it is missing, private, and checks that files can be created in it.
 * @throws the system's error, which names the folder
 */
export function ensureWritableFolder(path: string): void {
  ensureFolder(path, true);
  accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
}

export function ensurePrivateFile(path: string): void {
  closeSync(openSync(path, 'a', PRIVATE_FILE));
}

/** Makes a rename in `folder` survive a power cut. Windows neither supports nor needs it. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Writes `text` to the file `path` durably and atomically, readable by this account only. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  ensureFolder(dirname(path), true);
  const unfinished = `${path}.${process.pid}.part`;
  await writeFile(unfinished, text, { mode: PRIVATE_FILE, flush: true });
  await rename(unfinished, path);
}

/**
 * Restricts `dataDir` and the `names` in it that an earlier version, a copy or a backup left readable by
 * other accounts. Skips missing ones; logs a warning when a mode cannot be changed because another account
 * owns the file.
 */
export function closeDataFolder(dataDir: string, names: readonly string[], log: Pick<Log, 'warn'>): void {
  if (process.platform === 'win32') return;
  for (const path of [dataDir, ...names.map((name) => join(dataDir, name))]) {
    try {
      const found = statSync(path, { throwIfNoEntry: false });
      const wanted = found?.isDirectory() ? PRIVATE_FOLDER : PRIVATE_FILE;
      if (!found || (found.mode & 0o777) === wanted) continue;
      if (found.mode & STICKY) throw new Error('folder is world-writable');
      chmodSync(path, wanted);
    } catch (error) {
      log.warn({ path, reason: (error as Error).message }, 'readable by other accounts');
    }
  }
}

/**
 * Refuses an empty database file if other files of a site exist: a start would create a new site in it, and
 * SQLite would delete the log. A file that is missing, or empty without other files, belongs to a new site.
 * @param findUploads returns the uploads folder if it has files, else null
 * @throws StorageUnusableError
 */
export function refuseEmptiedDatabase(file: string, findUploads: () => string | null): void {
  if (statSync(file, { throwIfNoEntry: false })?.size !== 0) return;
  const beside = existsSync(`${file}-wal`) ? `${file}-wal` : findUploads();
  if (beside === null) return;
  throw new StorageUnusableError(
    `database ${file} is empty, but ${beside} belongs to a site: restore a backup, or remove the empty file to start a new site`,
  );
}
