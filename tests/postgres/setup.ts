import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { openPostgres } from '../../src/lib/server/db/postgres/postgres.ts';
import { startPostgres } from './start.ts';
import { describeTemplate, type Template } from './template.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** URL of the server's default database, and the database from which those of tests are made. */
    postgres: { url: string; template: Template };
  }
}

/** Settings of a server that counts the statements of each database, see statements.ts. */
const COUNTING = [
  'shared_preload_libraries=pg_stat_statements',
  'pg_stat_statements.max=50000',
  'pg_stat_statements.track_utility=off',
];
const quiet = { info: () => {}, warn: () => {} };

/**
 * Runs before the suites of a project on PostgreSQL. Provides a server with a migrated database, or creates
 * that database on the server of DATABASE_URL.
 */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const given = process.env['DATABASE_URL'];
  const isCounting = process.env['TEST_STATEMENTS'] !== undefined;
  const server = given ? null : await startPostgres(isCounting ? COUNTING : []);
  const url = given ?? server?.url ?? '';
  if (isCounting) await order(url, 'create extension if not exists pg_stat_statements');
  const name = `moye_${randomBytes(4).toString('hex')}`;
  await order(url, `create database ${name} encoding 'UTF8' template template0`);
  const own = Object.assign(new URL(url), { pathname: `/${name}` }).href;
  await (await openPostgres(own, { connections: 2, log: quiet })).close();
  provide('postgres', { url, template: await connected(own, (client) => describeTemplate(client, name)) });
  return async () => {
    await server?.end();
    if (!given) return;
    const sql = 'select datname from pg_database where starts_with(datname, $1)';
    const made = await connected(
      url,
      async (client) => (await client.query<{ datname: string }>(sql, [name])).rows,
    );
    for (const { datname } of made) await order(url, `drop database ${datname} with (force)`);
  };
}

const order = (url: string, statement: string) => connected(url, (client) => client.query(statement));

async function connected<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
