import { backup, DatabaseSync } from 'node:sqlite';
import { ensurePrivateFile } from '../../storage/data-folder.ts';
import { StorageUnusableError } from '../../storage/storage.ts';

const ALL_PAGES = 2 ** 31 - 1;
const BUSY_TIMEOUT_MS = 5_000;

/**
 * Copies the current state of the database `from` into the file `to`, closed to other accounts of the system;
 * other processes may keep writing.
 * @throws StorageUnusableError if there is no database; SQLite's own error if there is no space
 */
export async function copySqlite(from: string, to: string): Promise<void> {
  let source: DatabaseSync;
  try {
    source = new DatabaseSync(from, { readOnly: true, timeout: BUSY_TIMEOUT_MS, defensive: true });
  } catch (error) {
    throw new StorageUnusableError(`cannot use database ${from}: ${(error as Error).message}`);
  }
  try {
    ensurePrivateFile(to);
    // In one step, because a commit between two steps would restart the copy.
    await backup(source, to, { rate: ALL_PAGES });
  } finally {
    source.close();
  }
}
