import type { Queryable } from '../db/database.ts';

/** What a comment of another site needs to know of its article; nothing where that is gone. */
export const findForeignTarget = (db: Queryable, articleId: string) =>
  db
    .selectFrom('articles')
    .select(['id', 'author_id'])
    .where('id', '=', articleId)
    .where('status', '!=', 'cancel')
    .executeTakeFirst();
