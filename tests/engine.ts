import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client, types } from 'pg';
import { inject } from 'vitest';
import type { Database } from '../src/lib/server/db/database.ts';

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
  if (ENGINE === 'sqlite') return sqliteIn(dataDir);
  const { url, template } = inject('postgres');
  const name = `moye_${randomBytes(8).toString('hex')}`;
  const from = options.isEmpty ? 'template0' : template;
  await ask(url, `create database ${name} template ${from}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  return storageOf({
    settings: { DATA_DIR: dataDir, DATABASE_URL: own.href, DATABASE_POOL: '4', TOKEN_SECRET },
    rows: (sql) => ask(own.href, sql),
    remove: async () => void (await ask(url, `drop database if exists ${name} with (force)`)),
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

async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client(url);
  client.setTypeParser(types.builtins.INT8, Number);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}
