import type { Role } from '../../contract/permissions.ts';
import type { Queryable } from '../db/database.ts';
import { literal } from '../db/prepared.ts';
import { visibleTo } from '../db/visibility.ts';

/** Whether an account has at least `count` visible items of a kind; then it is not new there. */
export async function hasShown(
  db: Queryable,
  kind: 'article' | 'comment',
  authorId: string,
  count: number,
): Promise<boolean> {
  const limit = literal(count);
  const rows =
    kind === 'comment'
      ? db.selectFrom('comments').select('id').where('author_id', '=', authorId).limit(limit).execute()
      : db
          .selectFrom('articles')
          .select('id')
          .where('author_id', '=', authorId)
          .where(visibleTo(null))
          .limit(limit)
          .execute();
  return (await rows).length >= count;
}

/** Number of an account's comments since `since` except `itemId`, at most `most`. */
export async function countWrittenSince(
  db: Queryable,
  { authorId, itemId, since, most }: { authorId: string; itemId: string | null; since: number; most: number },
): Promise<number> {
  let query = db
    .selectFrom('comments')
    .select('id')
    .where('author_id', '=', authorId)
    .where('create_time', '>=', since)
    .limit(literal(most));
  if (itemId !== null) query = query.where('id', '<>', itemId);
  return (await query.execute()).length;
}

/** Role of an account; 'author' if it does not exist. */
export async function roleOf(db: Queryable, id: string): Promise<Role> {
  const row = await db.selectFrom('users').select('role').where('id', '=', id).executeTakeFirst();
  return row?.role ?? 'author';
}

/** Title and text of an article as visitors see them, or null. */
export async function findShownArticle(db: Queryable, id: string) {
  const row = await db
    .selectFrom('articles')
    .innerJoin('article_bodies', 'article_bodies.article_id', 'articles.id')
    .select(['title', 'text'])
    .where('articles.id', '=', id)
    .where(visibleTo(null))
    .executeTakeFirst();
  return row ?? null;
}

/** Content of a visible comment, or null. */
export async function findShownComment(db: Queryable, id: string): Promise<string | null> {
  const row = await db.selectFrom('comments').select('content').where('id', '=', id).executeTakeFirst();
  return row?.content ?? null;
}
