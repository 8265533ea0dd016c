import { sql } from 'kysely';
import type { Queryable, Trx } from '../../db/database.ts';
import { TOTAL, firstOf, firstValue, readPage } from '../../db/lists.ts';
import { perform } from '../../db/perform.ts';
import type { StoredCounter } from '../../db/stored-counters.ts';
import type { ArticleVersionsTable, AuthoredColumns } from '../../db/schema/schema.ts';
import type { PageRequest } from '../../shared/paging.ts';
import { HEAD_NAMES } from '../core/authored-queries.ts';

export type VersionHead = Pick<ArticleVersionsTable, 'id' | 'kind' | 'create_time' | 'digest' | 'bytes'>;

export interface CurrentText {
  article_id: string;
  kind: ArticleVersionsTable['kind'];
  time: number;
  text: AuthoredColumns;
}

export async function findCurrentText(db: Queryable, articleId: string): Promise<CurrentText | null> {
  const revision = await db
    .selectFrom('article_revisions')
    .select([...HEAD_NAMES, 'content', 'update_time'])
    .where('article_id', '=', articleId)
    .executeTakeFirst();
  if (revision) {
    const { update_time, ...text } = revision;
    return { article_id: articleId, kind: 'draft', time: update_time, text };
  }
  const article = await db
    .selectFrom('articles')
    .innerJoin('article_bodies', 'article_bodies.article_id', 'articles.id')
    .select([...HEAD_NAMES, 'content', 'update_time', 'status'])
    .where('articles.id', '=', articleId)
    .executeTakeFirst();
  if (!article) return null;
  const { update_time, status, ...text } = article;
  const kind = status === 'normal' ? 'publication' : 'draft';
  return { article_id: articleId, kind, time: update_time, text };
}

export async function listHeads(db: Queryable, articleId: string): Promise<VersionHead[]> {
  return db
    .selectFrom('article_versions')
    .select(['id', 'kind', 'create_time', 'digest', 'bytes'])
    .where('article_id', '=', articleId)
    .orderBy('create_time', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

export function readVersions(db: Queryable, articleId: string, request: PageRequest) {
  const query = db.selectFrom('article_versions').where('article_id', '=', articleId);
  const listing = query
    .select(['id', 'kind', 'title', 'create_time'])
    .orderBy('create_time', 'desc')
    .orderBy('id', 'desc');
  return readPage(request, query.select(TOTAL), listing);
}

export const findVersion = (
  db: Queryable,
  articleId: string,
  id: string,
): Promise<ArticleVersionsTable | null> =>
  firstOf(
    db.selectFrom('article_versions').selectAll().where('article_id', '=', articleId).where('id', '=', id),
  );

export const insertVersion = (trx: Trx, version: ArticleVersionsTable): Promise<void> =>
  perform(trx, trx.insertInto('article_versions').values(version));

export async function deleteVersions(trx: Trx, heads: readonly VersionHead[]): Promise<void> {
  const BATCH_SIZE = 500;
  for (let start = 0; start < heads.length; start += BATCH_SIZE) {
    const ids = heads.slice(start, start + BATCH_SIZE).map(({ id }) => id);
    await trx.deleteFrom('article_versions').where('id', 'in', ids).execute();
  }
}

/** Adds to the bytes of a user's versions; returns the new total. */
export async function addVersionBytes(trx: Trx, userId: string, bytes: number): Promise<number> {
  const added = trx.updateTable('users').set((eb) => ({ version_bytes: eb('version_bytes', '+', bytes) }));
  return (await firstValue(added.where('id', '=', userId).returning('version_bytes'))) ?? 0;
}

export const VERSION_NUMBERS: StoredCounter = {
  table: 'users',
  key: 'id',
  column: 'version_bytes',
  truth: sql`select author_id as key, sum(bytes) as value from article_versions
    inner join articles on articles.id = article_versions.article_id group by author_id`,
};
