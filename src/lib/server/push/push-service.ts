import type { Trx } from '../db/database.ts';
import { articleUrl } from '../../shared/urls.ts';
import type { ArticlesTable } from '../db/schema/schema.ts';
import type { AppParts } from '../services.ts';
import type { Current } from '../settings/operator-settings.ts';
import type { PushKeys } from '../config/config-fields.ts';
import { createJob, joinJobs } from '../jobs/jobs.ts';
import { ENDPOINTS, submit } from './engines.ts';
import * as queries from './push-queries.ts';
import { MINUTE_MS } from '../../contract/rules/units.ts';

/** Repeated saves within this time produce one submission. */
const SUBMIT_DELAY_MS = MINUTE_MS;
/** After this time another process sends what was claimed but not settled. */
const CLAIM_LIFETIME_MS = 120_000;
const PUSH_INTERVAL_MS = 30_000;
const PUSH_BATCH_SIZE = 100;
const MAX_LISTED_PUSHES = 1_000;
/** Delays between attempts; after the last one the article is not submitted. */
const RETRY_DELAYS_MS = [1, 5, 30, 120, 360, 720, 1_440].map((minutes) => minutes * MINUTE_MS);

type Pushed = Pick<ArticlesTable, 'id' | 'is_public'>;

interface Parts extends Pick<AppParts, 'db' | 'log' | 'now'> {
  keys: Current<PushKeys>;
  origin: string;
  endpoints?: typeof ENDPOINTS;
}

export type PushService = ReturnType<typeof createPushService>;

/** Submits published articles to Baidu and IndexNow, from an outbox that survives restarts. */
export function createPushService({ db, keys, origin, log, now, endpoints = ENDPOINTS }: Parts) {
  const ENGINES = ['baidu', 'indexnow'] as const;
  const enginesOf = (set: PushKeys) => ENGINES.filter((engine) => set[engine] !== null);
  const jobs = joinJobs(
    ENGINES.map((engine) =>
      createJob(async () => ((await send(engine)) > 0 ? 0 : PUSH_INTERVAL_MS), {
        everyMs: PUSH_INTERVAL_MS,
        failed: (error) => log.warn({ err: error, engine }, 'push to search engine failed'),
      }),
    ),
  );
  let tidied: Promise<unknown> = Promise.resolve();
  const urlOf = ({ article_id, address }: queries.ClaimedPush) => origin + articleUrl(article_id, address);

  async function postpone(
    engine: queries.PushEngine,
    rows: queries.ClaimedPush[],
    error: unknown,
  ): Promise<void> {
    const problem = error instanceof Error ? error.message : String(error);
    const later = rows.flatMap((row) => {
      const pause = RETRY_DELAYS_MS[row.tries - 1];
      return pause === undefined ? [] : [{ ...row, due_time: now() + pause, problem }];
    });
    const given = rows.filter((row) => RETRY_DELAYS_MS[row.tries - 1] === undefined);
    await db.write(async (trx) => {
      await queries.postponePushes(trx, later);
      await queries.settlePushes(trx, given);
    });
    log.warn(
      { engine, later: later.length, given: given.map(urlOf), problem },
      'push to search engine failed',
    );
  }

  async function send(engine: queries.PushEngine): Promise<number> {
    const key = (await keys.read())[engine];
    if (key === null) return 0;
    const time = now();
    const claim = { now: time, until: time + CLAIM_LIFETIME_MS, limit: PUSH_BATCH_SIZE };
    const rows = await db.write((trx) => queries.claimPushes(trx, engine, claim));
    if (rows.length === 0) return 0;
    let taken: Awaited<ReturnType<typeof submit>>;
    try {
      const place = { endpoint: endpoints[engine], key, origin };
      taken = await submit(engine, place, rows.map(urlOf));
    } catch (error) {
      await postpone(engine, rows, error);
      return 0;
    }
    await db.write((trx) => queries.settlePushes(trx, rows));
    const { refused, remain } = taken;
    if (refused.length > 0) log.warn({ engine, refused }, 'search engine rejected URLs');
    log.info({ engine, sent: rows.length - refused.length, remain }, 'pushed to search engine');
    return rows.length - refused.length;
  }

  return {
    outbox: {
      /**
       * Called in the transaction of a change: schedules a public article, and cancels one that became
       * hidden.
       * @param before null for a new one
       */
      async add(trx: Trx, before: Pushed | null, after: Pushed): Promise<void> {
        const engines = enginesOf(keys.known);
        if (engines.length === 0) return;
        const push = { articleId: after.id, time: now(), due: now() + SUBMIT_DELAY_MS };
        if (after.is_public === 1) await queries.putPushes(trx, push, engines);
        else if (before?.is_public === 1) await queries.deletePushes(trx, after.id);
      },
    },
    send,

    list: () => queries.listPushes(db.read, MAX_LISTED_PUSHES),

    start(): void {
      tidied = keys
        .read()
        .then((set) => db.write((trx) => queries.deleteOthers(trx, enginesOf(set))))
        .catch((error: unknown) => log.warn({ err: error }, 'cleaning the push outbox failed'));
      jobs.start();
    },

    async stop(): Promise<void> {
      await jobs.stop();
      await tidied;
    },
  };
}
