import type { Queryable } from '../db/database.ts';
import { countOf, TOTAL } from '../db/lists.ts';

/** Numbers of public articles, comments and accounts created after `instant` (milliseconds). */
export async function countSince(db: Queryable, instant: number) {
  const [articles, comments, users] = await Promise.all([
    countOf(
      db.selectFrom('articles').select(TOTAL).where('is_public', '=', 1).where('create_time', '>', instant),
    ),
    countOf(db.selectFrom('comments').select(TOTAL).where('create_time', '>', instant)),
    countOf(db.selectFrom('users').select(TOTAL).where('create_time', '>', instant)),
  ]);
  return { articles, comments, users };
}

export async function sumStored(db: Queryable): Promise<number> {
  const row = await db
    .selectFrom('users')
    .select((eb) =>
      eb.fn.sum<number | string | null>(eb('stored_bytes', '+', eb.ref('version_bytes'))).as('bytes'),
    )
    .executeTakeFirstOrThrow();
  return Number(row.bytes ?? 0);
}

type Days = readonly { start: number; end: number }[];

export async function countByDay(db: Queryable, days: Days) {
  const [articles, comments, users] = await Promise.all([
    countIn(db, 'articles', days),
    countIn(db, 'comments', days),
    countIn(db, 'users', days),
  ]);
  return { articles, comments, users };
}

async function countIn(db: Queryable, table: 'articles' | 'comments' | 'users', days: Days) {
  const start = days[0]?.start ?? 0;
  const since =
    table === 'articles'
      ? db
          .selectFrom('articles')
          .select('create_time')
          .where('is_public', '=', 1)
          .where('create_time', '>=', start)
      : db.selectFrom(table).select('create_time').where('create_time', '>=', start);
  const row = await db
    .selectFrom(since.as('recent'))
    .select((eb) =>
      days.map((day, index) =>
        eb.fn
          .count<number>(
            eb
              .case()
              .when(eb.and([eb('create_time', '>=', day.start), eb('create_time', '<', day.end)]))
              .then(1)
              .end(),
          )
          .as(`day${index}`),
      ),
    )
    .executeTakeFirstOrThrow();
  return days.map((_, index) => Number((row as Record<string, number>)[`day${index}`]));
}
