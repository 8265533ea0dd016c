import type { Queryable } from '../../db/database.ts';
import { among, firstOf, isFound } from '../../db/lists.ts';
import { literal } from '../../db/prepared.ts';
import { isShownFlag } from '../../db/visibility.ts';

type Kind = 'article' | 'comment';

/** An article with its rendered text, regardless of its visibility. */
export const findWhole = (db: Queryable, id: string) =>
  firstOf(
    db
      .selectFrom('articles')
      .innerJoin('article_bodies', 'article_bodies.article_id', 'articles.id')
      .innerJoin('users', 'users.id', 'articles.author_id')
      .select(['articles.id', 'articles.author_id', 'articles.title', 'articles.create_time'])
      .select(['articles.status', 'articles.moderation', 'articles.wanted_secret'])
      .select(isShownFlag)
      .select(['article_bodies.text', 'users.username'])
      .where('articles.id', '=', id),
  );

export type WholeArticle = NonNullable<Awaited<ReturnType<typeof findWhole>>>;

/** Titles of those of `ids` that are series of the author; a save drops any other. */
export function listSeriesTitles(db: Queryable, ids: readonly string[], authorId: string) {
  const own = db.selectFrom('series').select(['id as _id', 'title']).where('author_id', '=', authorId);
  return among(ids, (some) => own.where('id', 'in', some));
}

export const isReported = (db: Queryable, kind: Kind, id: string): Promise<boolean> =>
  isFound(
    db
      .selectFrom('reports')
      .select('id')
      .where('subject_kind', '=', kind)
      .where('subject_id', '=', id)
      .where('decision', '=', ''),
  );

export const isShownComment = (db: Queryable, id: string): Promise<boolean> =>
  isFound(db.selectFrom('comments').select('id').where('id', '=', id));

/** The newest public comments under an article before a time, oldest first. */
export async function listCommentsBefore(
  db: Queryable,
  { articleId, before, limit }: { articleId: string; before: number; limit: number },
) {
  const rows = await db
    .selectFrom('comments')
    .innerJoin('users', 'users.id', 'comments.author_id')
    .select(['users.username as author', 'comments.content'])
    .where('comments.article_id', '=', articleId)
    .where('comments.create_time', '<', before)
    .orderBy('comments.create_time', 'desc')
    .orderBy('comments.id', 'desc')
    .limit(literal(limit))
    .execute();
  return rows.toReversed();
}
