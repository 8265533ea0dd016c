import { sql, type SqlBool } from 'kysely';
import { LINKED_ADDRESS } from '../../db/article-address.ts';
import type { Queryable, Trx } from '../../db/database.ts';
import { countOf, TOTAL } from '../../db/lists.ts';
import { perform } from '../../db/perform.ts';
import type { StoredCounter } from '../../db/stored-counters.ts';
import { literal, prepare } from '../../db/prepared.ts';
import type { ArticlesTable, Flag } from '../../db/schema/schema.ts';
import { PUBLIC } from '../../db/visibility.ts';

/**
 * Maximum addresses per sitemap file: of the 50,000 allowed, this many are read, written and sent in a few
 * milliseconds. Articles are split by `seq`, other kinds by their order. Rows of `sitemap_parts` depend on
 * this size (migrations/0018-discovery.ts): changing it takes a migration.
 */
const PART_SIZE = 1_000;

const LISTED = sql.lit<Flag>(1);
const NONE = sql.lit(0);

type Mapped = Pick<ArticlesTable, 'id' | 'is_public' | 'update_time'>;

/** Updates the count and the time of the sitemap file that lists the article. */
export async function settleSitemap(trx: Trx, before: Mapped | null, after: Mapped): Promise<void> {
  const delta = after.is_public - (before?.is_public ?? 0);
  if (delta === 0 && after.is_public === 0) return;
  // A removal has no timestamp; it happened after the last change of the article.
  const time = Math.max(after.update_time, before?.update_time ?? 0);
  const entry = trx
    .insertInto('sitemap_parts')
    .columns(['part', 'article_num', 'update_time'])
    .expression(
      trx
        .selectFrom('articles')
        .select((eb) => [
          sql<number>`seq / ${literal(PART_SIZE)}`.as('part'),
          eb.lit(Math.max(delta, 0)).as('article_num'),
          sql<number>`cast(${time} as bigint)`.as('update_time'),
        ])
        .where('id', '=', after.id),
    )
    .onConflict((conflict) =>
      conflict.column('part').doUpdateSet((eb) => ({
        article_num: eb('sitemap_parts.article_num', '+', delta),
        update_time: eb
          .case()
          .when('sitemap_parts.update_time', '<', time)
          .then(time)
          .else(eb.ref('sitemap_parts.update_time'))
          .end(),
      })),
    );
  await perform(trx, entry);
}

export const SITEMAP_NUMBERS: StoredCounter = {
  table: 'sitemap_parts',
  key: 'part',
  column: 'article_num',
  truth: sql`select seq / ${literal(PART_SIZE)} as key, count(*) as value, max(update_time) as update_time
    from articles where is_public = 1 group by 1`,
  adds: ['update_time'],
};

export const listArticleParts = (db: Queryable) =>
  db
    .selectFrom('sitemap_parts')
    .select(['part', 'update_time'])
    .where('article_num', '>', 0)
    .orderBy('part')
    .execute();

const articlesOfPart = prepare((db, { from, to }: { from: number; to: number }) =>
  db
    .selectFrom('articles')
    .select(['id as name', 'update_time', LINKED_ADDRESS])
    .where('seq', '>=', from)
    .where('seq', '<', to)
    .where('is_public', '=', PUBLIC)
    .orderBy('seq'),
);

export interface MappedRow {
  name: string;
  update_time: number | null;
  address?: string;
}

export const listArticlesOfPart = (db: Queryable, part: number): Promise<MappedRow[]> =>
  articlesOfPart(db, { from: part * PART_SIZE, to: (part + 1) * PART_SIZE });

export type OrderedKind = 'users' | 'tags' | 'series';

/** Listed ids of a kind that is split by its order; a partial index contains them. */
function selectIds(db: Queryable, kind: OrderedKind) {
  const ids = db
    .selectFrom(kind as 'users')
    .select('id')
    .where('page_num', '>', NONE);
  return kind === 'tags' ? ids.where(sql<SqlBool>`is_listed = ${LISTED}`) : ids;
}

/** Number of files of a kind, without reading their entries. */
export async function countParts(db: Queryable, kind: OrderedKind): Promise<number> {
  const total = await countOf(db.selectFrom(selectIds(db, kind).as('listed')).select(TOTAL));
  return Math.ceil(total / PART_SIZE);
}

export function listOfPart(db: Queryable, kind: OrderedKind, part: number): Promise<MappedRow[]> {
  const ids = selectIds(db, kind)
    .orderBy('id')
    .offset(literal(part * PART_SIZE))
    .limit(literal(PART_SIZE))
    .as('part');
  const newest = sql.lit(1);
  if (kind === 'users')
    return db
      .selectFrom(ids)
      .innerJoin('users', 'users.id', 'part.id')
      .select(['users.username as name'])
      .select((eb) =>
        eb
          .selectFrom('articles')
          .select('articles.update_time')
          .whereRef('articles.author_id', '=', 'users.id')
          .where('articles.is_public', '=', PUBLIC)
          .orderBy('articles.update_time', 'desc')
          .limit(newest)
          .as('update_time'),
      )
      .orderBy('part.id')
      .execute();
  if (kind === 'tags')
    return db
      .selectFrom(ids)
      .innerJoin('tags', 'tags.id', 'part.id')
      .select(['tags.name as name'])
      .select((eb) =>
        eb
          .selectFrom('article_tags')
          .select('article_tags.update_time')
          .whereRef('article_tags.tag_id', '=', 'tags.id')
          .where('article_tags.is_public', '=', PUBLIC)
          .orderBy('article_tags.update_time', 'desc')
          .limit(newest)
          .as('update_time'),
      )
      .orderBy('part.id')
      .execute();
  return db
    .selectFrom(ids)
    .innerJoin('series', 'series.id', 'part.id')
    .select(['series.id as name', 'series.update_time'])
    .orderBy('part.id')
    .execute();
}
