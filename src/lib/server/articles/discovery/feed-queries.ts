import { sql } from 'kysely';
import type { Queryable } from '../../db/database.ts';
import { literal } from '../../db/prepared.ts';
import { PUBLIC } from '../../db/visibility.ts';
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
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('article_bodies')
    .select(['article_id', (eb) => eb.fn<number>('octet_length', ['html']).as('bytes')])
    .where('article_id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.article_id, row.bytes]));
}

export async function findPublicHtml(db: Queryable, id: string): Promise<Uint8Array | null> {
  const row = await db
    .selectFrom('articles')
    .innerJoin('article_bodies', 'article_bodies.article_id', 'articles.id')
    .select('article_bodies.html')
    .where('articles.id', '=', id)
    .where('articles.is_public', '=', PUBLIC)
    .executeTakeFirst();
  return row?.html ?? null;
}

/** Returns the bytes of uploaded files, by name. */
export async function measureFiles(db: Queryable, names: readonly string[]): Promise<Map<string, number>> {
  if (names.length === 0) return new Map();
  const rows = await db.selectFrom('files').select(['name', 'bytes']).where('name', 'in', names).execute();
  return new Map(rows.map((row) => [row.name, row.bytes]));
}
