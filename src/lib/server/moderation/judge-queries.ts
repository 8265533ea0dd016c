import type { Role } from '../../contract/permissions.ts';
import type { Queryable, Trx } from '../db/database.ts';
import { literal } from '../db/prepared.ts';
import { visibleTo } from '../db/visibility.ts';

/** Who wrote the text `print` stands for since `since`: ids of accounts, 3 at most. */
export async function listWritersOf(db: Queryable, print: string, since: number): Promise<string[]> {
  const rows = await db
    .selectFrom('written_prints')
    .select('author_id')
    .where('print', '=', print)
    .where('create_time', '>=', since)
    .limit(literal(3))
    .execute();
  return rows.map((row) => row.author_id);
}

/** Remembers that an account has written a text. */
export async function putPrint(
  trx: Trx,
  row: { print: string; author_id: string; create_time: number },
): Promise<void> {
  await trx
    .insertInto('written_prints')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['print', 'author_id']).doUpdateSet({ create_time: row.create_time }),
    )
    .execute();
}

export async function deletePrints(trx: Trx, before: number): Promise<void> {
  await trx.deleteFrom('written_prints').where('create_time', '<', before).execute();
}

/** Whether an account has `count` things of a kind that everybody saw: it is no new one there. */
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

/** How many comments an account has written since `since`; `most` at most. */
export async function countWrittenSince(
  db: Queryable,
  authorId: string,
  since: number,
  most: number,
): Promise<number> {
  const rows = await db
    .selectFrom('comments')
    .select('id')
    .where('author_id', '=', authorId)
    .where('create_time', '>=', since)
    .limit(literal(most))
    .execute();
  return rows.length;
}

/** What an account may; an author where there is none. */
export async function roleOf(db: Queryable, id: string): Promise<Role> {
  const row = await db.selectFrom('users').select('role').where('id', '=', id).executeTakeFirst();
  return row?.role ?? 'author';
}

/** Whether everybody sees the article. */
export async function isArticleShown(db: Queryable, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('articles')
    .select('id')
    .where('id', '=', id)
    .where(visibleTo(null))
    .executeTakeFirst();
  return row !== undefined;
}
