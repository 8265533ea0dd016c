import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../src/lib/server/db/database.ts';
import { openPostgres } from '../../src/lib/server/db/postgres/postgres.ts';
import { openSqlite } from '../../src/lib/server/db/sqlite/sqlite.ts';
import { createStorage } from '../engine.ts';
import { copyTemplate } from '../sqlite-template.ts';

/** A new, migrated database, and a folder for other files of a suite. */
export interface OpenedDatabase {
  db: Database;
  folder: string;
  /** Path of the SQLite file; empty on PostgreSQL. */
  file: string;
  close(): Promise<void>;
}

const quiet = { info: () => {}, warn: () => {} };

/** Opens a new database on the engine of this run (`ENGINE`). */
export async function openDatabase(): Promise<OpenedDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'moye-engine-'));
  const storage = await createStorage(folder);
  const { DATABASE_URL: url } = storage.settings;
  if (url === undefined) return openSqliteIn(folder);
  const db = await openPostgres(url, { connections: 4, log: quiet });
  return {
    db,
    folder,
    file: '',
    async close() {
      await db.close();
      await storage.remove();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Opens a new SQLite database, regardless of the engine of this run. */
export const openSqliteDatabase = async (): Promise<OpenedDatabase> =>
  openSqliteIn(await mkdtemp(join(tmpdir(), 'moye-engine-')));

async function openSqliteIn(folder: string): Promise<OpenedDatabase> {
  await copyTemplate(folder);
  const file = join(folder, 'moye.sqlite');
  const db = await openSqlite(file);
  return {
    db,
    folder,
    file,
    async close() {
      await db.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
