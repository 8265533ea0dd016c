import type { Insertable } from 'kysely';
import type { Queryable, Trx } from '../../db/database.ts';
import { firstOf, isFound } from '../../db/lists.ts';
import type {
  ArticleBodiesTable,
  ArticlesTable,
  ArticleSchedulesTable,
  ArticleVersionsTable,
  TrashTable,
} from '../../db/schema/schema.ts';
import type { WithheldItemsTable } from '../../db/schema/moderation-schema.ts';

export const findStored = (db: Queryable, id: string) =>
  firstOf(
    db
      .selectFrom('articles')
      .innerJoin('article_bodies', 'article_bodies.article_id', 'articles.id')
      .select(['author_id', 'update_time', 'status', 'content'])
      .where('articles.id', '=', id),
  );

export const isFree = async (trx: Trx, seq: number): Promise<boolean> =>
  !(await isFound(trx.selectFrom('articles').select('id').where('seq', '=', seq)));

export interface ReinstatedRows {
  article: Insertable<ArticlesTable>;
  body: Insertable<ArticleBodiesTable>;
  trash: TrashTable | null;
  schedule: ArticleSchedulesTable | null;
  withheld: WithheldItemsTable | null;
}

export async function insertRows(trx: Trx, rows: ReinstatedRows): Promise<void> {
  await trx.insertInto('articles').values(rows.article).execute();
  await trx.insertInto('article_bodies').values(rows.body).execute();
  if (rows.trash) await trx.insertInto('trash').values(rows.trash).execute();
  if (rows.schedule) await trx.insertInto('article_schedules').values(rows.schedule).execute();
  if (rows.withheld) await insertWithheldItem(trx, rows.withheld);
}

export async function insertWithheldItem(trx: Trx, item: WithheldItemsTable): Promise<void> {
  await trx
    .insertInto('withheld_items')
    .values(item)
    .onConflict((conflict) => conflict.columns(['kind', 'id']).doNothing())
    .execute();
}

/** Adds former paths of an article; skips paths that another article has. */
export async function insertFormerPaths(trx: Trx, article_id: string, paths: readonly string[]) {
  if (paths.length === 0) return;
  await trx
    .insertInto('former_paths')
    .values(paths.map((path) => ({ path, article_id })))
    .onConflict((conflict) => conflict.column('path').doNothing())
    .execute();
}

export async function insertVersions(trx: Trx, versions: readonly ArticleVersionsTable[]): Promise<void> {
  await trx.insertInto('article_versions').values(versions).execute();
}

/** Inserts reads per day or month, unless that day or month is already counted. */
export async function insertReads(
  trx: Trx,
  rows: readonly { article: string; day?: number | undefined; month?: number | undefined; reads: number }[],
): Promise<void> {
  for (const { article: article_id, day, month, reads } of rows) {
    if (day !== undefined)
      await trx
        .insertInto('article_reads')
        .values({ article_id, day, reads })
        .onConflict((conflict) => conflict.columns(['article_id', 'day']).doNothing())
        .execute();
    if (month !== undefined)
      await trx
        .insertInto('month_reads')
        .values({ article_id, month, reads })
        .onConflict((conflict) => conflict.columns(['month', 'article_id']).doNothing())
        .execute();
  }
}

/** A page as it was in the tree. */
export interface FormerPage {
  slug: string;
  parent: string;
  position: number;
  in_feeds: 0 | 1;
  former_slugs: readonly string[];
}

/** Places a page in the tree; one whose slug is taken, or without a place, gets its id as slug. */
export async function insertFormerPage(trx: Trx, id: string, page: FormerPage | null): Promise<void> {
  const { slug = id, parent = '', position = 0, in_feeds = 0, former_slugs = [] } = page ?? {};
  const isTaken = await isFound(trx.selectFrom('pages').select('slug').where('slug', '=', slug));
  await trx
    .insertInto('pages')
    .values({ article_id: id, slug: isTaken ? id : slug, parent_id: parent, position, in_feeds })
    .execute();
  if (former_slugs.length > 0)
    await trx
      .insertInto('page_slugs')
      .values(former_slugs.map((former) => ({ slug: former, article_id: id })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}
