import { setImmediate } from 'node:timers/promises';
import { toListed, type ListedArticle } from '../core/article-wire.ts';
import { findLastSeq } from '../core/article-queries.ts';
import { countArticles } from '../core/count-queries.ts';
import { createJob } from '../../jobs/jobs.ts';
import { KEYWORDS_VERSION, type Keyword, type ReadText } from './keywords.ts';
import * as queries from './related-queries.ts';
import type { Core } from '../../services.ts';
import { createReusedThread } from '../../jobs/reused-thread.ts';
import { idsIn } from '../../shared/ids.ts';

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
 * Articles are compared by keywords (keywords.ts) and tags; `scoreOf` computes the score.
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
    const idsOf = (list: readonly queries.Related[] = []) => idsIn(list).join();
    const changed = idsIn(others);
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
    const last = await findLastSeq(db.read);
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

/** The dictionary takes 90 MB and 0.6 s to load, and no request waits for it. */
const IDLE_TIMEOUT_MS = 10_000;

/** Creates a thread that extracts the keywords of articles. */
export const createKeywordThread = (
  script = new URL('./keyword-worker.ts', import.meta.url),
  idleMs = IDLE_TIMEOUT_MS,
) => createReusedThread<ReadText, Keyword[]>(script, { idleMs });

/**
 * The article that others are compared with. `counts`: articles per keyword; `total`: all public articles.
 */
interface Subject {
  keywords: readonly Keyword[];
  tags: readonly { id: string; page_num: number }[];
  counts: ReadonlyMap<string, number>;
  total: number;
}

/** Keywords of the subject that another article shares, with the other's weights, and shared tags. */
interface Common {
  weights: ReadonlyMap<string, number>;
  tagIds: ReadonlySet<string>;
}

/** A keyword of this many articles counts nothing. */
const MAX_KEYWORD_ARTICLES = 5_000;
/** Score of the rarest shared tag; identical keywords score 1. */
const TAG_SHARE = 0.12;
/** Minimum scores with and without a shared tag, found by reading lists (docs/features/discovery.md). */
const MIN_SCORE_WITH_TAG = 0.17;
const MIN_SCORE_WITHOUT_TAG = 0.2;
/** Minimum score of the keywords, and without the heaviest: one tag or one word alone relates nothing. */
const MIN_WORD_SCORE = 0.04;
const MIN_SCORE_WITHOUT_HEAVIEST = 0.02;
/** Scores are integers in millionths, so that both engines store the same number. */
const SCORE_UNIT = 1_000_000;

/** Among fewer articles, counts do not show what is rare. */
const MIN_TOTAL = 100;

/**
 * Returns how specific a property is that `count` of `total` articles share: 1 for one article, 0 for all.
 */
function rarity(count: number, total: number): number {
  const all = Math.max(total, MIN_TOTAL);
  if (count >= all || count >= MAX_KEYWORD_ARTICLES) return 0;
  return Math.log(all / Math.max(count, 1)) / Math.log(all);
}

const weighWords = ({ keywords, counts, total }: Subject): Map<string, number> =>
  new Map(keywords.map(({ term, weight }) => [term, (weight / 1000) * rarity(counts.get(term) ?? 0, total)]));

/**
 * Returns the score of an article that has `common` with `subject`, in millionths; 0 if it is not related.
 */
function scoreOf(subject: Subject, words: ReadonlyMap<string, number>, common: Common): number {
  const parts = [...common.weights].map(([term, weight]) => ((words.get(term) ?? 0) * weight) / 1000);
  const ofWords = parts.reduce((sum, part) => sum + part, 0);
  const ofTags = subject.tags
    .filter(({ id }) => common.tagIds.has(id))
    .reduce((sum, { page_num }) => sum + TAG_SHARE * rarity(page_num, subject.total), 0);
  if (ofWords < MIN_WORD_SCORE) return 0;
  if (ofTags === 0 && ofWords - Math.max(...parts) < MIN_SCORE_WITHOUT_HEAVIEST) return 0;
  const score = ofWords + ofTags;
  return score < (ofTags > 0 ? MIN_SCORE_WITH_TAG : MIN_SCORE_WITHOUT_TAG)
    ? 0
    : Math.round(score * SCORE_UNIT);
}
