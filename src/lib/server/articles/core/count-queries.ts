import { sql, type RawBuilder } from 'kysely';
import type { Queryable, Trx } from '../../db/database.ts';
import { firstValue } from '../../db/lists.ts';
import { perform } from '../../db/perform.ts';
import { addToTotal, readTotal, type StoredCounter } from '../../db/stored-counters.ts';
import type { TagService } from '../../tags/tag-service.ts';
import type { ArticleState, Scope } from './article-queries.ts';
import { settleArchive } from '../discovery/archive-queries.ts';
import { settleSitemap } from '../discovery/sitemap-queries.ts';

export type Counted = Pick<
  ArticleState,
  'id' | 'create_time' | 'update_time' | 'author_id' | 'status' | 'is_public' | 'is_page' | 'series'
> & { tagIds: readonly string[] };

/**
 * Updates all counters (author, site, tags, series, archives, sitemaps) in the transaction of the change.
 * `before` is null for a new article.
 */
export async function settleCounts(
  trx: Trx,
  tags: Pick<TagService, 'addToCounts'>,
  before: Counted | null,
  after: Counted,
): Promise<void> {
  const [was, is] = [countsAs(before), countsAs(after)];
  await addToUserCounts(trx, after.author_id, {
    public: is.public - was.public,
    secret: is.secret - was.secret,
    draft: is.draft - was.draft,
  });
  if (is.public !== was.public) await addToTotal(trx, 'public_articles', is.public - was.public);
  const formerTags = new Set(was.public === 1 ? before?.tagIds : []);
  const laterTags = new Set(is.public === 1 ? after.tagIds : []);
  await tags.addToCounts(trx, [...formerTags.difference(laterTags)], -1);
  await tags.addToCounts(trx, [...laterTags.difference(formerTags)], 1);
  const formerSeries = was.public === 1 ? before?.series : '';
  const laterSeries = is.public === 1 ? after.series : '';
  if (formerSeries !== laterSeries) {
    await addToSeries(trx, formerSeries, -1);
    await addToSeries(trx, laterSeries, 1);
  }
  await settleArchive(trx, before, after);
  await settleSitemap(trx, before, after);
}

/** A page counts as nothing. */
function countsAs(counted: Counted | null): { public: number; secret: number; draft: number } {
  const article = counted?.is_page === 1 ? null : counted;
  const isNormal = article?.status === 'normal';
  return {
    public: article?.is_public === 1 ? 1 : 0,
    secret: isNormal && article.is_public === 0 ? 1 : 0,
    draft: article?.status === 'draft' ? 1 : 0,
  };
}

async function addToUserCounts(
  trx: Trx,
  userId: string,
  delta: { public: number; secret: number; draft: number },
): Promise<void> {
  if (delta.public === 0 && delta.secret === 0 && delta.draft === 0) return;
  await perform(
    trx,
    trx
      .updateTable('users')
      .set((eb) => ({
        page_num: eb('page_num', '+', delta.public),
        secret_num: eb('secret_num', '+', delta.secret),
        draft_num: eb('draft_num', '+', delta.draft),
      }))
      .where('id', '=', userId),
  );
}

async function addToSeries(trx: Trx, id: string | undefined, delta: 1 | -1): Promise<void> {
  if (!id) return;
  const query = trx.updateTable('series').set((eb) => ({ page_num: eb('page_num', '+', delta) }));
  await perform(trx, query.where('id', '=', id));
}

export async function countArticles(db: Queryable, scope: Scope): Promise<number> {
  if (scope.of === 'public') return readTotal(db, 'public_articles');
  if (scope.of === 'tag')
    return (await firstValue(db.selectFrom('tags').select('page_num').where('id', '=', scope.tagId))) ?? 0;
  const user = await db
    .selectFrom('users')
    .select(['page_num', 'secret_num', 'draft_num'])
    .where('id', '=', scope.authorId)
    .executeTakeFirst();
  if (!user) return 0;
  if (scope.of === 'author') return user.page_num;
  if (scope.status === 'draft') return user.draft_num;
  if (scope.secret === undefined) return user.page_num + user.secret_num;
  return scope.secret ? user.secret_num : user.page_num;
}

const perAuthor = (column: string, condition: RawBuilder<unknown>): StoredCounter => ({
  table: 'users',
  key: 'id',
  column,
  truth: sql`select author_id as key, count(*) as value from articles where ${condition} group by author_id`,
});

/** The counters that `settleCounts` updates in this file; the conditions must match `countsAs`. */
export const ARTICLE_NUMBERS: readonly StoredCounter[] = [
  perAuthor('page_num', sql`is_public = 1`),
  perAuthor('secret_num', sql`status = 'normal' and is_public = 0 and is_page = 0`),
  perAuthor('draft_num', sql`status = 'draft' and is_page = 0`),
  {
    table: 'counters',
    key: 'name',
    column: 'value',
    truth: sql`select 'public_articles' as key, count(*) as value from articles where is_public = 1`,
    only: sql`counter.name = 'public_articles'`,
  },
  {
    table: 'series',
    key: 'id',
    column: 'page_num',
    truth: sql`select series as key, count(*) as value from articles where series <> '' and is_public = 1
      group by series`,
  },
];

/** Rows of `article_tags` whose copied columns differ from the article. */
const strayCopies = sql`from articles where articles.id = article_tags.article_id and (
  article_tags.is_public <> articles.is_public or article_tags.create_time <> articles.create_time
  or article_tags.update_time <> articles.update_time)`;

export async function countStrayCopies(db: Queryable): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from article_tags where exists (select 1 ${strayCopies})`.execute(db);
  return rows[0]?.total ?? 0;
}

export async function mendCopies(trx: Trx): Promise<void> {
  await sql`update article_tags set is_public = articles.is_public, create_time = articles.create_time,
    update_time = articles.update_time ${strayCopies}`.execute(trx);
}
