import type { Queryable } from '../db/database.ts';
import { visibleTo } from '../db/visibility.ts';

export async function findPublicTitle(
  db: Queryable,
  id: string,
): Promise<{ title: string; author: string } | null> {
  const row = await db
    .selectFrom('articles')
    .innerJoin('users', 'users.id', 'articles.author_id')
    .select(['articles.title', 'users.username', 'users.display_name'])
    .where('articles.id', '=', id)
    .where(visibleTo(null))
    .executeTakeFirst();
  return row ? { title: row.title, author: row.display_name || row.username } : null;
}
