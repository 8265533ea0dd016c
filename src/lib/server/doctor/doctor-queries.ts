import { sql } from 'kysely';
import type { PushesTable } from '../db/schema/discovery-schema.ts';
import type { Queryable } from '../db/database.ts';
import type { OutboxTable } from '../db/schema/notice-schema.ts';
import { countOf, TOTAL } from '../db/lists.ts';
import { literal } from '../db/prepared.ts';

export type Receiver = OutboxTable['lane'] | PushesTable['engine'];

const selectOverdue = (db: Queryable, instant: number) =>
  db
    .selectFrom('article_schedules')
    .innerJoin('articles', 'articles.id', 'article_schedules.article_id')
    .where('article_schedules.problem', '=', '')
    .where('article_schedules.publish_time', '<', instant)
    .where('articles.status', '!=', 'cancel');

export const countOverdueSchedules = (db: Queryable, instant: number): Promise<number> =>
  countOf(selectOverdue(db, instant).select(TOTAL));

export async function listOverdueTitles(db: Queryable, instant: number, limit: number): Promise<string[]> {
  const rows = await selectOverdue(db, instant)
    .select('articles.title')
    .orderBy('article_schedules.publish_time')
    .limit(literal(limit))
    .execute();
  return rows.map(({ title }) => title);
}

export async function countOverdueDeliveries(
  db: Queryable,
  instant: number,
): Promise<{ receiver: Receiver; total: number }[]> {
  const notices = await db
    .selectFrom('outbox')
    .select((eb) => ['lane as receiver', eb.fn.count<number>('delivery').distinct().as('total')])
    .where('state', '=', 'waiting')
    .where('due_time', '<', instant)
    // A failed delivery that will be retried holds back later ones about its subject.
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('outbox as retried')
            .select('retried.id')
            .whereRef('retried.target', '=', 'outbox.target')
            .whereRef('retried.subject', '=', 'outbox.subject')
            .where('retried.state', '=', sql.lit('waiting'))
            .where('retried.due_time', '>=', instant),
        ),
      ),
    )
    .groupBy('lane')
    .execute();
  const pushes = await db
    .selectFrom('pushes')
    .select((eb) => ['engine as receiver', eb.fn.countAll<number>().as('total')])
    .where('due_time', '<', instant)
    .groupBy('engine')
    .execute();
  return [...notices, ...pushes];
}

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
