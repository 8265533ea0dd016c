import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../src/lib/server/db/database.ts';
import { openSqlite as openSqliteFile } from '../../src/lib/server/db/sqlite.ts';

/** An empty, migrated database of its own, and a folder beside it for whatever else a suite stores. */
export interface OpenedDatabase {
  db: Database;
  folder: string;
  close(): Promise<void>;
}

/** How a suite gets a fresh database: suites take it as an argument, one run for each engine. */
export type OpenDatabase = () => Promise<OpenedDatabase>;

export const openSqlite: OpenDatabase = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'moye-engine-'));
  const db = await openSqliteFile(join(folder, 'moye.db'));
  return {
    db,
    folder,
    async close() {
      await db.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
