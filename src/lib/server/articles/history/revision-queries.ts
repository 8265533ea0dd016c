import type { Queryable, Trx } from '../../db/database.ts';
import { firstOf, firstValue } from '../../db/lists.ts';
import { perform } from '../../db/perform.ts';
import type { ArticleRevisionsTable } from '../../db/schema/schema.ts';

export const findRevision = (db: Queryable, articleId: string): Promise<ArticleRevisionsTable | null> =>
  firstOf(db.selectFrom('article_revisions').selectAll().where('article_id', '=', articleId));

export async function putRevision(trx: Trx, revision: ArticleRevisionsTable): Promise<void> {
  const { article_id: _, ...changes } = revision;
  await perform(
    trx,
    trx
      .insertInto('article_revisions')
      .values(revision)
      .onConflict((conflict) => conflict.column('article_id').doUpdateSet(changes)),
  );
}

/** Deletes the unpublished revision of an article, if any; returns the bytes of its source. */
export async function deleteRevision(trx: Trx, articleId: string): Promise<number> {
  const deletion = trx.deleteFrom('article_revisions').where('article_id', '=', articleId);
  const bytes = deletion.returning((eb) => eb.fn<number>('octet_length', ['content']).as('bytes'));
  return (await firstValue(bytes)) ?? 0;
}

/** Returns the article that its author created with that request id (perhaps deleted since), or null. */
export const findByRequest = (
  db: Queryable,
  authorId: string,
  requestId: string,
): Promise<{ id: string; update_time: number } | null> =>
  firstOf(
    db
      .selectFrom('article_requests')
      .innerJoin('articles', 'articles.id', 'article_requests.article_id')
      .select(['articles.id', 'articles.update_time'])
      .where('article_requests.author_id', '=', authorId)
      .where('article_requests.request_id', '=', requestId),
  );

export async function insertRequest(
  trx: Trx,
  request: { author_id: string; request_id: string; article_id: string },
): Promise<void> {
  await trx.insertInto('article_requests').values(request).execute();
}
