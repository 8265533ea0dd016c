import { EditedArticle } from '../../../contract/article-fields.ts';
import { BOUNDS } from '../../../contract/rules/bounds.ts';
import type { Schedule } from '../../../contract/entities.ts';
import { isRefusal, isTemporary, refuse } from '../../../contract/rules/errors.ts';
import type { Viewer } from '../../auth/auth-service.ts';
import type { Trx } from '../../db/database.ts';
import { toInstant } from '../../shared/ids.ts';
import { requireOwn } from '../core/article-access.ts';
import { requireNear } from '../core/dated.ts';
import { findRevision } from './revision-queries.ts';
import * as queries from './schedule-queries.ts';
import type { Uses } from '../../services.ts';
import { createJob } from '../../jobs/jobs.ts';

export type ScheduleService = ReturnType<typeof createScheduleService>;

/** Schedules per run: one that cannot be published now must not block the others. */
const SCHEDULE_BATCH_SIZE = 200;
const MAX_ATTEMPTS = 3;
/** Aborts a publication that another process has made, or whose schedule has changed meanwhile. */
const OVERTAKEN = new Error('the schedule was claimed by another process');

/**
 * Scheduled publications. The transaction that publishes deletes the schedule: the first process to commit
 * has published, and a process that dies before has not.
 */
export function createScheduleService({ db, articles, origins, events, now }: Uses<'articles' | 'origins'>) {
  const changed = (trx: Trx) => events.emit(trx, { type: 'schedule-changed' });

  function requireTime(publishTime: number): void {
    if (publishTime <= now())
      refuse('FIELD_INVALID', { text: '发布时间已经过去，请选一个以后的时间', field: 'publish_time' });
    requireNear(publishTime, now());
  }

  async function setIn(trx: Trx, id: string, viewer: Viewer, publish_time: number): Promise<void> {
    requireTime(publish_time);
    const article = await requireOwn(trx, id, viewer);
    if (article.status !== 'draft' && !(await findRevision(trx, id))) refuse('NOTHING_TO_SCHEDULE');
    const all = await queries.listSchedules(trx, viewer.id);
    const others = all.filter(({ article_id }) => article_id !== id);
    if (others.length >= BOUNDS.schedules) refuse('TOO_MANY_SCHEDULES');
    await queries.putSchedule(trx, { article_id: id, author_id: viewer.id, publish_time, problem: '' });
    await origins.note(trx, 'article', id, viewer);
    changed(trx);
  }

  /** Publishes the unpublished text of an article. Refuses as `articles.edit`, and with FIELD_INVALID. */
  async function publish(row: queries.DueSchedule): Promise<void> {
    // Acts for the author, who need not be signed in.
    const author: Viewer = {
      id: row.author_id,
      username: row.username,
      signinId: '',
      origin: 'schedule',
      // Only staff who may manage pages has scheduled one, perhaps after its author left the staff.
      ...(row.is_page === 1 ? { role: 'operator' } : {}),
    };
    const { revision, ...article } = await articles.readSource(row.article_id, author);
    if (revision && revision.base_time !== article.update_time) refuse('ARTICLE_CHANGED');
    const parsed = EditedArticle.safeParse({
      ...article,
      ...revision,
      id: row.article_id,
      status: 'normal',
      update_time: article.update_time,
      revision_time: revision?.revision_time ?? article.update_time,
    });
    if (!parsed.success) return refuse('FIELD_INVALID', { text: parsed.error.issues[0]?.message ?? '' });
    const { saved_by } = revision ?? article;
    const former = Date.parse(article.update_time);
    const update_time = Math.max(now(), former + 1);
    await articles.edit({ ...parsed.data, saved_by }, author, { update_time }, async (trx) => {
      if (!(await queries.takeSchedule(trx, row))) throw OVERTAKEN;
      if (!revision) await queries.keepFileSame(trx, row.article_id, former, update_time);
      if (await queries.isBannedAt(trx, row.author_id, now())) refuse('ACCOUNT_BANNED');
    });
  }

  /** Publishes, or records the reason in the schedule; a temporary failure is left for the next run. */
  async function attempt(row: queries.DueSchedule): Promise<boolean> {
    for (let left = MAX_ATTEMPTS; left > 0; left--) {
      try {
        await publish(row);
        return true;
      } catch (error) {
        if (error === OVERTAKEN) return false;
        if (!isRefusal(error)) throw error;
        if (error.status >= 500 || isTemporary(error)) return false;
        if (error.code === 'ARTICLE_CHANGED' && left > 1) continue;
        await db.write((trx) => queries.setProblem(trx, row, error.message));
      }
    }
    return false;
  }

  return {
    /**
     * Schedules the unpublished text of the viewer's article for `publish_time`; replaces an earlier
     * schedule; `setIn` runs inside a transaction. Refuses as `requireOwn`, and with FIELD_INVALID (a time in
     * the past, or over a year ahead), NOTHING_TO_SCHEDULE, TOO_MANY_SCHEDULES.
     */
    async set({ id, ...input }: { id: string; publish_time: string }, viewer: Viewer): Promise<Schedule> {
      const publish_time = Date.parse(input.publish_time);
      await db.write((trx) => setIn(trx, id, viewer, publish_time));
      return { publish_time: toInstant(publish_time) };
    },
    setIn,

    /** Returns the schedule of an article, or null, also if the article is not the viewer's. */
    async find(id: string, viewer: Viewer): Promise<Schedule | null> {
      const row = await queries.findSchedule(db.read, id);
      return row?.author_id === viewer.id ? queries.toSchedule(row) : null;
    },

    /** Deletes the schedule of the viewer's article, if any. Refuses as `requireOwn`. */
    async cancel(id: string, viewer: Viewer): Promise<void> {
      await db.write(async (trx) => {
        await requireOwn(trx, id, viewer);
        if (await queries.deleteSchedule(trx, id)) changed(trx);
      });
    },

    async ofAuthor(viewer: Viewer): Promise<Map<string, Schedule>> {
      const rows = await queries.listSchedules(db.read, viewer.id);
      return new Map(rows.map((row) => [row.article_id, queries.toSchedule(row)]));
    },

    /** Returns when the next publication is due (milliseconds since the epoch), or null. */
    nextTime: async (): Promise<number | null> => (await queries.findNext(db.read))?.publish_time ?? null,

    /**
     * Publishes what is due until `isStopping` returns true; returns the number of articles. An article that
     * fails for a temporary reason, such as a full render queue, stays due.
     */
    async publishDue(isStopping: () => boolean = () => false): Promise<number> {
      let published = 0;
      const faults: unknown[] = [];
      for (const row of await queries.listDue(db.read, now(), SCHEDULE_BATCH_SIZE)) {
        if (isStopping()) break;
        try {
          if (await attempt(row)) published++;
        } catch (error) {
          // A fault must not stop the other publications.
          faults.push(error);
        }
      }
      if (faults.length > 0) throw faults[0];
      return published;
    },
  };
}

/** Finds schedules of a process that died before it published them. */
const MAX_INTERVAL_MS = 30_000;
const RETRY_DELAY_MS = 5_000;

/** Publishes articles at their scheduled times. Runs in every process; the first one publishes. */
export function createPublisher({ schedules, events, log, now }: Uses<'schedules'>) {
  let stopListening = () => {};

  async function publish(signal: AbortSignal): Promise<number> {
    const published = await schedules.publishDue(() => signal.aborted);
    if (published > 0) log.info({ published }, 'scheduled articles published');
    const wait = ((await schedules.nextTime()) ?? Infinity) - now();
    if (wait > 0) return Math.min(wait, MAX_INTERVAL_MS);
    return published > 0 ? 0 : RETRY_DELAY_MS;
  }
  const job = createJob(publish, {
    everyMs: MAX_INTERVAL_MS,
    retryMs: RETRY_DELAY_MS,
    failed: (error) => log.error({ err: error }, 'scheduled publication failed'),
  });

  return {
    start(): void {
      stopListening = events.listen(({ type }) => {
        if (type === 'schedule-changed' || type === 'anything') job.wake();
      });
      job.start();
    },
    async stop(): Promise<void> {
      stopListening();
      await job.stop();
    },
  };
}
