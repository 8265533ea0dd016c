import type { Queryable } from '../../db/database.ts';

export const listIndexed = (
  db: Queryable,
  userId: string,
  { after, limit }: { after: string; limit: number },
) =>
  db
    .selectFrom('articles')
    .innerJoin('article_bodies', 'article_bodies.article_id', 'articles.id')
    .select(['articles.id', 'title', 'tags', 'create_time', 'toc', 'text'])
    .where('author_id', '=', userId)
    .where('is_public', '=', 1)
    .where('articles.id', '>', after)
    .orderBy('articles.id')
    .limit(limit)
    .execute();
