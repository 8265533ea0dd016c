import type { Queryable } from '../db/database.ts';

export const findForeignTarget = (db: Queryable, articleId: string) =>
  db
    .selectFrom('articles')
    .select(['id', 'author_id'])
    .where('id', '=', articleId)
    .where('status', '!=', 'cancel')
    .executeTakeFirst();
