import { refuse } from '../../contract/rules/errors.ts';
import { isStaff } from '../../contract/rules/permissions.ts';
import type { Viewer } from '../auth/auth-service.ts';
import * as queries from './closing-queries.ts';
import type { Uses } from '../services.ts';

const BATCH_SIZE = 20;
const PICTURE_BATCH_SIZE = 50;

export type ClosingService = ReturnType<typeof createClosingService>;

export function createClosingService(
  parts: Uses<
    | 'indexAuthor'
    | 'auth'
    | 'passkeys'
    | 'accessTokens'
    | 'ownWebhooks'
    | 'recovery'
    | 'users'
    | 'articles'
    | 'revisions'
    | 'trash'
    | 'comments'
    | 'series'
    | 'pictures'
  >,
) {
  const { db, events, auth, articles, trash, comments, series, pictures } = parts;

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

  return {
    /**
     * Closes the viewer's account for good. Private content is always removed; public articles and comments
     * are removed too, or stay under an anonymous name. Can be repeated after an interruption, because the
     * account is closed last. Refuses with PASSWORD_WRONG, TOO_MANY_REQUESTS, STAFF_CANNOT_LEAVE.
     */
    async close(
      viewer: Viewer,
      { password, contents }: { password: string; contents: 'keep' | 'remove' },
      from: { address: string },
    ): Promise<void> {
      await auth.confirm(viewer, password, from);
      if (isStaff(viewer.role)) refuse('STAFF_CANNOT_LEAVE');
      const isKept = contents === 'keep';
      await removeArticles(viewer, isKept);
      await removeRevisions(viewer);
      await removeWithheld(viewer);
      if (!isKept) {
        await removeComments(viewer);
        await removeSeries(viewer);
      }
      const username = parts.users.closedName();
      if (isKept) await parts.indexAuthor(viewer.id, username);
      await db.write(async (trx) => {
        await queries.deletePrivate(trx, viewer.id);
        await parts.users.reserveClosedName(trx, viewer);
        await auth.tickets.drop(trx, viewer.id);
        await auth.twoStep.remove(trx, viewer.id);
        await parts.passkeys.removeAll(trx, viewer.id);
        await parts.accessTokens.removeAll(trx, viewer.id);
        await parts.ownWebhooks.removeAll(trx, viewer.id);
        await parts.recovery.forgetEmail(trx, viewer.id);
        await auth.signins.endAllOf(trx, viewer.id);
        const closed = isKept ? 'kept' : 'removed';
        await queries.closeUser(trx, viewer.id, {
          username,
          closed,
          names: parts.users.onlyNamed(username),
        });
        // The name was shown on any page.
        events.emit(trx, { type: 'anything' });
      });
      await removePictures(viewer);
    },
  };
}
