import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { inject } from 'vitest';
import type { Database } from '../src/lib/server/db/database.ts';
import { ask, createEmpty, drop, giveBack, take, urlOf } from './postgres/databases.ts';
import { copyTemplate } from './sqlite-template.ts';
import { countStatements, noteStatements } from './postgres/statements.ts';

/** Engine of this run: PostgreSQL with `TEST_ENGINE=postgres`, otherwise SQLite. */
export const ENGINE: Database['engine'] = process.env['TEST_ENGINE'] === 'postgres' ? 'postgres' : 'sqlite';
export const TOKEN_SECRET = 'the secret of a site that tests share';

/** Storage of one site: an empty, migrated database. */
export interface TestStorage extends AsyncDisposable {
  /** Environment of a site on this storage, including DATA_DIR. */
  settings: Record<string, string>;
  /** Queries the database directly, in SQL that both engines support; the site may be running. */
  rows(sql: string): Promise<Record<string, unknown>[]>;
  /** Returns the number that `sql` selects. */
  count(sql: string): Promise<number>;
  /** Removes the storage even while it is in use. */
  remove(): Promise<void>;
}

/**
 * Creates storage for a site whose DATA_DIR is `dataDir`.
 * @param options `isEmpty`: without a schema
 */
export async function createStorage(
  dataDir: string,
  options: { isEmpty?: boolean } = {},
): Promise<TestStorage> {
  if (ENGINE === 'sqlite') {
    if (!options.isEmpty) await copyTemplate(dataDir);
    return sqliteIn(dataDir);
  }
  const name = await (options.isEmpty ? createEmpty() : take());
  await countStatements(name);
  const { url } = inject('postgres');
  const own = urlOf(url, name);
  return storageOf({
    settings: { DATA_DIR: dataDir, DATABASE_URL: own, DATABASE_POOL: '4', TOKEN_SECRET },
    rows: (sql) => ask(own, sql),
    async remove() {
      await noteStatements(name);
      await (options.isEmpty ? drop(name) : giveBack(name));
    },
  });
}

/**
 * Returns the SQLite database of a site whose DATA_DIR is `dataDir`, regardless of the engine of this run.
 */
export function sqliteIn(dataDir: string): TestStorage {
  return storageOf({
    settings: { DATA_DIR: dataDir },
    async rows(sql) {
      const db = new DatabaseSync(join(dataDir, 'moye.sqlite'), { readOnly: true, timeout: 5000 });
      try {
        return db.prepare(sql).all();
      } finally {
        db.close();
      }
    },
    remove: async () => {},
  });
}

const storageOf = (parts: Pick<TestStorage, 'settings' | 'rows' | 'remove'>): TestStorage => ({
  ...parts,
  count: async (sql) => Number(Object.values((await parts.rows(sql))[0] ?? {})[0]),
  [Symbol.asyncDispose]: parts.remove,
});
