export interface CommentsTable {
  id: string;
  article_id: string;
  author_id: string;
  content: string;
  reply_user_id: string | null;
  /** The comment it quotes, under the same article and of `reply_user_id`; it may be gone or withheld. */
  reply_comment_id: string | null;
  create_time: number;
  /** Chosen by the client; unique for its author, so that a repeated call creates one comment. */
  request_id: string | null;
  /** When its writer changed it last, or null. */
  edit_time: number | null;
  /** A JSON list of `[id, name]`, or the empty string for nobody (comments/mention-queries.ts). */
  mentions: string;
}

/** Whom a comment is addressed to: article's author and replied-to user, its own author left out. */
export interface CommentRecipientsTable {
  user_id: string;
  comment_id: string;
  create_time: number;
  is_read: 0 | 1;
}

/** Comments that readers do not see: apart from the others, so that no list of those can show them. */
export interface WithheldCommentsTable extends CommentsTable {
  /** Whom it is addressed to, and who has read it, as JSON: `[userId, 0 | 1][]`. */
  recipients: string;
}
