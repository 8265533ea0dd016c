import { EditedArticle } from '../../../contract/article-fields.ts';
import type { CallInput } from '../../../contract/calls/calls.ts';
import { FIELD_NAMES, isSameValue, valueOf, type Authored } from '../../../contract/rules/authored-fields.ts';
import { isRefusal, refuse } from '../../../contract/rules/errors.ts';
import { articleUrl } from '../../../shared/urls.ts';
import { commentText } from '../../../markdown/comment.ts';
import type { Trx } from '../../db/database.ts';
import { usernameOf } from '../../db/lists.ts';
import type { PendingChangesTable } from '../../db/schema/moderation-schema.ts';
import { newId, toInstant } from '../../shared/ids.ts';
import * as queries from './change-queries.ts';
import { findVersion, requireVersion } from './version-queries.ts';
import { decideEach } from './read-decisions.ts';
import { attributesIn, attributesOf, findArticleText, insertDecision, NO_TEXT } from './decision-queries.ts';
import type { Uses } from '../../services.ts';

/** The fields that an author submitted; a comment has only `content`. */
type Changed = Partial<Authored> & Pick<Authored, 'content'>;

export type ChangeService = ReturnType<typeof createChangeService>;
const EXCERPT_CHARACTERS = 200;

type Decision = Pick<CallInput<'changeDecide'>, 'action' | 'note'> & {
  version: string;
  /** Start of the bulk action that it belongs to, in milliseconds. */
  bulk: number | undefined;
};

function refuseGone(): never {
  refuse('VERSION_CHANGED', { text: '改动已经有人处理过，或被作者撤回了' });
}

/** Decisions of staff on changes of approved articles and comments. */
export function createChangeService(parts: Uses<'articles' | 'comments' | 'notices'>) {
  const { db, events, audit, articles, comments, notices, now } = parts;
  /**
   * Records a decision inside `trx`, which applies it. Refuses with VERSION_CHANGED unless the item and its
   * change are those that staff has read, and `change` is that change.
   */
  async function settle(trx: Trx, change: PendingChangesTable, decision: Decision, actorId: string) {
    const { kind, id, author_id } = change;
    const { action, note, version, bulk } = decision;
    const current = await queries.findChange(trx, kind, id);
    if (current?.state !== 'held') refuseGone();
    requireVersion((await findVersion(trx, kind, id)) ?? refuseGone(), version);
    if (current.fields !== change.fields) refuse('VERSION_CHANGED');
    const isApproved = action === 'approve';
    const fields = JSON.parse(change.fields) as Changed;
    const { title = '', content } = fields;
    if (isApproved) await queries.deleteChange(trx, kind, id);
    else await queries.putChange(trx, { ...change, state: 'refused', note });
    // The approved text is what later changes are compared with.
    const former = isApproved && kind === 'article' ? await findArticleText(trx, id) : null;
    const attributes = former ? attributesOf({ ...attributesIn(former), ...fields }) : '';
    const text = isApproved ? { title, content, attributes } : NO_TEXT;
    const state = isApproved ? ('shown' as const) : ('hidden' as const);
    const decided = { kind, item_id: id, state, reasons: change.reasons, note, actor_id: actorId };
    await insertDecision(trx, { id: newId(), ...decided, create_time: now(), ...text });
    await audit.write(trx, {
      actorId,
      action: isApproved ? `${kind}.approve_change` : `${kind}.refuse_change`,
      subject: { kind, id },
      before: {
        author: await usernameOf(trx, author_id),
        text: title === '' ? content.slice(0, EXCERPT_CHARACTERS) : title,
      },
      after: note === '' ? {} : { note },
    });
    events.emit(trx, { type: 'held-changed' });
    await notices.notify(trx, {
      kind: 'moderation',
      userId: author_id,
      subject: { kind, id },
      data: {
        result: isApproved ? 'change_approved' : 'change_refused',
        text: kind === 'article' ? title : commentText(content).slice(0, EXCERPT_CHARACTERS),
        reason: note,
        path: kind === 'article' ? articleUrl(id) : '/comment/list?tab=sent',
      },
      bulk,
    });
  }

  async function approveArticle(change: PendingChangesTable, decision: Decision, actorId: string) {
    const { id, author_id } = change;
    const base = await queries.findBase(db.read, id);
    if (!base) refuse('ARTICLE_NOT_FOUND');
    // Recorded when it was submitted.
    const author = { id: author_id, username: base.username, signinId: '', origin: null, isUnlimited: true };
    const parsed = EditedArticle.safeParse({ ...(JSON.parse(change.fields) as object), id });
    if (!parsed.success) return refuse('FIELD_INVALID', { text: parsed.error.issues[0]?.message ?? '' });
    // The revision is published with the change, unless its author has typed on.
    const revised = await queries.findRevised(db.read, id);
    const isSubmitted = revised !== null && isAsSubmitted(revised, parsed.data);
    const seen = {
      update_time: toInstant(base.update_time),
      ...(isSubmitted && base.revision_time !== null ? { revision_time: toInstant(base.revision_time) } : {}),
    };
    const update_time = Math.max(now(), base.update_time + 1);
    await articles.edit({ ...parsed.data, ...seen }, author, { update_time }, async (trx) => {
      await settle(trx, change, decision, actorId);
      if (!isSubmitted) await queries.rebaseRevision(trx, id, base.update_time, update_time);
      if (base.revision_time !== null) await queries.rebaseFile(trx, id, base.revision_time, update_time);
    });
  }

  async function decideOne(
    kind: PendingChangesTable['kind'],
    id: string,
    decision: Decision,
    actorId: string,
  ): Promise<void> {
    const change = await queries.findChange(db.read, kind, id);
    if (change?.state !== 'held') return refuseGone();
    if (decision.action === 'refuse') return db.write((trx) => settle(trx, change, decision, actorId));
    if (kind === 'article') return approveArticle(change, decision, actorId);
    await db.write(async (trx) => {
      const { content } = JSON.parse(change.fields) as { content: string };
      await settle(trx, change, decision, actorId);
      await comments.applyChange(trx, id, content);
    });
  }

  return {
    /** Decides changes that staff has read and notifies their authors; refuses as `decideEach`. */
    async decide({ kind, action, note, ...items }: CallInput<'changeDecide'>, actorId: string) {
      const bulk = items.ids.length > 1 ? now() : undefined;
      const { done, changed } = await decideEach(items, async (id, version) => {
        try {
          await decideOne(kind, id, { action, note, version, bulk }, actorId);
        } catch (error) {
          // Its author has saved or removed it meanwhile.
          if (isRefusal(error, 'ARTICLE_CHANGED')) return refuse('VERSION_CHANGED');
          if (isRefusal(error, 'ARTICLE_NOT_FOUND')) return refuseGone();
          throw error;
        }
        return true;
      });
      return { done: [...done.keys()], changed };
    },
  };
}

/** Whether a revision still has the submitted fields; an absent one was to stay unchanged. */
const isAsSubmitted = (revised: Authored, submitted: Partial<Authored>): boolean =>
  FIELD_NAMES.every(
    (name) => submitted[name] === undefined || isSameValue(valueOf(revised, name), valueOf(submitted, name)),
  );
