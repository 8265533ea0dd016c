import type { Queryable } from '../db/database.ts';

/** How many articles everybody may see, comments and accounts came after `instant` (milliseconds). */
export async function countSince(db: Queryable, instant: number) {
  const [articles, comments, users] = await Promise.all([
    db
      .selectFrom('articles')
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .where('is_public', '=', 1)
      .where('create_time', '>', instant)
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('comments')
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .where('create_time', '>', instant)
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('users')
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .where('create_time', '>', instant)
      .executeTakeFirstOrThrow(),
  ]);
  return { articles: articles.total, comments: comments.total, users: users.total };
}

/** Bytes that all accounts store. */
export async function sumStored(db: Queryable): Promise<number> {
  const row = await db
    .selectFrom('users')
    .select((eb) =>
      eb.fn.sum<number | string | null>(eb('stored_bytes', '+', eb.ref('version_bytes'))).as('bytes'),
    )
    .executeTakeFirstOrThrow();
  return Number(row.bytes ?? 0);
}
