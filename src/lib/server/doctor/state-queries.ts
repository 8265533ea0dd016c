import type { Queryable } from '../db/database.ts';
import { countOf, TOTAL } from '../db/lists.ts';

export const countRefusedSchedules = (db: Queryable): Promise<number> =>
  countOf(db.selectFrom('article_schedules').select(TOTAL).where('problem', '<>', ''));

export const countDeadLetters = (db: Queryable): Promise<number> =>
  countOf(db.selectFrom('outbox').select(TOTAL).where('state', '=', 'dead'));

/** Counts articles changed after `instant`, which happens when a clock was ahead. */
export const countFuture = (db: Queryable, instant: number): Promise<number> =>
  countOf(db.selectFrom('articles').select(TOTAL).where('update_time', '>', instant));

/** Counts hidden or pending articles that are public; table constraints cover drafts and secret articles. */
export const countLeaks = (db: Queryable): Promise<number> =>
  countOf(db.selectFrom('articles').select(TOTAL).where('is_public', '=', 1).where('moderation', '<>', ''));
