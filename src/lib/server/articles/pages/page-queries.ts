import { sql, type Selectable } from 'kysely';
import type { Queryable, Trx } from '../../db/database.ts';
import { countOf, firstOf, firstValue, isFound, TOTAL } from '../../db/lists.ts';
import { literal } from '../../db/prepared.ts';
import type { NavigationSchema } from '../../db/schema/navigation-schema.ts';
import { visibleTo } from '../../db/visibility.ts';
import { selectWithPages, type ArticleRow } from '../core/article-queries.ts';
import type { Placed } from '../../../contract/rules/page-tree.ts';

type PageRow = Selectable<NavigationSchema['pages']>;

const selectPages = (db: Queryable) =>
  db
    .selectFrom('pages')
    .innerJoin('articles', 'articles.id', 'pages.article_id')
    .where('articles.status', '!=', 'cancel')
    .orderBy('pages.position')
    .orderBy('pages.article_id');

/** All pages except those in the trash, by position. */
export const listPages = (db: Queryable) =>
  selectPages(db)
    .innerJoin('users', 'users.id', 'articles.author_id')
    .leftJoin('article_schedules', 'article_schedules.article_id', 'articles.id')
    .select(['pages.article_id as id', 'pages.slug', 'pages.parent_id as parent', 'pages.in_feeds'])
    .select(['articles.title', 'articles.status', 'articles.wanted_secret', 'articles.moderation'])
    .select(['articles.update_time', 'users.username', 'article_schedules.publish_time'])
    .execute();

export const listPublished = (db: Queryable) =>
  selectPages(db)
    .select(['pages.article_id as id', 'pages.slug', 'pages.parent_id as parent'])
    .select(['articles.title', 'articles.update_time'])
    .where(visibleTo(null))
    .execute();

export const listFormerSlugs = (db: Queryable) =>
  db.selectFrom('page_slugs').selectAll().orderBy('slug').execute();

/** Published pages that the operator lists in the site's feeds, newest first. */
export const listFed = (db: Queryable, limit: number): Promise<ArticleRow[]> =>
  selectWithPages(db)
    .where('pages.in_feeds', '=', 1)
    .where(visibleTo(null))
    .orderBy('articles.create_time', 'desc')
    .orderBy('articles.id', 'desc')
    .limit(literal(limit))
    .execute();

export const countPages = (db: Queryable): Promise<number> => countOf(db.selectFrom('pages').select(TOTAL));

/** Returns a page with its title; null for one in the trash. */
export const findPage = (db: Queryable, id: string) =>
  firstOf(selectPages(db).selectAll('pages').select('articles.title').where('pages.article_id', '=', id));

export const isTaken = (db: Queryable, slug: string): Promise<boolean> =>
  isFound(db.selectFrom('pages').select('article_id').where('slug', '=', slug));

/** Ids of pages by slug: by the present ones, and by those that they had. */
export async function listSlugs(db: Queryable) {
  const present = await db.selectFrom('pages').select(['slug', 'article_id']).execute();
  const bySlug = (rows: typeof present) => new Map(rows.map(({ slug, article_id }) => [slug, article_id]));
  return { present: bySlug(present), former: bySlug(await listFormerSlugs(db)) };
}

export const findLastPosition = async (db: Queryable): Promise<number> =>
  (await firstValue(db.selectFrom('pages').select(({ fn }) => fn.max('position').as('last')))) ?? 0;

export async function insertPage(trx: Trx, row: Omit<PageRow, 'in_feeds'>): Promise<void> {
  await trx.insertInto('pages').values(row).execute();
}

export async function changePage(
  trx: Trx,
  id: string,
  changes: Pick<PageRow, 'slug' | 'in_feeds'>,
): Promise<void> {
  await trx.updateTable('pages').set(changes).where('article_id', '=', id).execute();
}

export async function putFormerSlug(trx: Trx, row: NavigationSchema['page_slugs']): Promise<void> {
  await trx.insertInto('page_slugs').values(row).execute();
}

/** Frees a slug that a page had. */
export async function deleteFormerSlug(trx: Trx, slug: string): Promise<void> {
  await trx.deleteFrom('page_slugs').where('slug', '=', slug).execute();
}

export async function placePages(trx: Trx, pages: readonly Placed[]): Promise<void> {
  for (const [index, { id, parent }] of pages.entries())
    await trx
      .updateTable('pages')
      .set({ parent_id: parent, position: index + 1 })
      .where('article_id', '=', id)
      .execute();
}

/** Serialises changes of slugs and of the tree: they are checked before they are written. */
export async function lockPages(trx: Trx, isPostgres: boolean): Promise<void> {
  if (isPostgres) await sql`lock table pages in share row exclusive mode`.execute(trx);
}
