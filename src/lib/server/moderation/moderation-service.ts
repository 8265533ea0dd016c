import { createHash } from 'node:crypto';
import { HOLD_REASONS, type HoldReason } from '../../contract/moderation.ts';
import { refuse } from '../../contract/errors.ts';
import { isStaff } from '../../contract/permissions.ts';
import type { SiteOptions } from '../../contract/site-options.ts';
import type { Database, Trx } from '../db/database.ts';
import { canonicalise } from './canonical.ts';
import type { Events } from '../db/events.ts';
import * as queries from './judge-queries.ts';
import type { Teller } from '../notices/notice-service.ts';
import type { OutsideJudge, Written } from './outside-judge.ts';
import { deleteWithheld, findWithheld, putWithheld } from './withheld-queries.ts';
import { mask } from './word-filter.ts';
import type { WordService } from './word-service.ts';

export type { Written };
export type ModerationService = ReturnType<typeof createModerationService>;

type Author = Pick<Written['author'], 'id' | 'isUnlimited'>;

export interface Judgement {
  /** Why it waits for approval; none: it is shown at once. */
  reasons: readonly HoldReason[];
  /** `source` with the words masked that are to be. */
  source: string;
  /** Remembers inside `trx`, which writes the text, that it was written. */
  remember(trx: Trx): Promise<void>;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Shorter ones are said by everybody: 写得真好，谢谢分享。 */
const SHORTEST_REPEATED = 12;
/** So many other accounts with the same words are no accident. */
const OTHER_WRITERS = 2;
/** What a new account may write before it is looked at. */
const NEW_LINKS = { article: 10, comment: 2 } as const;
const NEW_COMMENTS = { count: 5, within: 10 * MINUTE_MS };
const LINK = /https?:\/\/|www\./gi;

/** Decides what is shown at once, what waits for approval, and what is refused. Staff is not judged. */
export function createModerationService(parts: {
  db: Database;
  words: Pick<WordService, 'filter'>;
  options: { read(): Promise<SiteOptions> };
  events: Pick<Events, 'emit'>;
  notices: Teller;
  /** MODERATION_URL; null where none is set. */
  outside: OutsideJudge | null;
  now: () => number;
}) {
  const { db, words, options, events, notices, outside, now } = parts;

  /** Refuses with WORD_REFUSED; masks only what stands in the source as a reader reads it. */
  async function judgeWords({ kind, source, text }: Written) {
    const filter = await words.filter();
    const inText = await filter.find(text);
    const refused = inText.find(({ word }) => word.action === 'reject');
    if (refused) {
      const shown = text.slice(refused.start, refused.end);
      refuse('WORD_REFUSED', { text: `「${shown}」不能出现在这里，请修改后再发` });
    }
    if (inText.length === 0) return { mustWait: false, source };
    const inSource = await filter.find(source);
    const masked = inSource.filter(({ word }) => word.action === 'mask');
    // An author's article is not rewritten; and what is put together only when it is read cannot be masked.
    const mustMask = inText.filter(({ word }) => word.action === 'mask').length;
    const canMask = kind === 'comment' && masked.length >= mustMask;
    const mustWait = inText.some(({ word }) => word.action === 'hold') || (mustMask > 0 && !canMask);
    return { mustWait, source: canMask ? mask(source, masked) : source };
  }

  const isUnjudged = async ({ id, isUnlimited }: Author): Promise<boolean> =>
    isUnlimited === true || isStaff(await queries.roleOf(db.read, id));
  const hasShownLess = async (kind: Written['kind'], id: string, { approvedFirst }: SiteOptions) =>
    !(await queries.hasShown(db.read, kind, id, approvedFirst));

  async function judgeManner(
    { kind, id, isShown, author, source }: Written,
    print: string | null,
    settled: SiteOptions,
  ) {
    const reasons: HoldReason[] = [];
    const policy = kind === 'comment' ? settled.holdComments : settled.holdArticles;
    const isNew = await hasShownLess(kind, author.id, settled);
    if (!isShown && policy === 'all') reasons.push('all');
    if (!isShown && policy === 'first' && isNew) reasons.push('first');
    if (isNew && (source.match(LINK)?.length ?? 0) > NEW_LINKS[kind]) reasons.push('links');
    if (id !== null) return reasons;
    if (print !== null) {
      const writers = await queries.listWritersOf(db.read, print, now() - DAY_MS);
      const others = writers.filter((writer) => writer !== author.id);
      // Whoever publishes an article of theirs anew repeats nothing; nor does whoever is known here.
      const isOwn = kind === 'comment' && isNew && others.length < writers.length;
      if (isOwn || others.length >= OTHER_WRITERS) reasons.push('repeat');
    }
    if (isNew && kind === 'comment') {
      const { count, within } = NEW_COMMENTS;
      const written = await queries.countWrittenSince(db.read, author.id, now() - within, count);
      if (written >= count) reasons.push('flood');
    }
    return reasons;
  }

  /**
   * Judges what somebody is about to show to everybody. Refuses with WORD_REFUSED, OUTSIDE_REFUSED. Asks an
   * outside service where one is set, which takes two seconds at most.
   */
  async function judge(written: Written): Promise<Judgement> {
    const { author } = written;
    if (await isUnjudged(author)) return unjudged(written.source);
    const { mustWait, source } = await judgeWords(written);
    const print = printOf(written.text);
    const reasons = await judgeManner(written, print, await options.read());
    if (mustWait) reasons.push('word');
    const verdict = (await outside?.(written)) ?? 'show';
    if (verdict === 'reject') refuse('OUTSIDE_REFUSED');
    if (verdict === 'hold') reasons.push('outside');
    if (verdict === 'unanswered') reasons.push('unanswered');
    return {
      reasons,
      source,
      remember: async (trx) => {
        if (print === null || written.id !== null) return;
        await queries.putPrint(trx, { print, author_id: author.id, create_time: now() });
      },
    };
  }

  /** Says inside `trx` that something waits, and why, and tells staff but of what was waiting elsewhere. */
  async function hold(
    trx: Trx,
    kind: Written['kind'],
    id: string,
    reasons: readonly HoldReason[],
  ): Promise<void> {
    await putWithheld(trx, { kind, id, state: 'held', note: '', reasons, create_time: now() });
    events.emit(trx, { type: 'held-changed' });
    if (reasons.includes('imported')) return;
    await notices.tell(trx, {
      kind: 'held',
      title: `有${kind === 'article' ? '文章' : '评论'}等待审核`,
      text: reasons.map((reason) => HOLD_REASONS[reason]).join('、'),
      path: '/admin/held',
      uniqueKey: `held:${id}`,
    });
  }

  /** Says inside `trx` that something waits no more, or is gone. */
  async function release(trx: Trx, kind: Written['kind'], id: string): Promise<void> {
    await deleteWithheld(trx, kind, id);
    events.emit(trx, { type: 'held-changed' });
  }

  return {
    judge,
    /** Whether little of an account was seen yet (`approvedFirst`); staff is never new. */
    isNew: async (kind: Written['kind'], author: Author): Promise<boolean> =>
      !(await isUnjudged(author)) && (await hasShownLess(kind, author.id, await options.read())),

    /** Judges an article that is about to be saved; what its author alone will see is not judged. */
    async judgeArticle(
      article: Pick<Written, 'id' | 'author'> & {
        status: 'normal' | 'draft';
        secret: boolean;
        title: string;
        description?: string | undefined;
        tags: readonly string[];
        content: string;
      },
      text: string,
    ): Promise<Judgement> {
      const { id, author, title, description = '', tags, content } = article;
      if (article.status !== 'normal' || article.secret) return unjudged(content);
      const isShown = id !== null && (await queries.isArticleShown(db.read, id));
      const read = [title, description, tags.join('\n\n'), text].join('\n\n');
      return judge({ kind: 'article', id, isShown, author, source: content, text: read });
    },

    /**
     * Inside `trx`, which saves an article: whether it is withheld then. One that was taken down stays so,
     * whatever is changed of it.
     */
    async settle(
      trx: Trx,
      { id, former, wantsPublic }: { id: string; former: '' | 'held' | 'hidden'; wantsPublic: boolean },
      judgement: Judgement,
    ): Promise<'' | 'held' | 'hidden'> {
      await judgement.remember(trx);
      if (former === 'hidden') return 'hidden';
      const mustWait = wantsPublic && judgement.reasons.length > 0;
      if (mustWait) await hold(trx, 'article', id, judgement.reasons);
      else if (former === 'held') await release(trx, 'article', id);
      return mustWait ? 'held' : '';
    },

    hold,
    release,

    /** Those of `ids` that are withheld, and what their author is told, by id. */
    withheldAmong: (kind: Written['kind'], ids: readonly string[]) => findWithheld(db.read, kind, ids),

    /** Forgets which texts were written more than a day ago. */
    purge: (): Promise<void> => db.write((trx) => queries.deletePrints(trx, now() - DAY_MS)),
  };
}

const unjudged = (source: string): Judgement => ({ reasons: [], source, remember: () => Promise.resolve() });

/** A short name of a text, the same for all its disguises; null for what anybody may say again. */
function printOf(text: string): string | null {
  const canonical = canonicalise(text).text;
  if (canonical.length < SHORTEST_REPEATED) return null;
  return createHash('sha256').update(canonical).digest('hex').slice(0, 32);
}
