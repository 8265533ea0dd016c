import { sql } from 'kysely';
import type { Database } from '../../src/lib/server/db/database.ts';

/** Tables that a test writes to while there is no room. */
const TABLES = ['articles', 'comments', 'files', 'space_checks'];

/** Lets the disk of a database be full, as the engine itself says it: nothing can be added any more. */
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

/** Makes room again. */
export async function emptyDisk(db: Database): Promise<void> {
  await db.write(async (trx) => {
    if (db.engine === 'sqlite') return void (await sql`pragma max_page_count = 1073741823`.execute(trx));
    await sql`drop function no_room() cascade`.execute(trx);
  });
}
