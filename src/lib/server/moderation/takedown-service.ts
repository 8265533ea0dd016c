import { commentText } from '../../markdown/comment.ts';
import { articleUrl, commentLink } from '../../shared/urls.ts';
import { BOUNDS } from '../../contract/rules/bounds.ts';
import type { HeldItem } from '../../contract/calls/moderation-calls.ts';
import type { ReadFields, Takedown } from '../../contract/calls/review-calls.ts';
import type { HoldReason } from '../../contract/rules/moderation.ts';
import type { NotificationResult } from '../../contract/rules/notice-kinds.ts';
import { moved, type ModerationState } from '../../contract/moderation-moves.ts';
import type { Viewer } from '../auth/auth-service.ts';
import type { Trx } from '../db/database.ts';
import { moderationOf, type WithheldItemsTable } from '../db/schema/moderation-schema.ts';
import { newId, toInstant } from '../shared/ids.ts';
import type { PageRequest } from '../shared/paging.ts';
import * as decisions from './review/decision-queries.ts';
import {
  findArticles,
  findComments,
  findVersion,
  requireVersion,
  versionsOf,
} from './review/version-queries.ts';
import { decideEach, type ReadItems } from './review/read-decisions.ts';
import { markPrints } from './judge-queries.ts';
import { reasonsOf, toDecision, wordsOf } from './review/review-service.ts';
import * as queries from './withheld-queries.ts';
import { DAY_MS } from '../../contract/rules/units.ts';
import type { Uses } from '../services.ts';

export type TakedownService = ReturnType<typeof createTakedownService>;
type Kind = WithheldItemsTable['kind'];

export interface Decision {
  action: Takedown;
  note: string;
  /** Whether a ban hides the items, or its end restores them; the ban notifies their author once. */
  isByBan?: boolean;
  /** Start of the bulk action that it belongs to, in milliseconds. */
  bulk?: number | undefined;
}

const EXCERPT_CHARACTERS = 200;
/** How long a comment deleted by staff can be restored, like an article in the trash. */
const RETENTION_MS = BOUNDS.trashDays * DAY_MS;
const COMMENT_BATCH_SIZE = 100;

export function createTakedownService(
  parts: Uses<'setModeration' | 'articles' | 'trash' | 'notices' | 'comments'>,
) {
  const { db, events, audit, setModeration, articles, trash, notices, comments, now } = parts;

  /** Reasons of an item in its new state. Undoing a decision makes it pending for the same reasons. */
  async function reasonsFor(trx: Trx, { kind, id, state, former }: Changed): Promise<readonly HoldReason[]> {
    const known = former ? reasonsOf(former) : [];
    if (state !== 'held' || known.length > 0) return known;
    const last = await decisions.findLastDecision(trx, kind, id);
    const undone = last?.state === 'shown' ? reasonsOf(last) : [];
    return undone.length > 0 ? undone : ['staff'];
  }

  async function putState(trx: Trx, item: Changed, { note, isByBan }: Decision, actorId: string | null) {
    const { kind, id, state, former } = item;
    const reasons = await reasonsFor(trx, item);
    const time = now();
    if (state === 'shown') await queries.deleteWithheld(trx, kind, id);
    else {
      const hidden_by_ban = isByBan ? 1 : 0;
      const words = former ? wordsOf(former) : [];
      const stored = { kind, id, state, note, reasons, words, create_time: time, hidden_by_ban } as const;
      await queries.putWithheld(trx, stored);
    }
    await markPrints(trx, id, state === 'shown' ? 0 : 1);
    if (isByBan || (state === 'shown' && former?.hidden_by_ban === 1)) return;
    const text = item.text ?? (await decisions.findArticleText(trx, id));
    await decisions.insertDecision(trx, {
      id: newId(),
      kind,
      item_id: id,
      state,
      reasons: JSON.stringify(reasons),
      note,
      actor_id: actorId,
      create_time: time,
      ...(text ?? decisions.NO_TEXT),
    });
  }

  async function changeComment(trx: Trx, id: string, decision: Decision, actorId: string | null) {
    const row = (await comments.anyOf([id], trx)).get(id);
    if (!row) return null;
    const item = (await queries.findWithheld(trx, 'comment', [id])).get(id);
    const before: ModerationState = item?.state ?? 'shown';
    const after = moved('staff', decision.action, before);
    if (before === after && !isOtherReason(item, decision)) return null;
    if (after === 'shown') await comments.unhide(trx, id);
    else if (before === 'shown') await comments.hide(trx, id);
    const text = { ...decisions.NO_TEXT, content: row.content };
    await putState(trx, { kind: 'comment', id, state: after, former: item, text }, decision, actorId);
    return {
      before,
      after,
      authorId: row.author_id,
      path: after === 'shown' ? commentLink(row.article_id, id) : articleUrl(row.article_id),
      author: row.author,
      text: row.content.slice(0, EXCERPT_CHARACTERS),
    };
  }

  async function changeArticle(trx: Trx, id: string, decision: Decision, actorId: string | null) {
    const row = await queries.findModerated(trx, id);
    if (!row) return null;
    const item = (await queries.findWithheld(trx, 'article', [id])).get(id);
    const before: ModerationState = item?.state ?? 'shown';
    const isTrashed = row.status === 'cancel';
    // An article that its author deleted stays deleted: staff decides whether restoring it makes it public.
    const isDeletedByAuthor = isTrashed && before !== 'deleted';
    if (isDeletedByAuthor && before === 'shown') return null;
    const decided = moved('staff', decision.action, before);
    const after = isDeletedByAuthor && decided === 'deleted' ? 'hidden' : decided;
    if (before === after && !isOtherReason(item, decision)) return null;
    const { author_id, username } = row;
    const owner = { id: author_id, username, signinId: '', origin: null };
    // Its author may have left the staff, and pages need the right to manage them.
    const author: Viewer = { ...owner, isUnlimited: true, role: 'operator' };
    if (before === 'deleted' && after !== 'deleted') await trash.restoreIn(trx, id, author);
    await setModeration(trx, id, moderationOf(after), author);
    await putState(trx, { kind: 'article', id, state: after, former: item }, decision, actorId);
    if (after === 'deleted' && before !== 'deleted') await articles.removeIn(trx, id, author);
    return {
      before,
      after,
      authorId: row.author_id,
      path: after === 'shown' ? articleUrl(id) : '/user/list',
      author: row.username,
      text: row.title,
    };
  }

  /** Refuses as `requireVersion`; returns whether the item exists. */
  async function requireVersionIn(trx: Trx, kind: Kind, id: string, version: string): Promise<boolean> {
    const current = await findVersion(trx, kind, id);
    if (current !== null) requireVersion(current, version);
    return current !== null;
  }

  /** Decides one item inside `trx`; returns false if it already is as decided, or does not exist. */
  async function decideIn(trx: Trx, kind: Kind, id: string, decision: Decision, actorId: string | null) {
    const change = kind === 'comment' ? changeComment : changeArticle;
    const changed = await change(trx, id, decision, actorId);
    if (!changed) return false;
    const { before, after, authorId, path, ...subject } = changed;
    const { action, note, isByBan, bulk } = decision;
    await audit.write(trx, {
      actorId,
      action: `${kind}.${action}`,
      subject: { kind, id },
      before: { state: before, ...subject },
      after: { state: after, ...(note === '' ? {} : { note }) },
    });
    events.emit(trx, { type: 'held-changed' });
    // Notifies no author of pending content, nor of a decision that the author made.
    if (after !== 'held' && !isByBan && authorId !== actorId)
      await notices.notify(trx, {
        kind: 'moderation',
        userId: authorId,
        subject: { kind, id },
        data: {
          result: resultOf(before, after),
          text: kind === 'comment' ? commentText(subject.text) : subject.text,
          reason: note,
          path,
        },
        bulk,
      });
    return true;
  }

  return {
    /**
     * Hides, deletes, restores (which also approves) articles or comments, or makes them pending, each in its
     * own transaction, for bans and the command line: whatever their version is. `actorId` is null on the
     * command line. Returns the ids of those that changed.
     */
    async decide(
      kind: Kind,
      { ids, ...decision }: Decision & { ids: readonly string[] },
      actorId: string | null,
    ) {
      const done: string[] = [];
      const bulk = ids.length > 1 ? now() : undefined;
      for (const id of new Set(ids))
        if (await db.write((trx) => decideIn(trx, kind, id, { ...decision, bulk }, actorId))) done.push(id);
      return done;
    },

    decideIn,
    requireVersionIn,
    /** Versions of rows of a list by id, with the texts that they show. */
    versionsOf: (kind: Kind, rows: Parameters<typeof versionsOf>[2]) => versionsOf(db.read, kind, rows),

    /** Decides as `decide` does what staff has read; refuses as `decideEach`. */
    async decideRead(kind: Kind, { action, note, ...items }: ReadItems & Decision, actorId: string) {
      const bulk = items.ids.length > 1 ? now() : undefined;
      const { done, changed } = await decideEach(items, (id, version) =>
        db.write(async (trx) => {
          if (!(await requireVersionIn(trx, kind, id, version))) return null;
          const isDone = await decideIn(trx, kind, id, { action, note, bulk }, actorId);
          return isDone ? findVersion(trx, kind, id) : null;
        }),
      );
      return { done: [...done.keys()], versions: [...done.values()], changed };
    },

    async listHeld(filter: PageRequest & { kind: queries.HeldFilter }) {
      const { rows: items, total } = await queries.readHeld(db.read, filter);
      const idsOf = (of: Kind) => items.filter((item) => item.kind === of).map(({ id }) => id);
      const ofArticles = await decisions.findLastDecisions(db.read, 'article', idsOf('article'));
      const ofComments = await decisions.findLastDecisions(db.read, 'comment', idsOf('comment'));
      const authors = await queries.listModerated(db.read, idsOf('article'));
      const articles = await findArticles(db.read, idsOf('article'));
      const places = await comments.anyOf(idsOf('comment'));
      const remarks = await findComments(db.read, idsOf('comment'));
      const result = items.flatMap((item): HeldItem[] => {
        const { kind, id } = item;
        const read = (kind === 'article' ? articles : remarks).get(id);
        const isChange = item.is_change === 1;
        // Decided, or withdrawn by its author, since the list was read.
        if (!read || (isChange ? read.change === null : read.state !== 'held')) return [];
        const decided = (kind === 'article' ? ofArticles : ofComments).get(id);
        const common = {
          ...(isChange ? { is_change: true } : {}),
          ...(decided ? { last: toDecision(decided) } : {}),
          kind,
          _id: id,
          reasons: reasonsOf(item),
          create_time: toInstant(item.create_time),
          version: read.version,
          ...(item.words === '[]' ? {} : { words: wordsOf(item) }),
        };
        const { title: name = '', content }: Partial<ReadFields> & Pick<ReadFields, 'content'> =
          (isChange && read.change) || read.fields;
        const place = places.get(id);
        if (place)
          return [
            {
              ...common,
              ...namesOf(place.author, place.author_name),
              title: place.title,
              article_id: place.article_id,
              content,
            },
          ];
        const author = authors.get(id);
        if (!author) return [];
        const excerpt = isChange ? content.slice(0, EXCERPT_CHARACTERS) : read.summary;
        const names = namesOf(author.username, author.display_name);
        return [{ ...common, ...names, title: name, article_id: id, content: excerpt }];
      });
      return { result, total };
    },

    countHeld: (): Promise<number> => queries.countHeld(db.read),

    /** Removes comments for good that staff deleted 30 days ago or earlier. */
    async purgeExpired(): Promise<void> {
      for (;;) {
        const gone = await db.write(async (trx) => {
          const ids = await queries.listDeletedUntil(trx, now() - RETENTION_MS, COMMENT_BATCH_SIZE);
          for (const id of ids) await comments.removeWithheld(trx, id);
          return ids.length;
        });
        if (gone < COMMENT_BATCH_SIZE) return;
      }
    },
  };
}

interface Changed {
  kind: Kind;
  id: string;
  /** The new state. */
  state: ModerationState;
  former: queries.WithheldItem | undefined;
  /** Text of a comment; the text of an article is read after the change. */
  text?: decisions.JudgedFields;
}

const namesOf = (author: string, author_name: string) => ({
  author,
  ...(author_name === '' ? {} : { author_name }),
});

const resultOf = (before: ModerationState, after: Exclude<ModerationState, 'held'>): NotificationResult => {
  if (after === 'shown') return before === 'held' ? 'approved' : 'restored';
  return before === 'held' && after === 'hidden' ? 'refused' : after;
};

/**
 * Whether staff gives another reason for an item's current state. The item is then hidden by staff, so the
 * end of a ban does not restore it.
 */
const isOtherReason = (item: WithheldItemsTable | undefined, { note, isByBan = false }: Decision): boolean =>
  item !== undefined && !isByBan && (item.hidden_by_ban === 1 || (note !== '' && note !== item.note));
