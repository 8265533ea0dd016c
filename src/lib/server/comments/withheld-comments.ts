import type { Comment } from '../../contract/entities.ts';
import { changeNote, withheldNote, type WithheldState } from '../../contract/rules/moderation.ts';
import type { Queryable, Trx } from '../db/database.ts';
import type { Reader } from '../db/visibility.ts';
import type { ChangedComment, CommentRow } from './comment-queries.ts';
import { addressed, seeing } from './addressees.ts';
import { listUnreadRecipients, readMarks } from './recipient-queries.ts';
import * as queries from './withheld-queries.ts';
import type { Uses } from '../services.ts';
import { idsIn } from '../shared/ids.ts';

interface Parts extends Uses<'moderation' | 'notices'> {
  present(rows: CommentRow[], viewer: Reader): Promise<Comment[]>;
  changed(trx: Trx, comment: ChangedComment, recipientIds: string[]): void;
}

export type WithheldComments = ReturnType<typeof createWithheldComments>;

/** Comments that only their author sees: pending, hidden or deleted by staff. */
export function createWithheldComments({ db, moderation, notices, present, changed }: Parts) {
  return {
    /**
     * The viewer's comments that readers do not see, newest first, with reasons; of one article if
     * `articleId` is set.
     */
    async of(viewer: Reader, articleId: string | null): Promise<Comment[]> {
      const rows = await queries.listWithheld(db.read, viewer, articleId);
      if (rows.length === 0) return [];
      const items = await moderation.withheldAmong('comment', idsIn(rows));
      return (await present(rows, viewer)).map((comment) => {
        const item = items.get(comment._id);
        const state = item?.state ?? 'held';
        const isRefused = item !== undefined && item.reasons !== '[]';
        return { ...comment, state, note: withheldNote(state, item?.note, isRefused) };
      });
    },

    /** Adds to comments of their author the changes that readers do not see, with their state. */
    async withChanges(comments: Comment[]): Promise<Comment[]> {
      const changes = await moderation.changesAmong(
        'comment',
        comments.map(({ _id }) => _id),
      );
      return comments.map((comment) => {
        const change = changes.get(comment._id);
        if (!change) return comment;
        const { content } = JSON.parse(change.fields) as { content: string };
        return { ...comment, note: changeNote(change.state, change.note), pending_content: content };
      });
    },

    stateOf: async (trx: Trx, id: string): Promise<WithheldState> =>
      (await moderation.withheldAmong('comment', [id], trx)).get(id)?.state ?? 'held',

    /** Hides a comment from readers inside `trx`, if they see it. */
    async hide(trx: Trx, id: string): Promise<void> {
      const row = await queries.findAnywhere(trx, id);
      if (!row) return;
      const counting = await listUnreadRecipients(trx, id);
      const addressees = (await readMarks(trx, [id])).get(id)?.keys() ?? [];
      await notices.withdraw(trx, id, [...addressees]);
      await queries.hideComment(trx, id);
      changed(trx, row, counting);
    },

    /** Shows a withheld comment again inside `trx` and notifies its recipients. */
    async unhide(trx: Trx, id: string): Promise<void> {
      const addressees = await queries.unhideComment(trx, id);
      const row = addressees && (await queries.findAnywhere(trx, id));
      if (!row) return;
      const article = { author_id: row.to_user_id, is_shown: row.is_shown };
      changed(trx, row, seeing(article, addressees));
      await notices.notify(trx, addressed(article, row, addressees, 'comment.approved'));
    },

    async remove(trx: Trx, id: string): Promise<void> {
      await queries.deleteWithheldComment(trx, id);
      await moderation.release(trx, 'comment', id);
    },

    anyOf: (ids: readonly string[], handle: Queryable = db.read) => queries.listAny(handle, ids),
  };
}
