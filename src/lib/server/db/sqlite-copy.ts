import { backup, DatabaseSync } from 'node:sqlite';
import { ensurePrivateFile } from '../data-folder.ts';
import { StorageUnusableError } from '../storage.ts';

const ALL_PAGES = 2 ** 31 - 1;
const BUSY_TIMEOUT_MS = 5_000;

/**
 * Copies the database `from` as it is now into the file `to`, closed to other accounts; others may write on.
 * @throws StorageUnusableError where there is none; SQLite's own error where there is no room
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
    // In one step: between two, a commit of somebody else would have it begin again.
    await backup(source, to, { rate: ALL_PAGES });
  } finally {
    source.close();
  }
}
