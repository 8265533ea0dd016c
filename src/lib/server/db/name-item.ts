import type { Queryable } from './database.ts';
import { fullName } from '../../shared/full-name.ts';

/**
 * Returns a phrase that names an article, a comment or an account in a message to staff: title and author.
 * Null if the item does not exist.
 */
export async function nameItem(
  db: Queryable,
  kind: 'article' | 'comment' | 'user',
  id: string,
): Promise<string | null> {
  if (kind === 'user') {
    const user = await db
      .selectFrom('users')
      .select(['username', 'display_name'])
      .where('id', '=', id)
      .executeTakeFirst();
    return user ? `账号 ${fullName(user)}` : null;
  }
  if (kind === 'article') {
    const article = await db
      .selectFrom('articles')
      .innerJoin('users', 'users.id', 'articles.author_id')
      .select(['articles.title', 'users.username', 'users.display_name'])
      .where('articles.id', '=', id)
      .executeTakeFirst();
    return article ? `${fullName(article)} 的文章《${article.title}》` : null;
  }
  for (const table of ['withheld_comments', 'comments'] as const) {
    const comment = await db
      .selectFrom(`${table} as comments` as 'comments')
      .innerJoin('articles', 'articles.id', 'comments.article_id')
      .innerJoin('users', 'users.id', 'comments.author_id')
      .select(['articles.title', 'users.username', 'users.display_name'])
      .where('comments.id', '=', id)
      .executeTakeFirst();
    if (comment) return `${fullName(comment)} 在《${comment.title}》下的评论`;
  }
  return null;
}
