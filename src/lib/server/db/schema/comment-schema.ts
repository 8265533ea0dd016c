import type { CleanColumn } from './clean-columns.ts';

export interface CommentSchema {
  comments: CommentsTable;
  comment_recipients: CommentRecipientsTable;
  /**
   * Pending and hidden comments. No list of `comments` can show them, because this table is separate.
   * `recipients` is JSON: `[userId, 0 | 1][]`, with whether each recipient has read the comment.
   */
  withheld_comments: CommentsTable & { recipients: string };
  /**
   * Comments per past day, which staff/overview-service.ts adds once the day is over; triggers keep the
   * numbers true. Days since 1970-01-01, UTC.
   */
  comment_days: {
    day: number;
    comment_num: number;
  };
  /**
   * Comments that a user has written or received and does not see, because of the state of the article.
   * Triggers keep the rows true, so totals need no join.
   */
  invisible_comments: {
    user_id: string;
    comment_id: string;
    article_id: string;
    /** 1 for the comment's author, 0 for a recipient. */
    is_written: 0 | 1;
  };
}

export interface CommentsTable {
  id: string;
  article_id: string;
  author_id: string;
  content: CleanColumn;
  reply_user_id: string | null;
  /**
   * The quoted comment, under the same article and by `reply_user_id`; it may be deleted, pending or hidden.
   */
  reply_comment_id: string | null;
  create_time: number;
  /** Chosen by the client; unique per author, so a repeated call creates one comment. */
  request_id: string | null;
  /** Time of the author's last edit, or null. */
  edit_time: number | null;
  /** A JSON list of `[id, name]`, or '' for no mentions (comments/mention-queries.ts). */
  mentions: string;
}

/**
 * Recipients of a comment: the article's author and the replied-to user, but not the comment's own author.
 */
export interface CommentRecipientsTable {
  user_id: string;
  comment_id: string;
  create_time: number;
  is_read: 0 | 1;
}
