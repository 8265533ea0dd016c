import { sql, type Insertable, type Selectable } from 'kysely';
import { LINKED_ADDRESS } from '../../db/article-address.ts';
import type { Queryable, Trx } from '../../db/database.ts';
import { among, firstOf, firstValue, valuesOf } from '../../db/lists.ts';
import type { SeriesTable } from '../../db/schema/schema.ts';
import { listedFor, type Reader } from '../../db/visibility.ts';
import { LIST_COLUMNS, type ArticleRow } from '../core/article-queries.ts';

export type SeriesRow = Selectable<SeriesTable> & { username: string; display_name: string };

const NONE = sql.lit('');

const selectSeries = (db: Queryable) =>
  db
    .selectFrom('series')
    .innerJoin('users', 'users.id', 'series.author_id')
    .selectAll('series')
    .select(['users.username', 'users.display_name']);

export const findSeries = (db: Queryable, id: string): Promise<SeriesRow | null> =>
  firstOf(selectSeries(db).where('series.id', '=', id));

export const listSeries = (db: Queryable, authorId: string): Promise<SeriesRow[]> =>
  selectSeries(db).where('author_id', '=', authorId).orderBy('series.id', 'desc').execute();

/** Counts the articles of each series that `viewer` may see; series without any are left out. */
export async function countSeen(db: Queryable, ids: readonly string[], viewer: Reader | null) {
  const counts = db
    .selectFrom('articles')
    .select(['series', (eb) => eb.fn.countAll<number>().as('count')])
    .where('series', '<>', NONE)
    .where(listedFor(viewer))
    .groupBy('series');
  const rows = await among(ids, (some) => counts.where('series', 'in', some));
  return new Map(rows.map(({ series, count }) => [series, count]));
}

const articlesOf = (db: Queryable, id: string) =>
  db
    .selectFrom('articles')
    .where('articles.series', '=', id)
    .where('articles.series', '<>', NONE)
    .orderBy('articles.series_no')
    .orderBy('articles.id');

export const listOfSeries = (
  db: Queryable,
  id: string,
  viewer: Reader | null,
  limit: number,
): Promise<ArticleRow[]> =>
  articlesOf(db, id)
    .innerJoin('users', 'users.id', 'articles.author_id')
    .select(LIST_COLUMNS)
    .where(listedFor(viewer))
    .limit(limit)
    .execute();

export const listTitles = (db: Queryable, id: string, limit: number) =>
  articlesOf(db, id)
    .select(['articles.id', 'articles.title', LINKED_ADDRESS])
    .where(listedFor(null))
    .limit(limit)
    .execute();

export const listIds = (db: Queryable, id: string): Promise<string[]> =>
  valuesOf(articlesOf(db, id).select('articles.id').where('status', '!=', 'cancel'));

export async function nextPlace(db: Queryable, id: string): Promise<number> {
  const own = db.selectFrom('articles').where('series', '=', id).where('series', '<>', NONE);
  return ((await firstValue(own.select((eb) => eb.fn.max('series_no').as('last')))) ?? 0) + 1;
}

export async function placeInSeries(trx: Trx, articleId: string, series_no: number): Promise<void> {
  await trx.updateTable('articles').set({ series_no }).where('id', '=', articleId).execute();
}

export async function insertSeries(trx: Trx, series: Insertable<SeriesTable>): Promise<void> {
  await trx.insertInto('series').values(series).execute();
}

export type SeriesChange = Partial<Pick<Insertable<SeriesTable>, 'title' | 'description' | 'cover'>> & {
  update_time: number;
};

export async function updateSeries(trx: Trx, id: string, changes: SeriesChange): Promise<void> {
  await trx.updateTable('series').set(changes).where('id', '=', id).execute();
}

/** Deletes a series; its articles and their unpublished revisions stay, in no series. */
export async function deleteSeries(trx: Trx, id: string): Promise<void> {
  for (const table of ['articles', 'article_revisions'] as const)
    await trx.updateTable(table).set({ series: '' }).where('series', '=', id).execute();
  await trx.deleteFrom('series').where('id', '=', id).execute();
}
