import { sql } from 'kysely';
import type { Queryable, Trx } from '../db/database.ts';
import type { StoredCounter } from '../db/stored-counters.ts';

export interface DayReads {
  article_id: string;
  /** First millisecond of the day, and of its month. */
  day: number;
  month: number;
  reads: number;
}

export async function authorsOf(db: Queryable, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('articles')
    .innerJoin('users', 'users.id', 'articles.author_id')
    .select(['articles.id', 'users.username'])
    .where('articles.id', 'in', [...ids])
    .where('articles.status', '=', 'normal')
    .execute();
  return new Map(rows.map(({ id, username }) => [id, username]));
}

export async function addReads(trx: Trx, { article_id, day, month, reads }: DayReads): Promise<void> {
  await trx
    .insertInto('article_reads')
    .values({ article_id, day, reads })
    .onConflict((conflict) =>
      conflict
        .columns(['article_id', 'day'])
        .doUpdateSet((eb) => ({ reads: eb('article_reads.reads', '+', reads) })),
    )
    .execute();
  await trx
    .insertInto('month_reads')
    .values({ article_id, month, reads })
    .onConflict((conflict) =>
      conflict
        .columns(['month', 'article_id'])
        .doUpdateSet((eb) => ({ reads: eb('month_reads.reads', '+', reads) })),
    )
    .execute();
  await trx
    .updateTable('articles')
    .set((eb) => ({ read_num: eb('read_num', '+', reads) }))
    .where('id', '=', article_id)
    .execute();
}

export const READ_NUMBERS: StoredCounter = {
  table: 'articles',
  key: 'id',
  column: 'read_num',
  truth: sql`select article_id as key, sum(reads) as value from article_reads group by article_id`,
};
