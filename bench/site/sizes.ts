import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import type { Site } from './site.ts';

/** Bytes of a site's database, and of its search index. */
interface Sizes {
  all: number;
  search: number;
}

export const sizesOf = ({ folder, env }: Site): Promise<Sizes> => {
  const url = env['DATABASE_URL'];
  return url ? postgresSizes(url) : sqliteSizes(join(folder, 'moye.sqlite'));
};

async function sqliteSizes(file: string): Promise<Sizes> {
  const database = new DatabaseSync(file, { readOnly: true });
  const names = database
    .prepare(`select name from sqlite_schema where tbl_name like 'search~_%' escape '~'`)
    .all();
  // By name, so only the pages of these trees are read.
  const size = database.prepare(
    'select sum(pgsize) as bytes from dbstat where aggregate = true and name = ?',
  );
  const search = names.reduce((sum, { name }) => sum + Number(size.get(String(name))?.['bytes'] ?? 0), 0);
  database.close();
  return { all: statSync(file).size, search };
}

async function postgresSizes(url: string): Promise<Sizes> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ all: string; search: string }>(
    `select pg_database_size(current_database()) as all, coalesce(sum(pg_total_relation_size(oid)), 0) as search
       from pg_class where relkind = 'r' and relname like 'search~_%' escape '~'`,
  );
  await client.end();
  return { all: Number(rows[0]?.all), search: Number(rows[0]?.search) };
}
