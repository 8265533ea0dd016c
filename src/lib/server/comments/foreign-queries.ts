import type { Queryable } from '../db/database.ts';

/** Article fields needed to import a comment; undefined if the article is deleted. */
export const findForeignTarget = (db: Queryable, articleId: string) =>
  db
    .selectFrom('articles')
    .select(['id', 'author_id'])
    .where('id', '=', articleId)
    .where('status', '!=', 'cancel')
    .executeTakeFirst();
