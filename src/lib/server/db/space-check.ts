import { randomBytes } from 'node:crypto';
import type { Database } from './database.ts';

/** Writes `bytes` bytes and takes them back in one transaction; rejects where there is no room. */
export async function tryWriting(db: Database, bytes: number): Promise<void> {
  await db.write(async (trx) => {
    // Random, or PostgreSQL would press it into nothing.
    await trx
      .insertInto('space_checks')
      .values({ content: randomBytes(bytes / 2).toString('hex') })
      .execute();
    await trx.deleteFrom('space_checks').execute();
  });
}
