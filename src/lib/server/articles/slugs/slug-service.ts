import { setImmediate } from 'node:timers/promises';
import { foldSlug } from '../../../contract/rules/slugs.ts';
import { MINUTE_MS } from '../../../contract/rules/units.ts';
import type { Viewer } from '../../auth/auth-service.ts';
import type { Reader } from '../../db/visibility.ts';
import { createJob } from '../../jobs/jobs.ts';
import type { Uses } from '../../services.ts';
import { announceChange } from '../core/article-change.ts';
import { findAnyState, findLastSeq } from '../core/article-queries.ts';
import { findFreeSlug, isSlugFree, settleSlug } from './settle-slug.ts';
import * as queries from './slug-queries.ts';
import { suggestSlug } from './suggest-slug.ts';

export type SlugService = ReturnType<typeof createSlugService>;

/** Articles per transaction, so other writes can run in between. */
const ARTICLE_BATCH_SIZE = 50;
const SCAN_BATCH_SIZE = 1_000;

/** Slugs of articles, which their addresses `/a/{slug}` contain (decision 0115). */
export function createSlugService({ db, events, options, log }: Uses<'options'>) {
  /** `seq` up to which public articles have slugs: articles published later get theirs at once. */
  let done = 0;

  async function fillBatch(ids: readonly string[]): Promise<void> {
    await db.write(async (trx) => {
      for (const id of ids) {
        const before = await findAnyState(trx, id);
        if (before?.is_public !== 1 || before.address !== '') continue;
        const address = await settleSlug(trx, before, before);
        await announceChange(trx, events, before, { ...before, address });
      }
    });
  }

  async function fill(last: number, signal: AbortSignal): Promise<void> {
    while (done < last && !signal.aborted) {
      const to = Math.min(last, done + SCAN_BATCH_SIZE);
      const ids = await queries.listWithout(db.read, { after: done, to });
      for (let at = 0; at < ids.length && !signal.aborted; at += ARTICLE_BATCH_SIZE) {
        await fillBatch(ids.slice(at, at + ARTICLE_BATCH_SIZE));
        await setImmediate();
      }
      if (!signal.aborted) done = to;
    }
  }

  async function fillAlone(signal: AbortSignal): Promise<void> {
    if ((await options.read()).articleAddress !== 'slug') return;
    const last = await findLastSeq(db.read);
    if (done < last) await db.alone(() => fill(last, signal), 'slugs');
  }

  const job = createJob(fillAlone, {
    everyMs: MINUTE_MS,
    failed: (error) => log.warn({ err: error }, 'giving slugs to articles failed'),
  });
  events.listen(({ type }) => type === 'options-changed' && job.wake());

  return {
    /**
     * Returns the article that has or had a slug, typed in any case or width, and its present slug; null if
     * the viewer sees none.
     */
    find: (slug: string, viewer: Reader | null) => queries.findBySlug(db.read, foldSlug(slug), viewer),

    addressesOf: (ids: readonly string[]) => queries.listAddresses(db.read, ids),

    /**
     * Returns the slug that an article of this title gets unless its author chooses one, or that the
     * viewer's article `id` has already, and whether another article has or had `slug`.
     */
    async suggest({ title, slug, id }: { title: string; slug: string; id: string }, viewer: Viewer) {
      const article = id === '' ? null : await findAnyState(db.read, id);
      const own = article?.author_id === viewer.id ? article : null;
      const isKept = own !== null && own.address !== '' && (own.was_published === 1 || own.slug === '');
      const suggested = isKept
        ? own.address
        : await findFreeSlug(db.read, await suggestSlug(title), own?.id ?? '');
      return { slug: suggested, is_taken: !(await isSlugFree(db.read, slug, own?.id ?? '')) };
    },

    /** Gives slugs to public articles of earlier versions, if the site's links need them. */
    fill: job.run,
    start: job.start,
    stop: job.stop,
  };
}
