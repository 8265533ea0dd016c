import type { Schedule } from '../../../contract/entities.ts';
import type { Queryable, Trx } from '../../db/database.ts';
import { firstOf, isChanged, isFound } from '../../db/lists.ts';
import { perform } from '../../db/perform.ts';
import { literal } from '../../db/prepared.ts';
import type { ArticleSchedulesTable, Flag } from '../../db/schema/schema.ts';
import { toInstant } from '../../shared/ids.ts';

export const findSchedule = (db: Queryable, articleId: string): Promise<ArticleSchedulesTable | null> =>
  firstOf(db.selectFrom('article_schedules').selectAll().where('article_id', '=', articleId));

export function toSchedule({ publish_time, problem }: ArticleSchedulesTable): Schedule {
  return { publish_time: toInstant(publish_time), ...(problem === '' ? {} : { problem }) };
}

export async function listSchedules(db: Queryable, authorId: string): Promise<ArticleSchedulesTable[]> {
  return db.selectFrom('article_schedules').selectAll().where('author_id', '=', authorId).execute();
}

export async function putSchedule(trx: Trx, schedule: ArticleSchedulesTable): Promise<void> {
  const { publish_time, problem } = schedule;
  await trx
    .insertInto('article_schedules')
    .values(schedule)
    .onConflict((conflict) => conflict.column('article_id').doUpdateSet({ publish_time, problem }))
    .execute();
}

export const deleteSchedule = (trx: Trx, articleId: string): Promise<boolean> =>
  isChanged(trx.deleteFrom('article_schedules').where('article_id', '=', articleId));

export async function dropIdleSchedule(trx: Trx, articleId: string): Promise<void> {
  const idle = trx
    .deleteFrom('article_schedules')
    .where('article_id', '=', articleId)
    .where((eb) =>
      eb.not(
        eb.exists(eb.selectFrom('article_revisions').select('base_time').where('article_id', '=', articleId)),
      ),
    )
    .where((eb) =>
      eb.not(
        eb.exists(
          eb.selectFrom('articles').select('seq').where('id', '=', articleId).where('status', '=', 'draft'),
        ),
      ),
    );
  await perform(trx, idle);
}

export async function dropPassedSchedule(trx: Trx, articleId: string, instant: number): Promise<void> {
  await trx
    .deleteFrom('article_schedules')
    .where('article_id', '=', articleId)
    .where('publish_time', '<=', instant)
    .execute();
}

/**
 * Deletes a schedule that still equals `former`, so that only one process publishes it; false if it differs.
 */
export const takeSchedule = (trx: Trx, former: ArticleSchedulesTable): Promise<boolean> =>
  isChanged(
    trx
      .deleteFrom('article_schedules')
      .where('article_id', '=', former.article_id)
      .where('publish_time', '=', former.publish_time)
      .where('problem', '=', ''),
  );

/** Records why a schedule that still equals `former` cannot be carried out. */
export async function setProblem(trx: Trx, former: ArticleSchedulesTable, problem: string): Promise<void> {
  await trx
    .updateTable('article_schedules')
    .set({ problem })
    .where('article_id', '=', former.article_id)
    .where('publish_time', '=', former.publish_time)
    .execute();
}

/** Sets the article's time of the synced file whose draft is published: it was not changed elsewhere. */
export async function keepFileSame(trx: Trx, articleId: string, from: number, to: number): Promise<void> {
  await trx
    .updateTable('synced_files')
    .set({ article_time: to })
    .where('kind', '=', 'article')
    .where('target', '=', articleId)
    .where('article_time', '=', from)
    .execute();
}

export const isBannedAt = (db: Queryable, authorId: string, instant: number): Promise<boolean> =>
  isFound(db.selectFrom('users').select('id').where('id', '=', authorId).where('banned_until', '>', instant));

const selectWaiting = (db: Queryable) =>
  db
    .selectFrom('article_schedules')
    .innerJoin('articles', 'articles.id', 'article_schedules.article_id')
    .selectAll('article_schedules')
    .where('article_schedules.problem', '=', '')
    .where('articles.status', '!=', 'cancel')
    .orderBy('article_schedules.publish_time');

export const findNext = (db: Queryable): Promise<ArticleSchedulesTable | null> =>
  firstOf(selectWaiting(db).limit(literal(1)));

/** Schedule with the username of the article's author. */
export type DueSchedule = ArticleSchedulesTable & { username: string; is_page: Flag };

export const listDue = (db: Queryable, instant: number, limit: number): Promise<DueSchedule[]> =>
  selectWaiting(db)
    .innerJoin('users', 'users.id', 'article_schedules.author_id')
    .select(['users.username', 'articles.is_page'])
    .where('article_schedules.publish_time', '<=', instant)
    .limit(literal(limit))
    .execute();
