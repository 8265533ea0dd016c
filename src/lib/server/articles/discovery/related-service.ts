import { setImmediate } from 'node:timers/promises';
import { toListed, type ListedArticle } from '../core/article-wire.ts';
import { countArticles } from '../core/count-queries.ts';
import { createJob } from '../../jobs/jobs.ts';
import { createKeywordThread } from './keyword-thread.ts';
import { KEYWORDS_VERSION } from './keywords.ts';
import * as queries from './related-queries.ts';
import { MAX_KEYWORD_ARTICLES, scoreOf, weighWords, type Subject } from './related-score.ts';
import type { Core } from '../../services.ts';

export type RelatedService = ReturnType<typeof createRelatedService>;

/** More than are shown, so a withdrawn article leaves no gap until they are found again. */
const MAX_STORED_RELATED = 6;
/** Articles considered for each keyword and each tag, and how many of them are compared. */
const MAX_CANDIDATES_PER_TERM = 40;
const MAX_COMPARED_ARTICLES = 80;
const ARTICLE_BATCH_SIZE = 50;
/** Articles checked by one query, which takes about a millisecond. */
const CHECKED_RANGE = 1_000;
const RETRY_DELAY_MS = 5_000;

/**
 * Finds related articles after a save and stores them: a save waits for nothing, a page reads one short list.
 * Articles are compared by keywords (keywords.ts) and tags; related-score.ts computes the score.
 */
export function createRelatedService({ db, events, log }: Core) {
  const thread = createKeywordThread();
  const waiting = new Set<string>();
  let isStopping = false;
  let silence: (() => void) | undefined;

  /** Analyses an article as it is now: stores its keywords, or deletes its relations if it is not public. */
  async function look(id: string): Promise<void> {
    const article = await queries.findReadable(db.read, id);
    const keywords = article && (await thread.ask(article));
    await db.write(async (trx) => {
      // It may have been hidden meanwhile.
      const current = article && (await queries.findReadable(trx, id));
      if (!current || !keywords) await queries.forget(trx, id);
      else await queries.putKeywords(trx, article, KEYWORDS_VERSION, keywords);
    });
  }

  async function subjectOf(id: string): Promise<Subject> {
    const keywords = await queries.listKeywords(db.read, id);
    const terms = keywords.map(({ term }) => term);
    return {
      keywords,
      tags: await queries.listTagsOf(db.read, id),
      counts: await queries.countTerms(db.read, terms, MAX_KEYWORD_ARTICLES),
      total: await countArticles(db.read, { of: 'public' }),
    };
  }

  async function candidatesOf(id: string, { tags }: Subject, words: ReadonlyMap<string, number>) {
    const promise = new Map<string, number>();
    const add = (other: string, by: number) => promise.set(other, (promise.get(other) ?? 0) + by);
    for (const [term, weight] of words)
      if (weight > 0)
        for (const row of await queries.listAbout(db.read, term, MAX_CANDIDATES_PER_TERM))
          add(row.article_id, weight * row.weight);
    for (const tag of tags)
      for (const other of await queries.listUnder(db.read, tag.id, MAX_CANDIDATES_PER_TERM)) add(other, 1);
    promise.delete(id);
    return [...promise]
      .toSorted(([a, m], [b, n]) => n - m || (a < b ? 1 : -1))
      .slice(0, MAX_COMPARED_ARTICLES)
      .map(([other]) => other);
  }

  async function findRelated(id: string): Promise<queries.Related[]> {
    const subject = await subjectOf(id);
    const words = weighWords(subject);
    const candidates = await candidatesOf(id, subject, words);
    if (candidates.length === 0) return [];
    const common = new Map(
      candidates.map((other) => [other, { weights: new Map<string, number>(), tagIds: new Set<string>() }]),
    );
    for (const row of await queries.listShared(db.read, candidates, [...words.keys()]))
      common.get(row.article_id)?.weights.set(row.term, row.weight);
    const tagIds = subject.tags.map((tag) => tag.id);
    if (tagIds.length > 0)
      for (const row of await queries.listSharedTags(db.read, candidates, tagIds))
        common.get(row.article_id)?.tagIds.add(row.tag_id);
    return Array.from(common, ([other, shared]) => ({ id: other, score: scoreOf(subject, words, shared) }))
      .filter(({ score }) => score > 0)
      .toSorted((one, other) => other.score - one.score || (one.id < other.id ? 1 : -1));
  }

  async function relate(id: string): Promise<void> {
    const found = await findRelated(id);
    const kept = found.slice(0, MAX_STORED_RELATED);
    const stored = await queries.listStored(db.read, [id, ...found.map((other) => other.id)]);
    const others = found.filter(({ id: other, score }) => {
      const theirs = stored.get(other) ?? [];
      const lowest = theirs.length < MAX_STORED_RELATED ? 0 : (theirs.at(-1)?.score ?? 0);
      return score > lowest && !theirs.some((each) => each.id === id);
    });
    const idsOf = (list: readonly queries.Related[] = []) => list.map((each) => each.id).join();
    const changed = others.map((other) => other.id);
    if (idsOf(stored.get(id)) !== idsOf(kept)) changed.push(id);
    await db.write(async (trx) => {
      if (!(await queries.findReadable(trx, id))) return queries.forget(trx, id);
      await queries.putRelated(trx, id, kept);
      for (const other of others)
        await queries.enter(trx, other.id, { id, score: other.score }, MAX_STORED_RELATED);
      if (changed.length > 0) events.emit(trx, { type: 'related-changed', articleIds: changed });
    });
  }

  async function each(ids: readonly string[], work: (id: string) => Promise<void>) {
    for (const id of ids) {
      if (isStopping) return;
      await work(id).catch((error: unknown) => {
        // `stop` closes the thread, which rejects the work in progress.
        if (!isStopping) throw error;
      });
      // Lets waiting requests run first.
      await setImmediate();
    }
  }

  async function relateAll(): Promise<void> {
    for (;;) {
      const ids = await queries.listUnlisted(db.read, ARTICLE_BATCH_SIZE);
      if (ids.length === 0 || isStopping) return;
      await each(ids, relate);
    }
  }

  /** Analyses outdated articles in ranges: one query for all of them would block for seconds. */
  async function lookAtAll(): Promise<void> {
    const last = await queries.findLastSeq(db.read);
    for (let after = 0; after < last; after += CHECKED_RANGE) {
      if (isStopping) return;
      await each(
        await queries.listOutdated(db.read, KEYWORDS_VERSION, { after, to: after + CHECKED_RANGE }),
        look,
      );
      await setImmediate();
    }
  }

  async function work(): Promise<void> {
    if (waiting.size === 0) return;
    for (const id of waiting) {
      if (isStopping) return;
      waiting.delete(id);
      await look(id);
    }
    await relateAll();
  }
  const job = createJob(work, {
    everyMs: Infinity,
    retryMs: RETRY_DELAY_MS,
    failed(error) {
      if (!isStopping) log.error({ err: error }, 'finding related articles failed, will retry');
    },
  });

  return {
    async list(articleId: string): Promise<ListedArticle[]> {
      return (await queries.listRelated(db.read, articleId)).map(toListed);
    },

    /** Starts to follow the articles that this process publishes, changes and hides. */
    start(): void {
      silence = events.listen((event, isOwn) => {
        if (!isOwn || event.type !== 'article-changed' || !event.change) return;
        waiting.add(event.articleId);
        job.wake();
      });
      job.start();
    },

    /** Analyses every article whose analysis is missing or out of date. Resolves when done or stopped. */
    async catchUp(): Promise<void> {
      await job.run();
      await lookAtAll();
      await relateAll();
    },

    settled: job.run,

    async stop(): Promise<void> {
      isStopping = true;
      silence?.();
      await thread.close();
      await job.stop();
    },
  };
}
