import { refuse } from '../../contract/rules/errors.ts';
import type { ModerationState } from '../../contract/moderation-moves.ts';
import type { Trx } from '../db/database.ts';
import type { CleanText } from '../shared/clean-text.ts';
import { addressed, seeing } from './addressees.ts';
import * as queries from './comment-queries.ts';
import { findMentioned, writeMentions } from './mention-queries.ts';
import * as recipients from './recipient-queries.ts';
import type { WithheldComments } from './withheld-comments.ts';
import { updateWithheld } from './withheld-queries.ts';
import type { Uses } from '../services.ts';

interface Parts extends Uses<'notices'> {
  withheld: Pick<WithheldComments, 'hide'>;
  changed(trx: Trx, comment: queries.ChangedComment, recipientIds: string[]): void;
}

interface Rewritten {
  row: queries.CommentRow;
  isShown: boolean;
  content: CleanText;
}

export function createRewrite({ notices, withheld, changed, now }: Parts) {
  /**
   * Replaces the text of a comment inside `trx`. Recipients and read marks stay; newly mentioned users are
   * notified once they see it. `settle` returns the state of the comment with its new text. Refuses with
   * COMMENT_NOT_FOUND.
   */
  return async function rewrite(
    trx: Trx,
    { row, isShown, content }: Rewritten,
    settle: () => Promise<ModerationState>,
  ): Promise<void> {
    const { id, author_id } = row;
    const article =
      (await queries.findCommented(trx, row.article_id, { id: author_id })) ?? refuse('COMMENT_NOT_FOUND');
    const mentioned = await findMentioned(trx, article, content);
    const ids = mentioned.map(([user]) => user).filter((user) => user !== author_id);
    const edited = { content, edit_time: now(), mentions: writeMentions(mentioned) };
    const state = await settle();
    if (!isShown) return updateWithheld(trx, id, edited, ids);
    await queries.updateComment(trx, id, edited);
    const told = (await recipients.readMarks(trx, [id])).get(id);
    const added = ids.filter((user) => !told?.has(user));
    await queries.addRecipients(trx, row, added);
    if (state !== 'shown') return withheld.hide(trx, id);
    await notices.notify(trx, addressed(article, row, added));
    changed(trx, row, seeing(article, added));
  };
}
