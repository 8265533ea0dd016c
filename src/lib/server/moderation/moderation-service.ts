import { HOLD_REASONS, type HoldReason } from '../../contract/rules/moderation.ts';
import { moved, type ModerationState } from '../../contract/moderation-moves.ts';
import { FIELD_NAMES, fieldsFromColumns } from '../../contract/rules/authored-fields.ts';
import { refuse } from '../../contract/rules/errors.ts';
import { isStaff } from '../../contract/rules/permissions.ts';
import type { TextsJudged } from '../../contract/public-texts.ts';
import type { SiteOptions } from '../../contract/site-options.ts';
import { commentText, renderComment } from '../../markdown/comment.ts';
import type { Queryable, Trx } from '../db/database.ts';
import { attributesOf, findApproved, findJudged, isSameText } from './review/decision-queries.ts';
import { mayResubmit, putResubmitted } from './review/resubmit.ts';
import * as queries from './judge-queries.ts';
import type { Written } from './outside-judge.ts';
import { countLinks } from './contacts.ts';
import * as changes from './review/article-change.ts';
import { forgetReviews } from '../db/forget-reviews.ts';
import { nameArticle, nameItem, type UnwrittenArticle } from '../db/name-item.ts';
import { waitsForReview, type JudgedText } from './review/change-size.ts';
import { changeWithheld, deleteWithheld, findWithheld, putWithheld } from './withheld-queries.ts';
import { asClean, type CleanText } from '../shared/clean-text.ts';
import { distinctWords, mask } from './word-filter.ts';
import type { AppParts } from '../services.ts';
import { createHash } from 'node:crypto';
import { BOUNDS } from '../../contract/rules/bounds.ts';
import { canonicalise } from './canonical.ts';
import { DAY_MS } from '../../contract/rules/units.ts';
import type { AuthoredColumns } from '../db/schema/schema.ts';
import type { PendingChangesTable } from '../db/schema/moderation-schema.ts';
import { deleteChange, findChange, findChanges, putChange } from './review/change-queries.ts';

export type { Written };
export type ModerationService = ReturnType<typeof createModerationService>;

type ArticleText = TextsJudged<'article', 'whole'>;
type Author = Pick<Written['author'], 'id' | 'isUnlimited' | 'role'>;

/** Made only here: what is written without one is not judged. */
const judged = Symbol('judged');

export interface Judgement {
  readonly [judged]: true;
  reasons: readonly HoldReason[];
  /** Listed words for which it must wait. */
  words: readonly string[];
  source: CleanText;
  /** Whether the change of an approved text waits for staff, while readers see the approved one. */
  mustReview: boolean;
  /** Records inside `trx`, which writes the text, that the item `id` has it. */
  remember(trx: Trx, id: string): Promise<void>;
}

const NEW_LINKS = { article: 10, comment: 2 } as const;

export function createModerationService(
  parts: Pick<AppParts, 'db' | 'events' | 'now' | 'words' | 'options' | 'notices' | 'outsideJudge'>,
) {
  const { db, words, options, events, notices, outsideJudge, now } = parts;

  /** Refuses with WORD_REFUSED. Masks only words that are in the source as a reader reads it. */
  async function judgeWords({ kind, source, text }: Written) {
    const filter = await words.filter();
    const inText = filter.find(text);
    const refused = inText.find(({ word }) => word.action === 'reject');
    if (refused) {
      const shown = text.slice(refused.start, refused.end);
      refuse('WORD_REFUSED', { text: `「${shown}」不能出现在这里，请修改后再发` });
    }
    if (inText.length === 0) return { words: [], source };
    const inSource = filter.find(source);
    const masked = inSource.filter(({ word }) => word.action === 'mask');
    // Articles are not rewritten, and words that appear only in the rendered text cannot be masked.
    const mustMask = inText.filter(({ word }) => word.action === 'mask').length;
    const canMask = kind === 'comment' && masked.length >= mustMask;
    const held = inText.filter(({ word }) => word.action === 'hold' || !canMask);
    return { words: distinctWords(held), source: canMask ? mask(source, masked) : source };
  }

  const isUnjudged = async ({ id, isUnlimited, role }: Author): Promise<boolean> =>
    isUnlimited === true || isStaff(role ?? (await queries.roleOf(db.read, id)));

  async function judgeManner(
    written: Written,
    html: string,
    print: string | null,
    settled: SiteOptions,
    isUnchanged: () => boolean,
  ) {
    const { kind, id: itemId, isShown, author, text } = written;
    const reasons: HoldReason[] = [];
    const policy = kind === 'comment' ? settled.holdComments : settled.holdArticles;
    const { approvedFirst } = settled;
    const { isNew, ...facts } = await queries.findFacts(db.read, kind, {
      authorId: author.id,
      approvedFirst,
      print: print ?? '',
      itemId: itemId ?? '',
      since: now() - REPEAT_PERIOD_MS,
      floodSince: now() - queries.FLOOD.periodMs,
    });
    if (!isShown && policy === 'all') reasons.push('all');
    if (!isShown && policy === 'first' && isNew) reasons.push('first');
    if (isNew && countLinks({ texts: [text], html }) > NEW_LINKS[kind]) reasons.push('links');
    // Authors may publish their own article again, and established accounts may repeat a comment.
    const isRepeat = facts.isRepeat || (kind === 'comment' && isNew && facts.isOwnRepeat);
    // An edit that keeps the text repeats nothing, even if others have copied it since.
    if (isRepeat && !isUnchanged()) reasons.push('repeat');
    if (isNew && kind === 'comment' && facts.isFlood) reasons.push('flood');
    return { reasons, isNew };
  }

  /**
   * Judges content that is about to become public. Refuses with WORD_REFUSED, OUTSIDE_REFUSED. Asks an
   * outside service if one is set, which takes at most two seconds.
   * @param isUnchanged whether readers already see the same text
   * @param change the approved text of a public item, and the new one
   */
  async function judge(
    written: Written,
    html: string,
    isUnchanged: () => boolean,
    change: { before: JudgedText; after: JudgedText } | null,
  ): Promise<Judgement> {
    const { kind, author } = written;
    if (await isUnjudged(author)) return unjudged(written.source);
    const { words, source } = await judgeWords(written);
    const print = printOf(written.text);
    const settled = await options.read();
    const { reasons, isNew } = await judgeManner(written, html, print, settled, isUnchanged);
    const mustReview =
      change !== null && waitsForReview(settled, { kind, isNew }, change.before, change.after);
    if (words.length > 0) reasons.push('word');
    const verdict = (await outsideJudge?.(written)) ?? 'show';
    if (verdict === 'reject') refuse('OUTSIDE_REFUSED');
    if (verdict === 'hold') reasons.push('outside');
    if (verdict === 'unanswered') reasons.push('unanswered');
    return {
      [judged]: true,
      reasons,
      words,
      source: asClean(source, 'checked'),
      mustReview,
      remember: async (trx, item_id) => {
        if (print === null) return;
        await queries.putPrint(trx, { item_id, print, author_id: author.id, create_time: now() });
      },
    };
  }

  /** Makes an item pending inside `trx` and notifies staff, unless it was imported. */
  async function hold(
    trx: Trx,
    { kind, id, unwritten }: { kind: Written['kind']; id: string; unwritten?: UnwrittenArticle | undefined },
    reasons: readonly HoldReason[],
    words: readonly string[] = [],
  ): Promise<void> {
    await putWithheld(trx, {
      kind,
      id,
      state: 'held',
      note: '',
      reasons,
      words,
      create_time: now(),
      hidden_by_ban: 0,
    });
    await queries.markPrints(trx, id, 1);
    events.emit(trx, { type: 'held-changed' });
    if (reasons.includes('imported')) return;
    await notices.notify(trx, {
      kind: 'held',
      title: `等待审核：${unwritten ? await nameArticle(trx, unwritten) : await nameItem(trx, kind, id)}`,
      text: reasons.map((reason) => HOLD_REASONS[reason]).join('、'),
      path: '/admin/held',
      uniqueKey: `held:${id}`,
    });
  }

  /** Returns a hidden article to the queue, unless a ban hid it or staff has judged the same text. */
  async function resubmitChanged(
    trx: Trx,
    id: string,
    submitted: AuthoredColumns & UnwrittenArticle,
    { reasons, words: found }: Judgement,
  ): Promise<ModerationState> {
    const item = (await findWithheld(trx, 'article', [id])).get(id);
    if (!item || !mayResubmit(item)) return 'hidden';
    const judgedText = await findJudged(trx, 'article', id);
    const { title, content, author_id } = submitted;
    const text = { title, content, attributes: attributesOf(fieldsFromColumns(submitted, FIELD_NAMES)) };
    if (judgedText && isSameText(judgedText, text)) return 'hidden';
    const article = { item, author_id, title, words: found, reasons };
    await putResubmitted(trx, { events, notices, now }, article);
    return moved('author', 'resubmit', item.state);
  }

  async function release(trx: Trx, kind: Written['kind'], id: string): Promise<void> {
    await deleteWithheld(trx, kind, id);
    await forgetReviews(trx, kind, [id]);
    events.emit(trx, { type: 'held-changed' });
  }

  return {
    ...createPendingChanges(parts),
    /** Whether an account has fewer than `approvedFirst` public comments; false for staff. */
    async isNewCommenter(author: Author): Promise<boolean> {
      if (await isUnjudged(author)) return false;
      return !(await queries.hasComments(db.read, author.id, (await options.read()).approvedFirst));
    },

    async judgeArticle(
      article: Pick<Written, 'id' | 'author'> & {
        status: 'normal' | 'draft';
        secret: boolean;
        title: string;
        content: string;
      } & Omit<{ [K in ArticleText]?: string | readonly string[] | undefined }, 'content' | 'title'>,
      { attributes, layOut, ...rendered }: changes.ReadArticle,
    ): Promise<Judgement> {
      const { id, author, title, content } = article;
      if (article.status !== 'normal' || article.secret) return unjudged(content);
      const shown = id === null ? null : await queries.findShownArticle(db.read, id);
      const { text, html } = rendered;
      const read = [...changes.writtenTexts(article), text, attributes];
      const written = {
        kind: 'article',
        id,
        isShown: shown !== null,
        author,
        source: content,
        text: read.join('\n\n'),
      } as const;
      const isUnchanged = () => isSame(shown && `${shown.title}\n\n${shown.text}`, `${title}\n\n${text}`);
      const change =
        shown && (await changes.articleChange(db.read, shown, { ...article, ...rendered }, layOut));
      return judge(written, html, isUnchanged, change);
    },

    /** Judges a comment; `id` is null for a new one. Refuses as `judge`. */
    async judgeComment({
      id,
      author,
      source,
    }: Pick<Written, 'id' | 'author' | 'source'>): Promise<Judgement> {
      const shown = id === null ? null : await queries.findShownComment(db.read, id);
      const text = commentText(source);
      const written = { kind: 'comment', id, isShown: shown !== null, author, source, text } as const;
      const approved = id === null ? null : await findApproved(db.read, 'comment', id);
      const before = approved?.content ?? shown;
      const change = before === null || shown === null ? null : changes.commentChange(before, source);
      return judge(written, renderComment(source), () => isSame(shown && commentText(shown), text), change);
    },

    /**
     * Called inside `trx`, which saves an item for its author. Returns the item's new state
     * (`MODERATION_MOVES`). A shown item becomes pending for the reasons of the judgement; a pending one
     * keeps its reasons if there are no new ones.
     * @param submitted fields of an article that its author publishes: if staff refused or hid it and has not
     *   judged them, it becomes pending
     */
    async settle(
      trx: Trx,
      item: { kind: Written['kind']; id: string; former: ModerationState; unwritten?: UnwrittenArticle },
      judgement: Judgement,
      submitted: (AuthoredColumns & UnwrittenArticle) | null = null,
    ): Promise<ModerationState> {
      const { kind, id, former } = item;
      const { reasons, words: found } = judgement;
      await judgement.remember(trx, id);
      const after = reasons.length > 0 ? moved('rule', 'hold', former) : moved('author', 'save', former);
      if (after === 'shown') return after;
      if (former === 'shown') await hold(trx, item, reasons, found);
      else {
        await queries.markPrints(trx, id, 1);
        await changeWithheld(trx, kind, id, {
          words: JSON.stringify(found),
          ...(after === 'held' && reasons.length > 0 ? { reasons: JSON.stringify(reasons) } : {}),
        });
        // A pending article that becomes a draft leaves the queue until it is published again.
        events.emit(trx, { type: 'held-changed' });
      }
      return submitted && after === 'hidden' ? resubmitChanged(trx, id, submitted, judgement) : after;
    },

    async recover(trx: Trx, id: string): Promise<void> {
      const item = (await findWithheld(trx, 'article', [id])).get(id);
      if (!item) return;
      const state = moved('author', 'recover', item.state);
      if (state !== 'shown' && state !== item.state) await changeWithheld(trx, 'article', id, { state });
      events.emit(trx, { type: 'held-changed' });
    },

    hold,
    release,

    withheldAmong: (kind: Written['kind'], ids: readonly string[], handle: Queryable = db.read) =>
      findWithheld(handle, kind, ids),

    /** Deletes fingerprints of texts older than a day, those of withheld items after 30 days. */
    purge: (): Promise<void> =>
      db.write((trx) =>
        queries.deletePrints(trx, now() - REPEAT_PERIOD_MS, now() - WITHHELD_PRINT_RETENTION_MS),
      ),
  };
}

const isSame = (shown: string | null, text: string): boolean =>
  shown !== null && printOf(shown) === printOf(text);

const unjudged = (source: string): Judgement => ({
  [judged]: true,
  reasons: [],
  words: [],
  source: asClean(source, 'staff'),
  mustReview: false,
  remember: () => Promise.resolve(),
});

/** Shorter texts do not count as repeats: 写得真好，谢谢分享。 */
const MIN_REPEAT_CHARACTERS = 12;
/** Age of texts that others may not repeat. */
const REPEAT_PERIOD_MS = DAY_MS;
/** How long the text of a hidden item counts as a repeat when its author posts it again. */
const WITHHELD_PRINT_RETENTION_MS = BOUNDS.trashDays * DAY_MS;

/** Fingerprint of a text, equal for all its disguises; null if the text is too short to count as a repeat. */
function printOf(text: string): string | null {
  const canonical = canonicalise(text).text;
  if (canonical.length < MIN_REPEAT_CHARACTERS) return null;
  return createHash('sha256').update(canonical).digest('hex').slice(0, 32);
}

type Item = Pick<PendingChangesTable, 'kind' | 'id' | 'author_id'>;

/** Changes of approved items that wait for staff. */
function createPendingChanges({
  db,
  events,
  notices,
  now,
}: Pick<AppParts, 'db' | 'events' | 'now' | 'notices'>) {
  /**
   * Stores inside `trx` that the change of an item waits. Refuses with RESUBMIT_UNCHANGED if staff has
   * refused the same change.
   */
  async function submitChange(trx: Trx, item: Item, submitted: object): Promise<void> {
    const { kind, id } = item;
    const fields = JSON.stringify(submitted);
    const former = await findChange(trx, kind, id);
    if (former?.state === 'refused' && former.fields === fields) refuse('RESUBMIT_UNCHANGED');
    const create_time = former?.state === 'held' ? former.create_time : now();
    const reasons = JSON.stringify(['changed']);
    await putChange(trx, { ...item, state: 'held', reasons, note: '', fields, create_time });
    events.emit(trx, { type: 'held-changed' });
    if (former?.state === 'held') return;
    await notices.notify(trx, {
      kind: 'held',
      title: `批准后有改动：${(await nameItem(trx, kind, id)) ?? ''}`,
      text: '改动通过之前，读者看到的是批准过的内容',
      path: '/admin/held',
      uniqueKey: `changed:${id}:${create_time}`,
    });
  }

  async function dropChange(trx: Trx, kind: Item['kind'], id: string): Promise<void> {
    if (await deleteChange(trx, kind, id)) events.emit(trx, { type: 'held-changed' });
  }

  return {
    submitChange,

    /**
     * Changes inside `trx` what waits for staff, or drops it if `amend` returns null. Returns whether a
     * change of the item waited.
     */
    async amendChange<T extends object>(
      trx: Trx,
      item: Item,
      amend: (fields: T) => T | null,
    ): Promise<boolean> {
      const former = await findChange(trx, item.kind, item.id);
      if (former?.state !== 'held') return false;
      const amended = amend(JSON.parse(former.fields) as T);
      if (amended) await submitChange(trx, item, amended);
      else await dropChange(trx, item.kind, item.id);
      return true;
    },

    /** The changes of `ids` that wait for staff or were refused, by id. */
    changesAmong: (kind: PendingChangesTable['kind'], ids: readonly string[]) =>
      findChanges(db.read, kind, ids),

    dropChange,
  };
}
