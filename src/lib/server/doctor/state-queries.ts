import type { Queryable } from '../db/database.ts';

const countOf = async (query: { executeTakeFirst(): Promise<{ total: number } | undefined> }) =>
  (await query.executeTakeFirst())?.total ?? 0;

/** How many scheduled articles were refused at their time. */
export const countRefusedSchedules = (db: Queryable): Promise<number> =>
  countOf(
    db
      .selectFrom('article_schedules')
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .where('problem', '<>', ''),
  );

/** How many notices could not be delivered and were given up. */
export const countDeadLetters = (db: Queryable): Promise<number> =>
  countOf(
    db
      .selectFrom('outbox')
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .where('state', '=', 'dead'),
  );

/** How many articles were changed after `instant`: by a clock that was ahead. */
export const countFuture = (db: Queryable, instant: number): Promise<number> =>
  countOf(
    db
      .selectFrom('articles')
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .where('update_time', '>', instant),
  );

/** How many withheld articles are public; of drafts and secret ones the table itself refuses that. */
export const countLeaks = (db: Queryable): Promise<number> =>
  countOf(
    db
      .selectFrom('articles')
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .where('is_public', '=', 1)
      .where('moderation', '<>', ''),
  );
