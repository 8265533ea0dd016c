import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { openPostgres } from '../../src/lib/server/db/postgres/postgres.ts';
import { startPostgres } from './start.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /**
     * URL of the server's default database, and the name of a migrated database that is used as a template.
     */
    postgres: { url: string; template: string };
  }
}

const quiet = { info: () => {}, warn: () => {} };

/**
 * Runs before the suites of a project on PostgreSQL. Provides a server with a migrated database, or creates
 * that database on the server of DATABASE_URL.
 */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const given = process.env['DATABASE_URL'];
  const own = given ? null : await startPostgres();
  const url = given ?? own?.url ?? '';
  const template = `moye_template_${randomBytes(4).toString('hex')}`;
  await order(url, `create database ${template} encoding 'UTF8' template template0`);
  const db = await openPostgres(Object.assign(new URL(url), { pathname: `/${template}` }).href, {
    connections: 2,
    log: quiet,
  });
  await db.close();
  provide('postgres', { url, template });
  return async () => {
    await order(url, `drop database ${template}`);
    await own?.end();
  };
}

async function order(url: string, statement: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
