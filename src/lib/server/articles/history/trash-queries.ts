import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely';
import { may } from '../../../contract/rules/permissions.ts';
import { forgetReviews } from '../../db/forget-reviews.ts';
import type { Queryable, Trx } from '../../db/database.ts';
import { firstOf, readPage, TOTAL } from '../../db/lists.ts';
import { literal } from '../../db/prepared.ts';
import type { Schema, TrashTable } from '../../db/schema/schema.ts';
import type { Viewer } from '../../auth/auth-service.ts';
import type { PageRequest } from '../../shared/paging.ts';
import { LIST_COLUMNS, type ArticleState } from '../core/article-queries.ts';

export async function putInTrash(trx: Trx, article: ArticleState, trash_time: number): Promise<void> {
  const { id: article_id, author_id, status } = article;
  if (status === 'cancel') return;
  await trx.insertInto('trash').values({ article_id, author_id, status, trash_time }).execute();
}

/**
 * Only the author sees a deleted article that can be restored, and only in the trash; a page of the site only
 * while the author may manage pages.
 */
function trashedBy({ id, role }: Viewer) {
  const isNoPage = sql<SqlBool>`not exists (select 1 from pages where pages.article_id = trash.article_id)`;
  return (eb: ExpressionBuilder<Schema, 'trash'>): Expression<SqlBool> =>
    eb.and([eb('trash.author_id', '=', id), ...(may(role, 'pages.manage') ? [] : [isNoPage])]);
}

export function readTrashed(db: Queryable, viewer: Viewer, request: PageRequest) {
  const counting = db.selectFrom('trash').select(TOTAL).where(trashedBy(viewer));
  const listing = db
    .selectFrom('trash')
    .innerJoin('articles', 'articles.id', 'trash.article_id')
    .innerJoin('users', 'users.id', 'articles.author_id')
    .select(LIST_COLUMNS)
    .select(['trash.status as former_status', 'trash.trash_time'])
    .where(trashedBy(viewer))
    .orderBy('trash.trash_time', 'desc')
    .orderBy('trash.article_id', 'desc');
  return readPage(request, counting, listing);
}

export const findTrashed = (db: Queryable, id: string, viewer: Viewer): Promise<TrashTable | null> =>
  firstOf(db.selectFrom('trash').selectAll().where('article_id', '=', id).where(trashedBy(viewer)));

/** Lists up to `limit` articles deleted at or before `until`, of `viewer` or, if null, of all authors. */
export async function listDeletedUntil(
  db: Queryable,
  { viewer, until, limit }: { viewer: Viewer | null; until: number; limit: number },
): Promise<TrashTable[]> {
  let query = db.selectFrom('trash').selectAll().where('trash_time', '<=', until).limit(literal(limit));
  if (viewer) query = query.where(trashedBy(viewer));
  return query.execute();
}

export async function takeFromTrash(trx: Trx, articleId: string): Promise<void> {
  await trx.deleteFrom('trash').where('article_id', '=', articleId).execute();
}

/** Deletes an article permanently with all its data; rows that reference it are deleted by cascade. */
export async function deleteForGood(trx: Trx, { article_id, author_id }: TrashTable): Promise<void> {
  const comments = trx.selectFrom('comments').select('id').where('article_id', '=', article_id);
  await forgetReviews(trx, 'comment', comments);
  await trx.deleteFrom('comments').where('article_id', '=', article_id).execute();
  await forgetWithheld(trx, article_id);
  await trx
    .deleteFrom('article_requests')
    .where('author_id', '=', author_id)
    .where('article_id', '=', article_id)
    .execute();
  await trx.deleteFrom('articles').where('id', '=', article_id).execute();
}

/** Everything that readers see of an article, and its source. */
export async function textsOf(db: Queryable, id: string): Promise<string[]> {
  const row = await db
    .selectFrom('articles')
    .innerJoin('article_bodies', 'article_bodies.article_id', 'articles.id')
    .select(['title', 'tags', 'description', 'source', 'slug', 'type', 'text', 'content'])
    .where('articles.id', '=', id)
    .executeTakeFirst();
  return Object.values(row ?? {});
}

async function forgetWithheld(trx: Trx, articleId: string): Promise<void> {
  const comments = trx.selectFrom('withheld_comments').select('id').where('article_id', '=', articleId);
  await trx.deleteFrom('withheld_items').where('kind', '=', 'comment').where('id', 'in', comments).execute();
  await trx.deleteFrom('withheld_items').where('kind', '=', 'article').where('id', '=', articleId).execute();
  await forgetReviews(trx, 'comment', comments);
  await forgetReviews(trx, 'article', [articleId]);
}
