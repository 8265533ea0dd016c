import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely';
import type { Queryable, Trx } from '../db/database.ts';
import { countOf, TOTAL } from '../db/lists.ts';
import type { Flag, Schema } from '../db/schema/schema.ts';
import { visibleTo, type Reader } from '../db/visibility.ts';

/** Values of `invisible_comments.is_written`. */
export const WRITTEN = sql.lit<Flag>(1);
export const RECEIVED = sql.lit<Flag>(0);

/** Number of comments that `user` has written or received and does not see. */
export const selectInvisible = (db: Queryable, user: Reader, isWritten: RawBuilder<Flag>) =>
  db
    .selectFrom('invisible_comments')
    .select(TOTAL)
    .where('user_id', '=', user.id)
    .where('is_written', '=', isWritten);

type Total<T extends keyof Schema> = SelectQueryBuilder<Schema, T, { total: number }>;

/** Subtracts a total from another, both counted in the same state of the database. */
export const countVisible = <T extends keyof Schema>(
  db: Queryable,
  all: Total<T>,
  invisible: Total<'invisible_comments'>,
): Promise<number> => countOf(db.selectNoFrom(sql<number>`${all} - ${invisible}`.as('total')));

const COLUMNS = ['user_id', 'comment_id', 'article_id', 'is_written'] as const;

const selectStored = (db: Queryable) => db.selectFrom('invisible_comments').select(COLUMNS);

function selectTrue(db: Queryable) {
  const comments = db.selectFrom('articles').innerJoin('comments', 'comments.article_id', 'articles.id');
  const written = comments
    .select(['comments.author_id as user_id', 'comments.id as comment_id', 'comments.article_id'])
    .select(WRITTEN.as('is_written'))
    .where((eb) => eb.not(visibleTo({ id: sql.ref('comments.author_id') })(eb)));
  const received = comments
    .innerJoin('comment_recipients', 'comment_recipients.comment_id', 'comments.id')
    .select(['comment_recipients.user_id', 'comments.id as comment_id', 'comments.article_id'])
    .select(RECEIVED.as('is_written'))
    .where((eb) => eb.not(visibleTo({ id: sql.ref('comment_recipients.user_id') })(eb)));
  return db.selectFrom(written.unionAll(received).as('concerned')).select(COLUMNS);
}

/** Number of rows of `invisible_comments` that are missing or wrong. */
export async function countWrongInvisible(db: Queryable): Promise<number> {
  const missing = selectTrue(db).except(selectStored(db)).as('missing');
  const wrong = selectStored(db).except(selectTrue(db)).as('wrong');
  return (
    (await countOf(db.selectFrom(missing).select(TOTAL))) +
    (await countOf(db.selectFrom(wrong).select(TOTAL)))
  );
}

export async function mendInvisible(trx: Trx): Promise<void> {
  await trx.deleteFrom('invisible_comments').execute();
  await trx.insertInto('invisible_comments').columns(COLUMNS).expression(selectTrue(trx)).execute();
}
