import type { Trx } from '../db/database.ts';
import type { CommentRole } from './payload.ts';

/** What has happened, for whoever wants to hear of it outside of the site. */
export type NoticeEvent =
  /** Everybody may see it, or it was approved just now; each addressee once. */
  | { kind: 'comment'; commentId: string; addressees: readonly { userId: string; as: CommentRole }[] }
  /** What staff has done with something of a user's. */
  | (PlainText & { kind: 'moderation'; userId: string })
  /** Something for staff to look at. */
  | (PlainText & { kind: 'report' | 'held' })
  | { kind: 'signup'; username: string; path: string };

interface PlainText {
  title: string;
  text: string;
  /** Path of the page it is about. */
  path: string;
  uniqueKey?: string;
}

/** Tells of what happens outside of the site, in the transaction of what happens. */
export interface Teller {
  tell(trx: Trx, event: NoticeEvent): Promise<void>;
  /**
   * Takes back what was to be told of a comment that readers see no more, and is not being sent: told once
   * more, when it is back, it is told.
   */
  withdraw(trx: Trx, commentId: string, userIds: readonly string[]): Promise<void>;
}
