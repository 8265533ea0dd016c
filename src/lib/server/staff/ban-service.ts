import { refuse } from '../../contract/rules/errors.ts';
import { isStaff, may } from '../../contract/rules/permissions.ts';
import type { Viewer } from '../auth/auth-service.ts';
import { HIDDEN_BY_BAN, isBanned, PERMANENT_BAN_TIME } from '../shared/ban-text.ts';
import type { Trx } from '../db/database.ts';
import type { NotificationData } from '../notifications/notification-service.ts';
import * as queries from './ban-queries.ts';
import { findMember, type Member } from './role-queries.ts';
import type { Uses } from '../services.ts';

export type BanService = ReturnType<typeof createBanService>;

export interface BanOrder {
  username: string;
  /** Milliseconds since the epoch; null bans for good. */
  until: number | null;
  reason: string;
  hides: boolean;
}

/** Batch size: other writes can run between batches. */
const BATCH_SIZE = 20;

/** Bans: a banned account can neither sign in nor write, until the time stored in its row. */
export function createBanService(parts: Uses<'auth' | 'takedowns' | 'notices'>) {
  const { db, events, auth, takedowns, notices, audit, now } = parts;
  const profileChanged = (trx: Trx, { id: userId, username }: Pick<Member, 'id' | 'username'>) =>
    events.emit(trx, { type: 'profile-hidden', username, userId });

  /** Allows the actor to ban authors, and the operator also editors. No one can ban an operator. */
  function requireRight(member: Member, actor: Viewer | null): void {
    if (member.role === 'operator') refuse('NOT_ALLOWED', { text: '站长不能被封禁，请先把身份改为作者' });
    const mayBanStaff = actor === null || may(actor.role, 'users.role');
    if (isStaff(member.role) && !mayBanStaff) refuse('NOT_ALLOWED', { text: '只有站长可以封禁站务' });
    if (member.id === actor?.id) refuse('NOT_ALLOWED', { text: '不能封禁自己' });
  }

  async function change(order: BanOrder | { username: string; end: true }, actor: Viewer | null) {
    return db.write(async (trx) => {
      const member = (await findMember(trx, order.username.trim())) ?? refuse('USER_NOT_FOUND');
      requireRight(member, actor);
      const before = await queries.findBan(trx, member.id);
      const isEnd = 'end' in order;
      const ban = isEnd
        ? { until: null, reason: '', hides: before?.hides === 1 }
        : {
            until: order.until ?? PERMANENT_BAN_TIME,
            reason: order.reason,
            hides: order.hides || before?.hides === 1,
          };
      await queries.updateBan(trx, member.id, ban);
      if (ban.hides !== (before?.hides === 1)) profileChanged(trx, member);
      if (!isEnd) await auth.endSigninsOf(trx, member.id);
      await audit.write(trx, {
        actorId: actor?.id ?? null,
        action: isEnd ? 'user.unban' : 'user.ban',
        subject: { kind: 'user', id: member.id },
        before: { username: member.username, until: before?.until ?? null, reason: before?.reason ?? '' },
        after: { until: ban.until, reason: ban.reason, hides: ban.hides },
      });
      if (!isEnd) {
        const hidden = order.hides ? await queries.countShownOf(trx, member.id) : {};
        await notify(trx, member.id, {
          result: 'banned',
          reason: order.reason,
          until: order.until,
          ...hidden,
        });
      } else if (before && (before.hides === 1 || isBanned({ bannedUntil: before.until }, now())))
        await notify(trx, member.id, { result: 'unbanned', reason: '', restores: ban.hides });
      return member;
    });
  }

  /** Notifies an account once of its ban or the end of it, whatever that hides or restores. */
  const notify = (trx: Trx, userId: string, facts: Omit<NotificationData, 'text' | 'path'>): Promise<void> =>
    notices.notify(trx, {
      kind: 'moderation',
      userId,
      subject: { kind: 'user', id: userId },
      data: { text: '', path: '/', ...facts },
    });

  async function inTurns(
    kind: 'article' | 'comment',
    action: 'hide' | 'restore',
    find: () => Promise<string[]>,
    actorId: string | null,
  ): Promise<void> {
    for (;;) {
      const ids = await find();
      const note = action === 'hide' ? HIDDEN_BY_BAN : '';
      const decision = { ids, action, note, isByBan: true };
      if (ids.length === 0 || (await takedowns.decide(kind, decision, actorId)).length === 0) return;
    }
  }

  async function hideContent(id: string, actorId: string | null): Promise<void> {
    await inTurns('article', 'hide', () => queries.listPublicOf(db.read, id, BATCH_SIZE), actorId);
    await inTurns('comment', 'hide', () => queries.listShownOf(db.read, id, BATCH_SIZE), actorId);
  }

  async function showContent(id: string, actorId: string | null): Promise<void> {
    const articles = () => queries.listHiddenArticles(db.read, id, BATCH_SIZE);
    const comments = () => queries.listHiddenComments(db.read, id, BATCH_SIZE);
    await inTurns('article', 'restore', articles, actorId);
    await inTurns('comment', 'restore', comments, actorId);
    await db.write(async (trx) => {
      const ban = await queries.findBan(trx, id);
      if (ban?.hides !== 1) return;
      await queries.updateBan(trx, id, { ...ban, hides: false });
      // `change` has notified of a ban that staff ended.
      if (ban.until !== null) await notify(trx, id, { result: 'unbanned', reason: '', restores: true });
      profileChanged(trx, { id, username: ban.username });
    });
  }

  return {
    /**
     * Bans an account: all its sign-ins end, on every node, and it cannot sign in until the ban ends. `actor`
     * is null on the command line. Refuses with USER_NOT_FOUND; with NOT_ALLOWED for the actor's own account,
     * for operators, and for staff if the actor is an editor.
     * @returns the name as stored
     */
    async ban(order: BanOrder, actor: Viewer | null): Promise<string> {
      if (order.until !== null && order.until <= now())
        refuse('FIELD_INVALID', { text: '封禁的结束时间已经过去', field: 'until' });
      const { id, username } = await change(order, actor);
      if (order.hides) await hideContent(id, actor?.id ?? null);
      return username;
    },
    /** Ends a ban at once and shows what it has hidden. Refuses as `ban`. */
    async unban(username: string, actor: Viewer | null): Promise<string> {
      const member = await change({ username, end: true }, actor);
      await showContent(member.id, actor?.id ?? null);
      return member.username;
    },
    /** Shows what expired bans have hidden. The users can sign in before this runs. */
    async showAfterBans(isStopping: () => boolean): Promise<void> {
      for (const id of await queries.listOver(db.read, now())) {
        if (isStopping()) return;
        await showContent(id, null);
      }
    },
  };
}
