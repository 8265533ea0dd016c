import { writeSync } from 'node:fs';
import { sql } from 'kysely';
import { openPostgres } from '../../src/lib/server/db/postgres/postgres.ts';

/** Stores numbers in the table `marks`, sixteen at a time, until it is killed; prints each that is stored. */
const url = new URL(process.argv[2] ?? '');
url.searchParams.set('application_name', 'moye-writer');
const quiet = { info: () => {}, warn: () => {} };
const db = await openPostgres(url.href, { connections: 2, writesPerCommit: 32, log: quiet });
let count = 0;

async function write(): Promise<never> {
  for (;;) {
    const number = count++;
    await db.write((trx) => sql`insert into marks values (${number}, 0)`.execute(trx));
    writeSync(1, `${number}\n`);
  }
}
await Promise.all(Array.from({ length: 16 }, write));
