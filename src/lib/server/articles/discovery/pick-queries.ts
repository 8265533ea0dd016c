import { LIST_COLUMNS, type ArticleRow } from '../core/article-queries.ts';
import type { Queryable, Trx } from '../../db/database.ts';
import { isFound, valuesOf } from '../../db/lists.ts';
import { listedFor } from '../../db/visibility.ts';

export type Kind = 'pinned' | 'read';
export type PickedRow = ArticleRow & { kind: Kind; month: number };

/** Lists all picks of `kind` in order, also those that are not public. */
export const listPicks = (db: Queryable, kind: Kind) =>
  db
    .selectFrom('site_picks')
    .select(['article_id', 'place', 'month'])
    .where('kind', '=', kind)
    .orderBy('place')
    .execute();

export const listPicked = (db: Queryable): Promise<PickedRow[]> =>
  db
    .selectFrom('site_picks')
    .innerJoin('articles', 'articles.id', 'site_picks.article_id')
    .innerJoin('users', 'users.id', 'articles.author_id')
    .select(LIST_COLUMNS)
    .select(['site_picks.kind', 'site_picks.month'])
    .where(listedFor(null))
    .orderBy('site_picks.kind')
    .orderBy('site_picks.place')
    .execute();

/** Author and title of an article, for the audit log. */
export const nameArticle = (db: Queryable, id: string): Promise<{ author: string; text: string }> =>
  db
    .selectFrom('articles')
    .innerJoin('users', 'users.id', 'articles.author_id')
    .select(['users.username as author', 'articles.title as text'])
    .where('articles.id', '=', id)
    .executeTakeFirstOrThrow();

export async function putPicks(trx: Trx, kind: Kind, ids: readonly string[], month: number): Promise<void> {
  await trx.deleteFrom('site_picks').where('kind', '=', kind).execute();
  if (ids.length === 0) return;
  const rows = ids.map((article_id, index) => ({ kind, article_id, place: index + 1, month }));
  await trx.insertInto('site_picks').values(rows).execute();
}

export const listMostRead = (db: Queryable, month: number, limit: number): Promise<string[]> =>
  valuesOf(
    db
      .selectFrom('month_reads')
      .innerJoin('articles', 'articles.id', 'month_reads.article_id')
      .select('month_reads.article_id')
      .where('month_reads.month', '=', month)
      .where(listedFor(null))
      .orderBy('month_reads.reads', 'desc')
      .orderBy('month_reads.article_id', 'desc')
      .limit(limit),
  );

export const wasRead = (db: Queryable, month: number): Promise<boolean> =>
  isFound(db.selectFrom('month_reads').select('month').where('month', '=', month));

/** Fills a month from the daily counts of a former release, which had no monthly ones. */
export async function sumDays(trx: Trx, month: number, end: number): Promise<void> {
  await trx
    .insertInto('month_reads')
    .columns(['month', 'article_id', 'reads'])
    .expression((eb) =>
      eb
        .selectFrom('article_reads')
        .select([eb.val(month).as('month'), 'article_id', (sum) => sum.fn.sum<number>('reads').as('reads')])
        .where('day', '>=', month)
        .where('day', '<', end)
        .groupBy('article_id'),
    )
    .onConflict((conflict) => conflict.columns(['month', 'article_id']).doNothing())
    .execute();
}

export async function forgetMonths(trx: Trx, instant: number): Promise<void> {
  await trx.deleteFrom('month_reads').where('month', '<', instant).execute();
}
