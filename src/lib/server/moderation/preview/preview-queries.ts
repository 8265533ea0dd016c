import { sql } from 'kysely';
import type { Queryable } from '../../db/database.ts';
import { among } from '../../db/lists.ts';
import { literal } from '../../db/prepared.ts';
import { isModerated, PUBLIC, visibleTo } from '../../db/visibility.ts';

/** A text that readers see or that waits for staff. */
export interface Written {
  kind: 'article' | 'comment';
  id: string;
  create_time: number;
  is_pending: 0 | 1;
}

/** Returns the newest public and pending articles and comments, newest first. */
export async function listNewest(db: Queryable, most: number): Promise<Written[]> {
  const articles = db
    .selectFrom('articles')
    .select([
      sql<Written['kind']>`'article'`.as('kind'),
      'articles.id',
      'articles.create_time',
      sql<0 | 1>`1 - articles.is_public`.as('is_pending'),
    ]);
  const comments = db
    .selectFrom('comments')
    .innerJoin('articles', 'articles.id', 'comments.article_id')
    .where(visibleTo(null))
    .select([
      sql<Written['kind']>`'comment'`.as('kind'),
      'comments.id',
      'comments.create_time',
      sql<0 | 1>`0`.as('is_pending'),
    ]);
  const pending = db
    .selectFrom('withheld_comments')
    .innerJoin('withheld_items', 'withheld_items.id', 'withheld_comments.id')
    .where('withheld_items.kind', '=', 'comment')
    .where('withheld_items.state', '=', 'held')
    .select([
      sql<Written['kind']>`'comment'`.as('kind'),
      'withheld_comments.id',
      'withheld_comments.create_time',
      sql<0 | 1>`1`.as('is_pending'),
    ]);
  const held = articles.where('articles.moderation', '=', sql.lit('held')).where(isModerated);
  const found = [
    await articles
      .where('articles.is_public', '=', PUBLIC)
      .orderBy('articles.create_time', 'desc')
      .limit(literal(most))
      .execute(),
    await held.orderBy('articles.create_time', 'desc').limit(literal(most)).execute(),
    await comments.orderBy('comments.create_time', 'desc').limit(literal(most)).execute(),
    await pending.orderBy('withheld_comments.create_time', 'desc').limit(literal(most)).execute(),
  ];
  return found
    .flat()
    .sort((a, b) => b.create_time - a.create_time || (a.id < b.id ? 1 : -1))
    .slice(0, most);
}

/** Returns what readers see of articles, at most `characters` of the text of each, by id. */
export async function findArticles(db: Queryable, ids: readonly string[], characters: number) {
  const articles = db
    .selectFrom('articles')
    .innerJoin('article_bodies', 'article_bodies.article_id', 'articles.id')
    .select(['articles.id', 'title', 'tags', 'description', 'source', 'slug'])
    .select(sql<string>`substr(article_bodies.text, 1, ${literal(characters)})`.as('text'));
  const rows = await among(ids, (some) => articles.where('articles.id', 'in', some));
  return new Map(
    rows.map(({ id, title, tags, description, source, slug, text }) => [
      id,
      {
        article_id: id,
        title,
        text: [title, ...(JSON.parse(tags) as string[]), description, source, slug, text].join('\n\n'),
      },
    ]),
  );
}

/** Returns comments, also pending ones, with the titles of their articles, by id. */
export async function findComments(db: Queryable, ids: readonly string[]) {
  const of = (table: 'comments' | 'withheld_comments') =>
    among(ids, (some) =>
      db
        .selectFrom(`${table as 'comments'} as said`)
        .innerJoin('articles', 'articles.id', 'said.article_id')
        .select(['said.id', 'said.article_id', 'articles.title', 'said.content as text'])
        .where('said.id', 'in', some),
    );
  const rows = [...(await of('comments')), ...(await of('withheld_comments'))];
  return new Map(rows.map(({ id, ...comment }) => [id, comment]));
}
