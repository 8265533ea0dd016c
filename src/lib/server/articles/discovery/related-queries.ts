import { sql } from 'kysely';
import { BOUNDS } from '../../../contract/rules/bounds.ts';
import { LIST_COLUMNS, type ArticleRow } from '../core/article-queries.ts';
import type { Queryable, Trx } from '../../db/database.ts';
import { firstOf, valuesOf } from '../../db/lists.ts';
import { literal, prepare } from '../../db/prepared.ts';
import { PUBLIC, listedFor } from '../../db/visibility.ts';
import type { Keyword } from './keywords.ts';

const MAX_READ_CHARACTERS = 20_000;
const NOT_LISTED = sql.lit<0 | 1>(0);

const readable = (db: Queryable) =>
  db
    .selectFrom('articles')
    .innerJoin('article_bodies', 'article_bodies.article_id', 'articles.id')
    .select(['articles.id', 'articles.title', 'articles.update_time'])
    .select((eb) =>
      eb.fn<string>('substr', ['article_bodies.text', sql.lit(1), literal(MAX_READ_CHARACTERS)]).as('text'),
    )
    .where(listedFor(null));

export const findReadable = (db: Queryable, id: string) =>
  firstOf(readable(db).where('articles.id', '=', id));

/**
 * Ids in a range of `seq` of public articles whose current text was not analysed by the rules of `version`,
 * and of others that were analysed.
 */
export const listOutdated = (
  db: Queryable,
  version: number,
  { after, to }: { after: number; to: number },
): Promise<string[]> =>
  valuesOf(
    db
      .selectFrom('articles')
      .leftJoin('related_topics', 'related_topics.article_id', 'articles.id')
      .select('articles.id')
      .where('articles.seq', '>', after)
      .where('articles.seq', '<=', to)
      .where((eb) =>
        eb.or([
          eb.and([
            eb('articles.is_public', '=', PUBLIC),
            eb.or([
              eb('related_topics.version', 'is', null),
              eb('related_topics.version', '<>', version),
              eb('related_topics.made_of', '<>', eb.ref('articles.update_time')),
            ]),
          ]),
          eb.and([eb('articles.is_public', '<>', PUBLIC), eb('related_topics.version', 'is not', null)]),
        ]),
      ),
  );

export const listUnlisted = (db: Queryable, limit: number): Promise<string[]> =>
  valuesOf(
    db
      .selectFrom('related_topics')
      .select('article_id')
      .where('is_listed', '=', NOT_LISTED)
      .orderBy('article_id')
      .limit(limit),
  );

/** Replaces the keywords of an article, and marks it and the articles that list it for `listUnlisted`. */
export async function putKeywords(
  trx: Trx,
  article: { id: string; update_time: number },
  version: number,
  keywords: readonly Keyword[],
): Promise<void> {
  const { id: article_id, update_time: made_of } = article;
  await trx.deleteFrom('related_terms').where('article_id', '=', article_id).execute();
  if (keywords.length > 0)
    await trx
      .insertInto('related_terms')
      .values(keywords.map((keyword) => ({ article_id, ...keyword })))
      .execute();
  await trx
    .insertInto('related_topics')
    .values({ article_id, made_of, version, is_listed: 0 })
    .onConflict((conflict) => conflict.column('article_id').doUpdateSet({ made_of, version, is_listed: 0 }))
    .execute();
  await unlistNaming(trx, article_id);
}

export async function forget(trx: Trx, id: string): Promise<void> {
  await unlistNaming(trx, id);
  await trx.deleteFrom('related_articles').where('article_id', '=', id).execute();
  await trx.deleteFrom('related_articles').where('related_id', '=', id).execute();
  await trx.deleteFrom('related_terms').where('article_id', '=', id).execute();
  await trx.deleteFrom('related_topics').where('article_id', '=', id).execute();
}

const unlistNaming = (trx: Trx, id: string) =>
  trx
    .updateTable('related_topics')
    .set({ is_listed: 0 })
    .where('article_id', 'in', (eb) =>
      eb.selectFrom('related_articles').select('article_id').where('related_id', '=', id),
    )
    .execute();

export const listKeywords = (db: Queryable, id: string): Promise<Keyword[]> =>
  db
    .selectFrom('related_terms')
    .select(['term', 'weight'])
    .where('article_id', '=', id)
    .orderBy('weight', 'desc')
    .orderBy('term')
    .execute();

export const listTagsOf = (db: Queryable, id: string): Promise<{ id: string; page_num: number }[]> =>
  db
    .selectFrom('article_tags')
    .innerJoin('tags', 'tags.id', 'article_tags.tag_id')
    .select(['tags.id', 'tags.page_num'])
    .where('article_tags.article_id', '=', id)
    .where('article_tags.is_public', '=', PUBLIC)
    .orderBy('tags.id')
    .execute();

/** Counts the articles with each of `terms` as a keyword, up to `most`. */
export async function countTerms(db: Queryable, terms: readonly string[], most: number) {
  const counts = new Map<string, number>();
  for (const term of terms) {
    const [row] = await countTerm(db, { term, most });
    counts.set(term, row?.count ?? 0);
  }
  return counts;
}
const countTerm = prepare((db, { term, most }: { term: string; most: number }) =>
  db
    .selectFrom(
      db.selectFrom('related_terms').select('article_id').where('term', '=', term).limit(most).as('some'),
    )
    .select((eb) => eb.fn.countAll<number>().as('count')),
);

const heaviest = prepare((db, { term, most }: { term: string; most: number }) =>
  db
    .selectFrom('related_terms')
    .select(['article_id', 'weight'])
    .where('term', '=', term)
    .orderBy('weight', 'desc')
    .orderBy('article_id', 'desc')
    .limit(most),
);
export const listAbout = (db: Queryable, term: string, most: number) => heaviest(db, { term, most });

const newest = prepare((db, { tag, most }: { tag: string; most: number }) =>
  db
    .selectFrom('article_tags')
    .select('article_id')
    .where('tag_id', '=', tag)
    .where('is_public', '=', PUBLIC)
    .orderBy('create_time', 'desc')
    .orderBy('article_id', 'desc')
    .limit(most),
);
export const listUnder = async (db: Queryable, tag: string, most: number): Promise<string[]> =>
  (await newest(db, { tag, most })).map(({ article_id }) => article_id);

export const listShared = (db: Queryable, ids: readonly string[], terms: readonly string[]) =>
  db
    .selectFrom('related_terms')
    .select(['article_id', 'term', 'weight'])
    .where('article_id', 'in', ids)
    .where('term', 'in', terms)
    .execute();

export const listSharedTags = (db: Queryable, ids: readonly string[], tagIds: readonly string[]) =>
  db
    .selectFrom('article_tags')
    .select(['article_id', 'tag_id'])
    .where('article_id', 'in', ids)
    .where('tag_id', 'in', tagIds)
    .where('is_public', '=', PUBLIC)
    .execute();

/** A related article; `score` is in millionths. */
export interface Related {
  id: string;
  score: number;
}

export async function listStored(db: Queryable, ids: readonly string[]): Promise<Map<string, Related[]>> {
  const stored = new Map(ids.map((id) => [id, [] as Related[]]));
  if (ids.length === 0) return stored;
  const rows = await db
    .selectFrom('related_articles')
    .selectAll()
    .where('article_id', 'in', ids)
    .orderBy('score', 'desc')
    .orderBy('related_id', 'desc')
    .execute();
  for (const { article_id, related_id, score } of rows)
    stored.get(article_id)?.push({ id: related_id, score });
  return stored;
}

export async function putRelated(trx: Trx, articleId: string, related: readonly Related[]): Promise<void> {
  await trx.deleteFrom('related_articles').where('article_id', '=', articleId).execute();
  if (related.length > 0)
    await trx
      .insertInto('related_articles')
      .values(related.map(({ id, score }) => ({ article_id: articleId, related_id: id, score })))
      .execute();
  await trx.updateTable('related_topics').set({ is_listed: 1 }).where('article_id', '=', articleId).execute();
}

/** Adds `entry` to the related articles of an article and keeps the best `most`. */
export async function enter(trx: Trx, articleId: string, entry: Related, most: number): Promise<void> {
  await trx
    .insertInto('related_articles')
    .values({ article_id: articleId, related_id: entry.id, score: entry.score })
    .onConflict((conflict) =>
      conflict.columns(['article_id', 'related_id']).doUpdateSet({ score: entry.score }),
    )
    .execute();
  const kept = (await listStored(trx, [articleId])).get(articleId) ?? [];
  const dropped = kept.slice(most).map(({ id }) => id);
  if (dropped.length === 0) return;
  await trx
    .deleteFrom('related_articles')
    .where('article_id', '=', articleId)
    .where('related_id', 'in', dropped)
    .execute();
}

const related = prepare((db, { id }: { id: string }) =>
  db
    .selectFrom('related_articles')
    .innerJoin('articles', 'articles.id', 'related_articles.related_id')
    .innerJoin('users', 'users.id', 'articles.author_id')
    .select(LIST_COLUMNS)
    .where('related_articles.article_id', '=', id)
    .where('related_articles.article_id', 'in', (eb) =>
      eb.selectFrom('articles').select('articles.id').where('articles.id', '=', id).where(listedFor(null)),
    )
    .where(listedFor(null))
    .orderBy('related_articles.score', 'desc')
    .orderBy('related_articles.related_id', 'desc')
    .limit(literal(BOUNDS.related)),
);
export const listRelated = (db: Queryable, id: string): Promise<ArticleRow[]> => related(db, { id });
