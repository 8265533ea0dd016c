import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { Client } from 'pg';
import type { Row } from './facts.ts';
import { TABLES, type Loader } from './loader.ts';

interface Part {
  name: string;
  create: string;
}
interface Kept {
  indexes: Part[];
  foreignKeys: Part[];
}

const INDEXES = `select indexname as name, indexdef as create from pg_indexes i where schemaname = current_schema()
  and not exists (select 1 from pg_constraint where conname = i.indexname) and tablename <> 'search_entries'`;
const FOREIGN_KEYS = `select conname as name, conrelid::regclass::text as place,
    format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as create
  from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace order by conname`;

/** Settings of the session, which fires no triggers as a replica. */
const SETTINGS = [
  'synchronous_commit = off',
  `maintenance_work_mem = '256MB'`,
  `work_mem = '64MB'`,
  'session_replication_role = replica',
];

/**
 * Loads into the PostgreSQL database at `url`.
 * @param kept file that lists the indexes and foreign keys to create at the end
 */
export async function openPostgresLoader(url: string, kept: string): Promise<Loader> {
  const client = new Client({ connectionString: url });
  await client.connect();
  for (const setting of SETTINGS) await client.query(`set ${setting}`);
  const list = async (query: string) => (await client.query<Part & { place: string }>(query)).rows;
  return {
    async begin() {
      if (existsSync(kept)) return;
      const foreignKeys = await list(FOREIGN_KEYS);
      const indexes = await list(INDEXES);
      writeFileSync(kept, JSON.stringify({ indexes, foreignKeys } satisfies Kept));
      await client.query('begin');
      for (const { name, place } of foreignKeys)
        await client.query(`alter table ${place} drop constraint ${name}`);
      for (const { name } of indexes) await client.query(`drop index ${name}`);
      await client.query('commit');
    },
    async load(rows) {
      await client.query('begin');
      for (const table of TABLES) {
        const some = rows.get(table) ?? [];
        if (some[0]) await insert(client, table, some);
      }
      await client.query('commit');
    },
    async count() {
      const { rows } = await client.query<{ seq: string }>(
        'select coalesce(max(seq), 0) as seq from articles',
      );
      return Number(rows[0]?.seq);
    },
    async steps() {
      if (!existsSync(kept)) return [];
      const { indexes, foreignKeys } = JSON.parse(readFileSync(kept, 'utf8')) as Kept;
      const has = new Set([...(await list(INDEXES)), ...(await list(FOREIGN_KEYS))].map(({ name }) => name));
      const run = (create: string) => async () => void (await client.query(create));
      return [
        ...[...indexes, ...foreignKeys]
          .filter(({ name }) => !has.has(name))
          .map(({ name, create }) => ({ name, run: run(create) })),
        { name: 'vacuum', run: run('vacuum analyze') },
        {
          name: 'sequence',
          run: run(`select setval(pg_get_serial_sequence('articles', 'seq'), max(seq)) from articles`),
        },
      ];
    },
    async close() {
      await client.end();
    },
  };
}

/** Inserts rows as one JSON document, which PostgreSQL turns into rows of the table. */
async function insert(client: Client, table: string, rows: readonly Row[]): Promise<void> {
  const names = Object.keys(rows[0] ?? {}).join(', ');
  const isBinary = (value: unknown): value is Uint8Array => value instanceof Uint8Array;
  const toText = (row: Row): Row =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        isBinary(value) ? `\\x${Buffer.from(value).toString('hex')}` : value,
      ]),
    );
  const text = JSON.stringify(Object.values(rows[0] ?? {}).some(isBinary) ? rows.map(toText) : rows);
  await client.query(
    `insert into ${table} (${names}) select ${names} from json_populate_recordset(null::${table}, $1)`,
    [text],
  );
}
