import { setImmediate } from 'node:timers/promises';
import type { Trx } from '../../db/database.ts';
import { createJob } from '../../jobs/jobs.ts';
import { changeArticle, findLastSeq } from './article-queries.ts';
import * as queries from './retag-queries.ts';
import { MINUTE_MS } from '../../../contract/rules/units.ts';
import type { Uses } from '../../services.ts';

export type Retag = ReturnType<typeof createRetag>;

/** Articles per transaction, so other writes can run in between. */
const ARTICLE_BATCH_SIZE = 20;
const SCAN_BATCH_SIZE = 5_000;
const RETAG_INTERVAL_MS = MINUTE_MS;

/**
 * Updates the tag names in articles, drafts, revisions and the trash after a renaming (tag_aliases), in small
 * transactions that record the progress: an interrupted run continues there. Earlier texts keep their names
 * until an author saves one again.
 */
export function createRetag({ db, tags, applyVisibility, log }: Uses<'tags' | 'applyVisibility'>) {
  async function renamed(trx: Trx, json: string): Promise<string> {
    return JSON.stringify(await tags.rename(trx, JSON.parse(json) as string[]));
  }

  async function change(trx: Trx, id: string): Promise<void> {
    const row = await queries.getNamed(trx, id);
    if (!row) return;
    const { username, revised, ...before } = row;
    if (revised !== null) {
      const names = await renamed(trx, revised);
      if (names !== revised) await queries.putRevisedNames(trx, id, names);
    }
    const names = await renamed(trx, before.tags);
    if (names === before.tags) return;
    const after = await changeArticle(trx, before, { tags: names });
    if (after.status === 'cancel') return;
    const author = { id: after.author_id, username, isUnlimited: true };
    await applyVisibility(trx, before, after, { author, isUntold: true });
  }

  /**
   * Processes the next batch of a renaming; returns whether there was one. Scans in bounded queries before it
   * writes.
   */
  async function step(isStopping: () => boolean): Promise<boolean> {
    const renaming = await queries.findRenaming(db.read);
    if (!renaming) return false;
    const last = await findLastSeq(db.read);
    let found: { seq: number; id: string }[] = [];
    let [after, until] = [renaming.next_seq, renaming.next_seq];
    while (found.length === 0 && until < last && !isStopping()) {
      [after, until] = [until, Math.min(last, until + SCAN_BATCH_SIZE)];
      found = await queries.listNaming(db.read, renaming.name, { after, until, limit: ARTICLE_BATCH_SIZE });
      await setImmediate();
    }
    const reached = found.length === ARTICLE_BATCH_SIZE ? (found.at(-1)?.seq ?? until) : until;
    const isDone = reached >= last;
    await db.write(async (trx) => {
      const now = await queries.findRenaming(trx, renaming.name);
      // Undone meanwhile, or continued by another process.
      if (now?.next_seq !== renaming.next_seq || now.tag_id !== renaming.tag_id) return;
      for (const { id } of found) await change(trx, id);
      await queries.noteRenamed(trx, now, isDone ? null : reached);
    });
    return true;
  }

  async function run(most: number, isStopping = () => false): Promise<void> {
    for (let steps = 0; steps < most && !isStopping() && (await step(isStopping)); steps++)
      await setImmediate();
  }

  const job = createJob(
    (signal) => db.alone(() => run(Number.POSITIVE_INFINITY, () => signal.aborted), 'tags'),
    {
      everyMs: RETAG_INTERVAL_MS,
      failed: (error) => log.warn({ err: error }, 'renaming tags in articles failed'),
    },
  );

  return {
    /** Runs at most `most` steps of 20 articles before it resolves; the job does the rest. */
    async run(most: number): Promise<void> {
      await run(most);
      job.wake();
    },
    start: job.start,
    stop: job.stop,
  };
}
