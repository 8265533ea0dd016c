import { randomBytes } from 'node:crypto';
import { Client, types } from 'pg';
import { inject } from 'vitest';
import { FINGERPRINT, type Template } from './template.ts';

/** Databases of this worker that are as new, and can be taken again. */
const unused: string[] = [];

/** Returns the URL of another database on the server of `url`. */
export const urlOf = (url: string, name: string): string =>
  Object.assign(new URL(url), { pathname: `/${name}` }).href;

/** Runs one statement on a new connection; int8 is returned as a number. */
export async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = await connect(url);
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function connect(url: string): Promise<Client> {
  const client = new Client(url);
  client.setTypeParser(types.builtins.INT8, Number);
  await client.connect();
  return client;
}

let connection: Promise<Client> | undefined;

/** Runs one statement in the server's default database, on one connection per worker. */
export async function askServer(sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  connection ??= connect(inject('postgres').url);
  return (await (await connection).query<Record<string, unknown>>(sql, values)).rows;
}

/** Returns the name of a database without a schema. */
export const createEmpty = (): Promise<string> => create('template0');

/** Returns the name of a migrated database without content, which `giveBack` or `drop` takes. */
export const take = async (): Promise<string> => unused.pop() ?? create(inject('postgres').template.name);

async function create(from: string): Promise<string> {
  const name = newName();
  await askServer(`create database ${name} template ${from}`);
  return name;
}

const newName = (): string => `${inject('postgres').template.name}_${randomBytes(6).toString('hex')}`;

export const drop = async (name: string): Promise<void> =>
  void (await askServer(`drop database if exists ${name} with (force)`));

/**
 * Ends the sessions of a database and empties it for the next `take`: six times as fast as a new database.
 * Drops it when its schema or its settings differ from the template's.
 */
export async function giveBack(name: string): Promise<void> {
  const { url, template } = inject('postgres');
  const next = newName();
  try {
    const waiting = 'select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1';
    await askServer(waiting, [name]);
    // A server that still runs does not find the database again.
    await askServer(`alter database ${name} rename to ${next}`);
  } catch {
    // It has connected again, or the test has dropped the database.
    return drop(name);
  }
  if (await empty(urlOf(url, next), template)) unused.push(next);
  else await drop(next);
}

async function empty(url: string, { fingerprint, rows, sequences }: Template): Promise<boolean> {
  const client = await connect(url);
  try {
    const { rows: found } = await client.query<{ fingerprint: string }>(FINGERPRINT);
    if (found[0]?.fingerprint !== fingerprint) return false;
    const { rows: filled } = await client.query<{ name: string }>(
      `select relname as name from pg_class
         where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0`,
    );
    const names = filled.map(({ name }) => `"${name}"`);
    // Foreign keys are not checked in this session.
    await client.query('set session_replication_role = replica');
    for (const name of names) await client.query(`delete from ${name}`);
    for (const [table, content] of Object.entries(rows))
      await client.query(`insert into ${table} select * from json_populate_recordset(null::${table}, $1)`, [
        JSON.stringify(content),
      ]);
    for (const [sequence, value] of Object.entries(sequences))
      await client.query('select setval($1, coalesce($2, 1), $2 is not null)', [sequence, value]);
    if (names.length > 0) await client.query(`vacuum ${names.join(', ')}`);
    return true;
  } catch {
    // The test has dropped or damaged it.
    return false;
  } finally {
    await client.end();
  }
}
