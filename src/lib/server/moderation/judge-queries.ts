import type { Role } from '../../contract/rules/permissions.ts';
import type { Queryable } from '../db/database.ts';
import { literal } from '../db/prepared.ts';
import { visibleTo } from '../db/visibility.ts';

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

export async function findShownArticle(db: Queryable, id: string) {
  const row = await db
    .selectFrom('articles')
    .innerJoin('article_bodies', 'article_bodies.article_id', 'articles.id')
    .select(['articles.id', 'title', 'text', 'content', 'tags', 'description', 'source', 'cover'])
    .where('articles.id', '=', id)
    .where(visibleTo(null))
    .executeTakeFirst();
  return row ?? null;
}

export type ShownArticle = NonNullable<Awaited<ReturnType<typeof findShownArticle>>>;

export async function findShownComment(db: Queryable, id: string): Promise<string | null> {
  const row = await db.selectFrom('comments').select('content').where('id', '=', id).executeTakeFirst();
  return row?.content ?? null;
}
