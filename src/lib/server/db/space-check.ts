import { randomBytes } from 'node:crypto';
import type { Database } from './database.ts';

/** Writes `bytes` bytes and deletes them in one transaction; rejects if there is no space. */
export async function tryWriting(db: Database, bytes: number): Promise<void> {
  await db.write(async (trx) => {
    // Random, because PostgreSQL would compress anything else.
    await trx
      .insertInto('space_checks')
      .values({ content: randomBytes(bytes / 2).toString('hex') })
      .execute();
    await trx.deleteFrom('space_checks').execute();
  });
}
