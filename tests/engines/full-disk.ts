import { open } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import type { Database } from '../../src/lib/server/db/database.ts';

/** Tables that a test writes to while the disk is full. */
const TABLES = ['articles', 'comments', 'files', 'space_checks'];

/** Simulates a full disk: the engine refuses all further inserts with its own error. */
export async function fillDisk(db: Database): Promise<void> {
  await db.write(async (trx) => {
    if (db.engine === 'sqlite') return void (await sql`pragma max_page_count = 1`.execute(trx));
    await sql`create function no_room() returns trigger language plpgsql as $$ begin
      raise exception 'could not extend file: No space left on device' using errcode = 'disk_full';
    end $$`.execute(trx);
    for (const table of TABLES) {
      await sql`create trigger no_room before insert or update on ${sql.table(table)} execute function no_room()`.execute(
        trx,
      );
    }
  });
}

/** Ends the simulation of `fillDisk`. */
export async function emptyDisk(db: Database): Promise<void> {
  await db.write(async (trx) => {
    if (db.engine === 'sqlite') return void (await sql`pragma max_page_count = 1073741823`.execute(trx));
    await sql`drop function no_room() cascade`.execute(trx);
  });
}

const readOnly = (state: 'on' | 'off') => `do $$ begin
  execute format('alter database %I set default_transaction_read_only = ${state}', current_database());
end $$`;

/** Makes a database read-only, like a standby or a failing file system. */
export async function forbidWriting(db: Database): Promise<void> {
  await db.write(async (trx) => {
    if (db.engine === 'sqlite') return void (await sql`pragma query_only = on`.execute(trx));
    await sql.raw(readOnly('on')).execute(trx);
    await sql`set session default_transaction_read_only = on`.execute(trx);
  });
}

/**
 * Makes a PostgreSQL database writable again. With `query_only`, SQLite could not start the transaction to do
 * so.
 */
export async function allowWriting(db: Database): Promise<void> {
  await sql.raw(`begin read write; ${readOnly('off')}; commit`).execute(db.read);
}

/** Overwrites the first page of a table in the SQLite file `file`, which must not be open. */
export async function damage(file: string, table: string): Promise<void> {
  const database = new DatabaseSync(file);
  database.exec('pragma wal_checkpoint(truncate)');
  const size = Number(database.prepare('pragma page_size').get()?.['page_size']);
  const root = database.prepare('select rootpage from sqlite_schema where name = ?').get(table);
  database.close();
  const pages = await open(file, 'r+');
  await pages.write(Buffer.alloc(size, 0xff), 0, size, (Number(root?.['rootpage']) - 1) * size);
  await pages.close();
}
