import { clean } from '../clean-texts.ts';
import type { Database } from '../../src/lib/server/db/database.ts';

const BATCH_SIZE = 300;

/**
 * Adds tags 很多0, 很多1, …, each used more often than the one before and than all other tags. The site
 * must have a user.
 */
export async function addManyTags(db: Database, count: number): Promise<void> {
  await db.write(async (trx) => {
    const { id: creator_id } = await trx.selectFrom('users').select('id').executeTakeFirstOrThrow();
    const rows = Array.from({ length: count }, (_, number) => ({
      id: number.toString(16).padStart(24, '0'),
      name: clean(`很多${number}`),
      description: clean(''),
      creator_id,
      create_time: 0,
      update_time: 0,
      page_num: 10_000 + number,
      is_listed: 1 as const,
    }));
    for (let start = 0; start < rows.length; start += BATCH_SIZE) {
      await trx
        .insertInto('tags')
        .values(rows.slice(start, start + BATCH_SIZE))
        .execute();
    }
  });
}
