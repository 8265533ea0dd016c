import { sql } from 'kysely';
import { DAY_MS } from '../../contract/rules/units.ts';
import type { Queryable, Trx } from '../db/database.ts';
import { TOTAL, countOf, firstValue } from '../db/lists.ts';
import { literal } from '../db/prepared.ts';
import type { StoredCounter } from '../db/stored-counters.ts';
import { PUBLIC } from '../db/visibility.ts';

const END_OF_TIME = Number.MAX_SAFE_INTEGER;

/** Numbers of public articles, comments and accounts created after `instant` (milliseconds). */
export async function countSince(db: Queryable, instant: number) {
  const { articles, comments, users } = await countByDay(db, [{ start: instant + 1, end: END_OF_TIME }]);
  return { articles: articles[0] ?? 0, comments: comments[0] ?? 0, users: users[0] ?? 0 };
}

/** Numbers of public articles, comments and accounts, from counters and the comments of the last days. */
export async function countAll(db: Queryable) {
  const totals = await db.selectFrom('counters').selectAll().execute();
  const total = (name: string) => totals.find((row) => row.name === name)?.value ?? 0;
  const past = await db
    .selectFrom('comment_days')
    .select(({ fn }) => [
      fn.max<number | null>('day').as('last'),
      fn.sum<number | string | null>('comment_num').as('count'),
    ])
    .executeTakeFirstOrThrow();
  const later = db.selectFrom('comments').select(TOTAL).where('create_time', '>=', endOf(past.last));
  return {
    articles: total('public_articles'),
    users: total('users'),
    comments: Number(past.count ?? 0) + (await countOf(later)),
  };
}

/** First instant after a day; earlier than every comment if there is no day. */
const endOf = (day: number | null): number => (day === null ? Number.MIN_SAFE_INTEGER : (day + 1) * DAY_MS);

/** First day with comments that `comment_days` lacks, or null. */
async function findUncountedDay(db: Queryable): Promise<number | null> {
  const last = await firstValue(db.selectFrom('comment_days').select(({ fn }) => fn.max('day').as('last')));
  const later = db.selectFrom('comments').select('create_time').where('create_time', '>=', endOf(last));
  const time = await firstValue(later.orderBy('create_time').limit(1));
  return time === null ? null : Math.trunc(time / DAY_MS);
}

/** Adds the next `limit` days to `comment_days` up to `end` (exclusive); returns whether more may be left. */
export async function countDays(trx: Trx, end: number, limit: number): Promise<boolean> {
  const first = await findUncountedDay(trx);
  if (first === null || first >= end) return false;
  const last = Math.min(first + limit, end);
  await trx
    .insertInto('comment_days')
    .columns(['day', 'comment_num'])
    .expression(
      trx
        .selectFrom('comments')
        .select(({ fn }) => [dayOfComment.as('day'), fn.countAll<number>().as('comment_num')])
        .where('create_time', '>=', first === 0 ? endOf(null) : first * DAY_MS)
        .where('create_time', '<', last * DAY_MS)
        .groupBy(sql.lit(1)),
    )
    .execute();
  return true;
}

const dayOfComment = sql<number>`create_time / ${literal(DAY_MS)}`;

export const COMMENT_NUMBERS: StoredCounter = {
  table: 'comment_days',
  key: 'day',
  column: 'comment_num',
  truth: sql`select ${dayOfComment} as key, count(*) as value from comments
    where ${dayOfComment} <= (select max(day) from comment_days) group by 1`,
  adds: [],
};

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

/** Counts the rows of each day in an index: comparing each row with every day would take far longer. */
async function countIn(db: Queryable, table: 'articles' | 'comments' | 'users', days: Days) {
  if (days.length === 0) return [];
  const row = await db
    .selectNoFrom(
      days.map(({ start, end }, index) => {
        const within = db
          .selectFrom(table as 'articles')
          .select(TOTAL)
          .where('create_time', '>=', start)
          .where('create_time', '<', end);
        const counted = table === 'articles' ? within.where('is_public', '=', PUBLIC) : within;
        return counted.as(`day${index}`);
      }),
    )
    .executeTakeFirstOrThrow();
  return days.map((_, index) => Number((row as Record<string, number>)[`day${index}`]));
}
