import { sql, type ExpressionBuilder } from 'kysely';
import type { Queryable } from '../db/database.ts';
import { literal } from '../db/prepared.ts';
import type { Flag, Schema } from '../db/schema/schema.ts';
import { visibleTo } from '../db/visibility.ts';

const LISTED = sql.lit<Flag>(1);

const newestOf = (eb: ExpressionBuilder<Schema, 'tags'>, at: number) =>
  eb
    .selectFrom('article_tags')
    .select('article_id')
    .whereRef('article_tags.tag_id', '=', 'tags.id')
    .where('article_tags.is_public', '=', LISTED)
    .orderBy('create_time', 'desc')
    .orderBy('article_id', 'desc')
    .limit(literal(1))
    .offset(literal(at));

/** Returns the two newest public articles of each of the tags `ids`, newest first, by tag id. */
export async function listLatest(
  db: Queryable,
  ids: readonly string[],
): Promise<Map<string, { id: string; title: string }[]>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('tags')
    .select('tags.id')
    .select((eb) => [newestOf(eb, 0).as('first'), newestOf(eb, 1).as('second')])
    .where('tags.id', 'in', [...ids])
    .execute();
  const articleIds = rows.flatMap(({ first, second }) => [first ?? [], second ?? []].flat());
  const articles = await db
    .selectFrom('articles')
    .select(['id', 'title'])
    .where('id', 'in', articleIds.length > 0 ? articleIds : [''])
    .where(visibleTo(null))
    .execute();
  const byId = new Map(articles.map((article) => [article.id, article]));
  return new Map(
    rows.map(({ id, first, second }) => [id, [first, second].flatMap((each) => byId.get(each ?? '') ?? [])]),
  );
}

/** Lists the names of the listed tags used most in the `newest` newest public articles of the tag `id`. */
export async function listRelatedNames(
  db: Queryable,
  id: string,
  { newest, limit }: { newest: number; limit: number },
): Promise<string[]> {
  const articles = db
    .selectFrom('article_tags')
    .select('article_id')
    .where('tag_id', '=', id)
    .where('is_public', '=', LISTED)
    .orderBy('create_time', 'desc')
    .orderBy('article_id', 'desc')
    .limit(literal(newest));
  const rows = await db
    .selectFrom(articles.as('newest'))
    .innerJoin('article_tags', 'article_tags.article_id', 'newest.article_id')
    .innerJoin('tags', 'tags.id', 'article_tags.tag_id')
    .select('tags.name')
    .where('article_tags.tag_id', '<>', id)
    .where('tags.is_listed', '=', LISTED)
    .groupBy(['tags.id', 'tags.name'])
    .orderBy((eb) => eb.fn.countAll(), 'desc')
    .orderBy('tags.id')
    .limit(literal(limit))
    .execute();
  return rows.map(({ name }) => name);
}
