import { sql } from 'kysely';
import type { Queryable, Trx } from '../db/database.ts';
import { perform } from '../db/perform.ts';
import { literal } from '../db/prepared.ts';
import type { StoredCounter } from '../db/stored-counters.ts';

export interface DayReads {
  article_id: string;
  /** First millisecond of the day, and of its month. */
  day: number;
  month: number;
  reads: number;
}

/** Returns published articles and their authors, by what `names` call them: an id or a slug. */
export async function authorsOf(db: Queryable, names: readonly string[]) {
  const articles = db
    .selectFrom('articles')
    .innerJoin('users', 'users.id', 'articles.author_id')
    .select(['articles.id', 'users.username'])
    .where('articles.status', '=', 'normal');
  const bySlug = articles
    .innerJoin('article_slugs', 'article_slugs.article_id', 'articles.id')
    .select('article_slugs.slug')
    .where('article_slugs.slug', 'in', names)
    .execute();
  const byId = articles.where('articles.id', 'in', names).execute();
  return new Map([
    ...(await bySlug).map(({ slug, ...article }) => [slug, article] as const),
    ...(await byId).map((article) => [article.id, article] as const),
  ]);
}

/** Adds reads of several articles; each pair of article and day occurs once. */
export async function addReads(trx: Trx, sums: readonly DayReads[]): Promise<void> {
  const sumBy = (keyOf: (sum: DayReads) => string) =>
    Object.entries(Object.groupBy(sums, keyOf)).map(([key, group = []]) => {
      const [article_id = '', month] = key.split(' ');
      return {
        article_id,
        month: Number(month),
        reads: group.reduce((total, { reads }) => total + reads, 0),
      };
    });
  // All processes change rows in the same order, to avoid deadlocks.
  const days = sums.map(({ article_id, day, reads }) => ({ article_id, day, reads })).toSorted(byArticle);
  const months = sumBy(({ article_id, month }) => `${article_id} ${month}`).toSorted(byArticle);
  const articles = sumBy(({ article_id }) => article_id).toSorted(byArticle);
  await perform(
    trx,
    trx
      .insertInto('article_reads')
      .values(days)
      .onConflict((conflict) =>
        conflict
          .columns(['article_id', 'day'])
          .doUpdateSet((eb) => ({ reads: eb('article_reads.reads', '+', eb.ref('excluded.reads')) })),
      ),
  );
  await perform(
    trx,
    trx
      .insertInto('month_reads')
      .values(months)
      .onConflict((conflict) =>
        conflict
          .columns(['month', 'article_id'])
          .doUpdateSet((eb) => ({ reads: eb('month_reads.reads', '+', eb.ref('excluded.reads')) })),
      ),
  );
  const rows = articles.map(({ article_id, reads }) => sql`(${article_id}, ${literal(reads)})`);
  await perform(
    trx,
    sql`with added (id, reads) as (values ${sql.join(rows)})
      update articles set read_num = read_num + added.reads from added where articles.id = added.id`,
  );
}

const byArticle = (one: { article_id: string }, other: { article_id: string }): number =>
  one.article_id < other.article_id ? -1 : 1;

export const READ_NUMBERS: StoredCounter = {
  table: 'articles',
  key: 'id',
  column: 'read_num',
  truth: sql`select article_id as key, sum(reads) as value from article_reads group by article_id`,
};
