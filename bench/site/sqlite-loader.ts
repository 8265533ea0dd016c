import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Row } from './facts.ts';
import { TABLES, type Loader } from './loader.ts';

/** Page cache in KiB while loading and while creating indexes. */
const CACHE_KIB = 131_072;

interface Part {
  type: 'index' | 'trigger';
  name: string;
  sql: string;
}

/**
 * Loads into the SQLite database in `file`.
 * @param kept file that lists the indexes and triggers to create at the end
 */
export function openSqliteLoader(file: string, kept: string): Loader {
  const database = new DatabaseSync(file);
  for (const pragma of ['foreign_keys = OFF', 'synchronous = OFF', `cache_size = -${CACHE_KIB}`])
    database.exec(`pragma ${pragma}`);
  const statements = new Map<string, { run(row: Row): void }>();
  const insertInto = (table: string, row: Row) => {
    const known = statements.get(table);
    if (known) return known;
    const names = Object.keys(row);
    const statement = database.prepare(
      `insert into ${table} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`,
    );
    const made = { run: (values: Row) => void statement.run(...names.map((name) => values[name] ?? null)) };
    statements.set(table, made);
    return made;
  };
  const parts = (): Part[] =>
    database
      .prepare(
        `select type, name, sql from sqlite_schema where type in ('index', 'trigger') and sql is not null
           order by type`,
      )
      .all() as unknown as Part[];
  return {
    async begin() {
      if (existsSync(kept)) return;
      const found = parts();
      writeFileSync(kept, JSON.stringify(found));
      for (const { type, name } of found) database.exec(`drop ${type} ${name}`);
    },
    async load(rows) {
      database.exec('begin immediate');
      for (const table of TABLES) for (const row of rows.get(table) ?? []) insertInto(table, row).run(row);
      database.exec('commit');
    },
    async count() {
      return Number(database.prepare('select coalesce(max(seq), 0) as seq from articles').get()?.['seq']);
    },
    async steps() {
      if (!existsSync(kept)) return [];
      const done = new Set(parts().map(({ name }) => name));
      const left = (JSON.parse(readFileSync(kept, 'utf8')) as Part[]).filter(({ name }) => !done.has(name));
      return [
        ...left.map(({ name, sql }) => ({ name, run: async () => database.exec(sql) })),
        { name: 'foreign keys', run: async () => requireForeignKeys(database) },
      ];
    },
    async close() {
      database.close();
    },
  };
}

function requireForeignKeys(database: DatabaseSync): void {
  const [broken] = database.prepare('pragma foreign_key_check').all();
  if (broken) throw new Error(`a row of the generated site breaks a foreign key: ${JSON.stringify(broken)}`);
}
