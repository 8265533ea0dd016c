import { listIndexed } from './author-queries.ts';
import type { Uses } from '../../services.ts';

const BATCH_SIZE = 20;

export type IndexAuthor = ReturnType<typeof createIndexAuthor>;

export function createIndexAuthor({ db, search }: Uses<'search'>) {
  return async (userId: string, username: string): Promise<void> => {
    for (let after = ''; ;) {
      const rows = await listIndexed(db.read, userId, { after, limit: BATCH_SIZE });
      await db.write(async (trx) => {
        for (const row of rows) await search.put(trx, { ...row, username });
      });
      if (rows.length < BATCH_SIZE) return;
      after = rows.at(-1)?.id ?? after;
    }
  };
}
