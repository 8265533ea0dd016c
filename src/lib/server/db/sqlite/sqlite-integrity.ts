import { DatabaseSync } from 'node:sqlite';

const BUSY_TIMEOUT_MS = 5_000;
const MAX_SHOWN_FAULTS = 5;

/**
 * Returns the faults that SQLite finds in the whole database `file`; empty if it is intact. Reads on a
 * separate read-only connection and blocks this thread: not for a server's thread.
 */
export function sqliteFaults(file: string): string[] {
  const connection = new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS, defensive: true });
  try {
    const texts = connection.prepare(`pragma integrity_check(${MAX_SHOWN_FAULTS})`).all();
    const faults = texts.map((row) => String(row['integrity_check'])).filter((text) => text !== 'ok');
    const strays = connection.prepare('pragma foreign_key_check').all();
    const tables = [...new Set(strays.map(({ table, parent }) => `${String(table)} → ${String(parent)}`))];
    return [...faults, ...tables.slice(0, MAX_SHOWN_FAULTS).map((text) => `foreign key ${text}`)];
  } catch (error) {
    return [(error as Error).message];
  } finally {
    connection.close();
  }
}
