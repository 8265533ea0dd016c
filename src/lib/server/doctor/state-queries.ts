import type { Queryable } from '../db/database.ts';

const countOf = async (query: { executeTakeFirst(): Promise<{ total: number } | undefined> }) =>
  (await query.executeTakeFirst())?.total ?? 0;

export const countRefusedSchedules = (db: Queryable): Promise<number> =>
  countOf(
    db
      .selectFrom('article_schedules')
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .where('problem', '<>', ''),
  );

export const countDeadLetters = (db: Queryable): Promise<number> =>
  countOf(
    db
      .selectFrom('outbox')
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .where('state', '=', 'dead'),
  );

/** Counts articles changed after `instant`, which happens when a clock was ahead. */
export const countFuture = (db: Queryable, instant: number): Promise<number> =>
  countOf(
    db
      .selectFrom('articles')
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .where('update_time', '>', instant),
  );

/** Counts hidden or pending articles that are public; table constraints cover drafts and secret articles. */
export const countLeaks = (db: Queryable): Promise<number> =>
  countOf(
    db
      .selectFrom('articles')
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .where('is_public', '=', 1)
      .where('moderation', '<>', ''),
  );
