import { LINKED_ADDRESS } from '../db/article-address.ts';
import type { Queryable, Trx } from '../db/database.ts';
import { firstValue, valuesOf } from '../db/lists.ts';
import { literal, prepare } from '../db/prepared.ts';
import type { Schema } from '../db/schema/schema.ts';
import { visibleTo } from '../db/visibility.ts';

const articleAt = prepare((db, { path }: { path: string }) =>
  db
    .selectFrom('former_paths')
    .innerJoin('articles', 'articles.id', 'former_paths.article_id')
    .select(['articles.id', LINKED_ADDRESS])
    .where('former_paths.path', '=', path)
    .where(visibleTo(null)),
);

export const findArticleAt = async (db: Queryable, path: string) =>
  (await articleAt(db, { path }))[0] ?? null;

export const listHolders = (db: Queryable, paths: readonly string[]) =>
  db
    .selectFrom('former_paths')
    .innerJoin('articles', 'articles.id', 'former_paths.article_id')
    .select(['former_paths.path', 'former_paths.article_id', 'articles.status'])
    .where('former_paths.path', 'in', paths)
    .execute();

export async function listArticleIds(db: Queryable, ids: readonly string[]): Promise<Set<string>> {
  const articles = db.selectFrom('articles').select('id').where('status', '!=', 'cancel');
  return new Set(await valuesOf(articles.where('id', 'in', ids)));
}

/** Stores paths, which must be distinct; replaces the articles of existing ones. */
export async function putPaths(trx: Trx, rows: readonly Schema['former_paths'][]): Promise<void> {
  await trx
    .insertInto('former_paths')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('path').doUpdateSet((eb) => ({ article_id: eb.ref('excluded.article_id') })),
    )
    .execute();
}

export const deletePath = (trx: Trx, path: string): Promise<string | null> =>
  firstValue(trx.deleteFrom('former_paths').where('path', '=', path).returning('article_id'));

export const listPathsAfter = (
  db: Queryable,
  after: string,
  limit: number,
): Promise<Schema['former_paths'][]> =>
  db
    .selectFrom('former_paths')
    .selectAll()
    .where('path', '>', after)
    .orderBy('path')
    .limit(literal(limit))
    .execute();

export const listPathsOf = (db: Queryable, articleId: string): Promise<string[]> =>
  valuesOf(db.selectFrom('former_paths').select('path').where('article_id', '=', articleId).orderBy('path'));
