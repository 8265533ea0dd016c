import { sql } from 'kysely';
import { LINKED_ADDRESS } from '../../db/article-address.ts';
import type { Queryable, Trx } from '../../db/database.ts';
import { perform } from '../../db/perform.ts';
import type { StoredCounter } from '../../db/stored-counters.ts';
import { literal, prepare } from '../../db/prepared.ts';
import type { ArticlesTable } from '../../db/schema/schema.ts';
import { listedFor } from '../../db/visibility.ts';
import { DAY_MS } from '../../../contract/rules/units.ts';

/** Milliseconds since the epoch, from `from` (inclusive) to `to` (exclusive). */
export interface Span {
  from: number;
  to: number;
}

const latest = prepare((db, { to }: { to: number }) =>
  db
    .selectFrom('articles')
    .select('create_time')
    .where(listedFor(null))
    .where('create_time', '<', to)
    .orderBy('create_time', 'desc')
    .limit(literal(1)),
);
export const findLatest = async (db: Queryable, instant: number): Promise<number | null> =>
  (await latest(db, { to: instant }))[0]?.create_time ?? null;

type Dated = Pick<ArticlesTable, 'is_public' | 'create_time'>;

/** Updates the daily counts of public articles; `before` is null for a new article. */
export async function settleArchive(trx: Trx, before: Dated | null, after: Dated): Promise<void> {
  const dayOf = (article: Dated | null) =>
    article?.is_public === 1 ? Math.floor(article.create_time / DAY_MS) : null;
  const [was, is] = [dayOf(before), dayOf(after)];
  if (was === is) return;
  if (was !== null) await addToDay(trx, was, -1);
  if (is !== null) await addToDay(trx, is, 1);
}

// `/` and `%` round towards 0; the double modulo puts a time before 1970 on the right day.
const dayOfArticle = sql`(create_time - ((create_time % ${literal(DAY_MS)}) + ${literal(DAY_MS)}) % ${literal(DAY_MS)})
  / ${literal(DAY_MS)}`;

export const ARCHIVE_NUMBERS: StoredCounter = {
  table: 'article_days',
  key: 'day',
  column: 'article_num',
  truth: sql`select ${dayOfArticle} as key, count(*) as value from articles where is_public = 1 group by 1`,
  adds: [],
};

const addToDay = (trx: Trx, day: number, delta: 1 | -1) =>
  perform(
    trx,
    trx
      .insertInto('article_days')
      .values({ day, article_num: delta })
      .onConflict((conflict) =>
        conflict
          .column('day')
          .doUpdateSet((eb) => ({ article_num: eb('article_days.article_num', '+', delta) })),
      ),
  );

const sumOfDays = prepare((db, { from, to }: { from: number; to: number }) =>
  db
    .selectFrom('article_days')
    .select(sql<number>`cast(coalesce(sum(article_num), 0) as bigint)`.as('count'))
    .where('day', '>=', from)
    .where('day', '<', to),
);
const placeOf = {
  desc: prepare((db, { offset }: { offset: number }) => lastBefore(db, 'desc', offset)),
  asc: prepare((db, { offset }: { offset: number }) => lastBefore(db, 'asc', offset)),
};
function lastBefore(db: Queryable, direction: 'desc' | 'asc', offset: number) {
  const order = sql.raw(direction);
  const before = sql<number>`cast(sum(article_num) over (order by day ${order}) - article_num as bigint)`;
  return db
    .selectFrom(
      db
        .selectFrom('article_days')
        .select(['day', before.as('before')])
        .as('days'),
    )
    .selectAll()
    .where('before', '<=', offset)
    .orderBy('day', direction === 'desc' ? 'asc' : 'desc')
    .limit(literal(1));
}

/**
 * Finds the place of the public article with `offset` others before it, newest first ('desc') or oldest
 * first: the end or the beginning of its day as `bound`, and its offset among the articles from there.
 */
export async function findPlace(db: Queryable, offset: number, direction: 'desc' | 'asc') {
  const [found] = await placeOf[direction](db, { offset });
  if (!found) return { bound: null, offset };
  const bound = (found.day + (direction === 'desc' ? 1 : 0)) * DAY_MS;
  return { bound, offset: offset - found.before };
}

const countOfPart = prepare((db, { from, to }: { from: number; to: number }) =>
  db
    .selectFrom('articles')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(listedFor(null))
    .where('create_time', '>=', from)
    .where('create_time', '<', to),
);
/**
 * Counts the public articles published in `span`: whole days from the daily counts, the rest from `articles`.
 */
export async function countIn(db: Queryable, { from, to }: Span): Promise<number> {
  const days = { from: Math.ceil(from / DAY_MS), to: Math.floor(to / DAY_MS) };
  const [first, end] = [days.from * DAY_MS, days.to * DAY_MS];
  if (first >= end) return (await countOfPart(db, { from, to }))[0]?.count ?? 0;
  const counts = [
    await countOfPart(db, { from, to: first }),
    await sumOfDays(db, days),
    await countOfPart(db, { from: end, to }),
  ];
  return counts.reduce((sum, [row]) => sum + (row?.count ?? 0), 0);
}

export const listTitlesBy = (
  db: Queryable,
  of: { authorId: string } | Span,
  { offset, limit }: { offset: number; limit: number },
) =>
  db
    .selectFrom('articles')
    .innerJoin('users', 'users.id', 'articles.author_id')
    .select(['articles.id', 'articles.title', 'articles.create_time', 'users.username', 'users.display_name'])
    .select(LINKED_ADDRESS)
    .where(listedFor(null))
    .where((eb) =>
      'authorId' in of
        ? eb('articles.author_id', '=', of.authorId)
        : eb.and([eb('articles.create_time', '>=', of.from), eb('articles.create_time', '<', of.to)]),
    )
    .orderBy('articles.create_time', 'desc')
    .orderBy('articles.id', 'desc')
    .offset(literal(offset))
    .limit(literal(limit))
    .execute();
