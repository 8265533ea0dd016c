import { randomBytes } from 'node:crypto';
import { CLOSING_DAYS } from '../../contract/rules/closing.ts';
import { refuse } from '../../contract/rules/errors.ts';
import { isStaff } from '../../contract/rules/permissions.ts';
import { DAY_MS } from '../../contract/rules/units.ts';
import { formatMinute } from '../../shared/time.ts';
import type { Proof, Viewer } from '../auth/auth-service.ts';
import { toInstant } from '../shared/ids.ts';
import { hashOf } from '../shared/seal.ts';
import * as queries from './closing-queries.ts';
import type { Uses } from '../services.ts';

const BATCH_SIZE = 20;
const PICTURE_BATCH_SIZE = 50;
const BEGUN = '账号已经开始删除，不能撤销了';

type Contents = 'keep' | 'remove';

/** An author as the actor of the deletions. */
const actorOf = ({ id, username }: { id: string; username: string }): Viewer => ({
  id,
  username,
  signinId: '',
  origin: null,
  isUnlimited: true,
});

export type ClosingService = ReturnType<typeof createClosingService>;

export function createClosingService(
  parts: Uses<
    | 'indexAuthor'
    | 'auth'
    | 'passkeys'
    | 'accessTokens'
    | 'ownWebhooks'
    | 'recovery'
    | 'notifyChange'
    | 'users'
    | 'articles'
    | 'revisions'
    | 'trash'
    | 'comments'
    | 'series'
    | 'pictures'
  > & { origin: string },
) {
  const { db, events, auth, articles, trash, comments, series, pictures, notifyChange, now } = parts;

  const removeArticles = async (viewer: Viewer, isHiddenOnly: boolean): Promise<void> => {
    const next = () => queries.listArticles(db.read, viewer.id, { isHiddenOnly, limit: BATCH_SIZE });
    for (let ids = await next(); ids.length > 0; ids = await next())
      for (const id of ids) await articles.remove(id, viewer);
    await trash.empty(viewer);
  };
  const removeComments = async (viewer: Viewer): Promise<void> => {
    const next = () => queries.listComments(db.read, viewer.id, { table: 'comments', limit: BATCH_SIZE });
    for (let ids = await next(); ids.length > 0; ids = await next())
      for (const id of ids) await comments.remove(id, viewer);
  };
  const removeWithheld = async ({ id: userId }: Viewer): Promise<void> => {
    const asked = { table: 'withheld_comments', limit: BATCH_SIZE } as const;
    const next = () => queries.listComments(db.read, userId, asked);
    for (let ids = await next(); ids.length > 0; ids = await next())
      await db.write(async (trx) => {
        for (const id of ids) await comments.removeWithheld(trx, id);
      });
  };
  const removeSeries = async (viewer: Viewer): Promise<void> => {
    const { result } = await series.list(viewer.id, viewer);
    for (const { _id } of result) await series.remove(_id, viewer);
  };
  const removeRevisions = async (viewer: Viewer): Promise<void> => {
    for (const id of await queries.listRevised(db.read, viewer.id)) await parts.revisions.remove(id, viewer);
  };
  const removePictures = async (viewer: Viewer): Promise<void> => {
    const asked = { state: 'unused' as const, page: 1, pageSize: PICTURE_BATCH_SIZE };
    for (;;) {
      const { result } = await pictures.list(asked, viewer);
      if (result.length === 0) return;
      const names = result.map(({ name }) => name);
      await pictures.remove({ names, from_history: true }, viewer);
    }
  };

  /**
   * Closes an account for good. Private content is always removed; public articles and comments are removed
   * too, or stay under an anonymous name. Can be repeated after an interruption, because the account is
   * closed last. Of several processes, one closes the account and mails its owner.
   */
  async function closeNow(viewer: Viewer, contents: Contents): Promise<void> {
    const isKept = contents === 'keep';
    await removeArticles(viewer, isKept);
    await removeRevisions(viewer);
    await removeWithheld(viewer);
    if (!isKept) {
      await removeComments(viewer);
      await removeSeries(viewer);
    }
    const username = parts.users.closedName();
    if (isKept) await parts.indexAuthor(viewer.id, { username, display_name: '' });
    await db.write(async (trx) => {
      if (!(await queries.markClosed(trx, viewer.id, isKept ? 'kept' : 'removed'))) return;
      // Mailed first: the rest of the transaction erases name and address.
      await notifyChange(trx, viewer.id, 'closed', {
        details: [`${isKept ? '公开的文章和评论留在「已注销」名下' : '文章、评论和专栏也一起删除了'}。`],
      });
      await queries.deletePrivate(trx, viewer.id);
      await parts.users.reserveClosedName(trx, viewer);
      await auth.tickets.drop(trx, viewer.id);
      await auth.twoStep.remove(trx, viewer.id);
      await parts.passkeys.removeAll(trx, viewer.id);
      await parts.accessTokens.removeAll(trx, viewer.id);
      await parts.ownWebhooks.removeAll(trx, viewer.id);
      await parts.recovery.forgetEmail(trx, viewer.id);
      await auth.signins.endAllOf(trx, viewer.id);
      await queries.anonymizeUser(trx, viewer.id, { username, names: parts.users.onlyNamed(username) });
      // The name was shown on any page.
      events.emit(trx, { type: 'anything' });
    });
    await removePictures(viewer);
  }

  /** Closes an account whose closing was scheduled, unless its owner has stopped it. */
  async function closeScheduled(found: { id: string; username: string; contents: Contents }): Promise<void> {
    if (await db.write((trx) => queries.beginClosing(trx, found.id)))
      await closeNow(actorOf(found), found.contents);
  }

  /** Schedules the closing and mails a link that stops it, or closes the account at once. */
  const schedule = (viewer: Viewer, contents: Contents): Promise<void> =>
    db.write(async (trx) => {
      const secret = randomBytes(32).toString('base64url');
      const due_time = now() + CLOSING_DAYS * DAY_MS;
      await queries.insertClosing(trx, { user_id: viewer.id, contents, hash: hashOf(secret), due_time });
      await notifyChange(trx, viewer.id, 'closing', {
        details: [
          `删除时间：${formatMinute(toInstant(due_time), parts.timeZone)}`,
          contents === 'keep' ? '公开的文章和评论会留在「已注销」名下' : '文章、评论和专栏会一起删掉',
        ],
        link: { label: '撤销，或者马上删除', url: `${parts.origin}/closing#${secret}` },
      });
    });

  return {
    /**
     * Closes the viewer's account: at once if it has no verified address or the site sends no mail, otherwise
     * after `CLOSING_DAYS`. Returns whether it is closed. Refuses with PASSWORD_WRONG, TOO_MANY_REQUESTS,
     * STAFF_CANNOT_LEAVE.
     */
    async close(
      viewer: Viewer,
      { password, contents }: Pick<Proof, 'password'> & { contents: Contents },
      from: { address: string },
    ): Promise<boolean> {
      await auth.confirm(viewer, password, from);
      if (isStaff(viewer.role)) refuse('STAFF_CANNOT_LEAVE');
      // The link in the first mail stays valid, whatever happens to the address since.
      if (await db.write((trx) => queries.changeContents(trx, viewer.id, contents))) return false;
      const isMailed = parts.recovery.hasMail && (await parts.recovery.emailOf(viewer.id)) !== null;
      await (isMailed ? schedule(viewer, contents) : closeNow(viewer, contents));
      return !isMailed;
    },
    /** Time at which an account will be closed; null if it stays. */
    async dueTimeOf(userId: string): Promise<string | null> {
      const closing = await queries.findClosing(db.read, userId);
      return closing ? toInstant(closing.due_time) : null;
    },
    /** Keeps an account that was to be closed, and mails its owner. Refuses with LINK_OVER once it begins. */
    stop: (userId: string): Promise<void> =>
      db.write(async (trx) => {
        if (await queries.stopClosing(trx, userId)) await notifyChange(trx, userId, 'closing-stopped');
        else if (await queries.findClosing(trx, userId)) refuse('LINK_OVER', { text: BEGUN });
      }),
    /**
     * Stops a closing by the link in its mail, or carries it out. Refuses with LINK_OVER, STAFF_CANNOT_LEAVE.
     */
    async decide({ token, action }: { token: string; action: 'stop' | 'now' }): Promise<void> {
      const found = (await queries.findClosingByHash(db.read, hashOf(token))) ?? refuse('LINK_OVER');
      if (action === 'stop') return this.stop(found.id);
      if (isStaff(found.role)) refuse('STAFF_CANNOT_LEAVE');
      return closeScheduled(found);
    },
    /** Closes the accounts that are due. */
    async closeDue(isStopping: () => boolean): Promise<void> {
      for (const due of await queries.listDue(db.read, now(), BATCH_SIZE))
        if (!isStopping()) await closeScheduled(due);
    },
  };
}
