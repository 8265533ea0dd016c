import { sql } from 'kysely';
import type { Queryable } from '../../db/database.ts';
import { among, firstValue } from '../../db/lists.ts';
import { literal } from '../../db/prepared.ts';
import { PUBLIC, visibleTo } from '../../db/visibility.ts';
import { selectListed, type ArticleRow } from '../core/article-queries.ts';

export const listNewestOfSeries = (db: Queryable, id: string, limit: number): Promise<ArticleRow[]> =>
  selectListed(db)
    .where('articles.series', '=', id)
    .where('articles.series', '<>', sql.lit(''))
    .where('articles.is_public', '=', PUBLIC)
    .orderBy('articles.create_time', 'desc')
    .orderBy('articles.id', 'desc')
    .limit(literal(limit))
    .execute();

/** Returns the bytes of each article's HTML, by id. */
export async function measureHtml(db: Queryable, ids: readonly string[]): Promise<Map<string, number>> {
  const bodies = db
    .selectFrom('article_bodies')
    .select(['article_id', (eb) => eb.fn<number>('octet_length', ['html']).as('bytes')]);
  const rows = await among(ids, (some) => bodies.where('article_id', 'in', some));
  return new Map(rows.map((row) => [row.article_id, row.bytes]));
}

export const findPublicHtml = (db: Queryable, id: string): Promise<Uint8Array | null> =>
  firstValue(
    db
      .selectFrom('articles')
      .innerJoin('article_bodies', 'article_bodies.article_id', 'articles.id')
      .select('article_bodies.html')
      .where('articles.id', '=', id)
      .where(visibleTo(null)),
  );

/** Returns the bytes of uploaded files, by name. */
export async function measureFiles(db: Queryable, names: readonly string[]): Promise<Map<string, number>> {
  const files = db.selectFrom('files').select(['name', 'bytes']);
  const rows = await among(names, (some) => files.where('name', 'in', some));
  return new Map(rows.map((row) => [row.name, row.bytes]));
}
