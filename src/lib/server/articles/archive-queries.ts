import type { Queryable } from '../db/database.ts';
import { literal, prepare } from '../db/prepared.ts';
import { visibleTo } from '../db/visibility.ts';

/** From its first millisecond up to the next one's. */
export interface Span {
  from: number;
  to: number;
}

const latest = prepare((db, { to }: { to: number }) =>
  db
    .selectFrom('articles')
    .select('create_time')
    .where(visibleTo(null))
    .where('create_time', '<', to)
    .orderBy('create_time', 'desc')
    .limit(literal(1)),
);
/** When the last public article before `instant` was published, or null. */
export const findLatest = async (db: Queryable, instant: number): Promise<number | null> =>
  (await latest(db, { to: instant }))[0]?.create_time ?? null;

const count = prepare((db, { from, to }: { from: number; to: number }) =>
  db
    .selectFrom('articles')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(visibleTo(null))
    .where('create_time', '>=', from)
    .where('create_time', '<', to),
);
/** How many public articles were published in `span`. */
export const countIn = async (db: Queryable, { from, to }: Span): Promise<number> =>
  (await count(db, { from, to }))[0]?.count ?? 0;

/** Titles of public articles, newest first: of one author, or all of `span`. */
export const listTitlesBy = (
  db: Queryable,
  of: { authorId: string } | Span,
  { offset, limit }: { offset: number; limit: number },
) =>
  db
    .selectFrom('articles')
    .innerJoin('users', 'users.id', 'articles.author_id')
    .select(['articles.id', 'articles.title', 'articles.create_time', 'users.username'])
    .where(visibleTo(null))
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
