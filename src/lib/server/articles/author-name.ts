import type { Database, Queryable } from '../db/database.ts';
import type { SearchIndex } from '../search/search.ts';

const BATCH_SIZE = 20;

export type IndexAuthor = ReturnType<typeof createIndexAuthor>;

/** Has the search index name `author` as the author of a user's public articles. */
export function createIndexAuthor({ db, search }: { db: Database; search: SearchIndex }) {
  return async (userId: string, author: string): Promise<void> => {
    for (let after = ''; ;) {
      const rows = await listIndexed(db.read, userId, after);
      await db.write(async (trx) => {
        for (const { id, title, tags, create_time: createTime, toc, text } of rows) {
          const names = JSON.parse(tags) as string[];
          await search.put(trx, { articleId: id, title, tags: names, author, toc, text, createTime });
        }
      });
      if (rows.length < BATCH_SIZE) return;
      after = rows.at(-1)?.id ?? after;
    }
  };
}

/** Public articles of a user after the id `after`, as the search index has them. */
const listIndexed = (db: Queryable, userId: string, after: string) =>
  db
    .selectFrom('articles')
    .innerJoin('article_bodies', 'article_bodies.article_id', 'articles.id')
    .select(['articles.id', 'title', 'tags', 'create_time', 'toc', 'text'])
    .where('author_id', '=', userId)
    .where('is_public', '=', 1)
    .where('articles.id', '>', after)
    .orderBy('articles.id')
    .limit(BATCH_SIZE)
    .execute();
