import type { Comment } from '../../contract/entities.ts';
import { quoteOf } from '../../shared/comment-quote.ts';
import type { Reader } from '../db/visibility.ts';
import { toInstant } from '../shared/ids.ts';
import type { CommentRow } from './comment-queries.ts';
import { readMentions } from './mention-queries.ts';

export type Parties = Pick<CommentRow, 'id' | 'author_id' | 'to_user_id' | 'reply_user_id' | 'mentions'>;

export interface ListedComment {
  comment: Comment;
  parties: Parties;
}

/**
 * Recipients see their own mark, the comment's author sees the mark of the user addressed, others see none.
 */
export function isRead(row: Parties, marks: Map<string, boolean> | undefined, viewer: Reader | null) {
  if (!viewer) return false;
  const own = marks?.get(viewer.id);
  if (own !== undefined) return own;
  if (row.author_id !== viewer.id) return false;
  return marks?.get(row.reply_user_id ?? row.to_user_id) ?? marks?.get(row.to_user_id) ?? false;
}

export const isParty = (
  { author_id, to_user_id, reply_user_id, mentions }: Parties,
  { id }: Reader,
): boolean =>
  author_id === id ||
  to_user_id === id ||
  reply_user_id === id ||
  (mentions !== '' && readMentions(mentions).some(([mentioned]) => mentioned === id));

export function listed(row: CommentRow, extras: Pick<Comment, 'position' | 'html'> = {}): ListedComment {
  const { id, author_id, to_user_id, reply_user_id, mentions } = row;
  return {
    comment: { ...toComment(row, false), ...extras },
    parties: { id, author_id, to_user_id, reply_user_id, mentions },
  };
}

export function toComment(row: CommentRow, is_read: boolean): Comment {
  const quote = quoteOf(row.quote ?? '');
  return {
    _id: row.id,
    content: row.content,
    create_user: row.author,
    ...(row.author_name === '' ? {} : { author_name: row.author_name }),
    ...(row.reply_name ? { reply_name: row.reply_name } : {}),
    to_user: row.to_user,
    page_id: row.article_id,
    page_title: row.title,
    create_time: toInstant(row.create_time),
    is_read,
    reply_user: row.reply_user ?? '',
    reply_content: row.quote ?? '',
    ...(quote === (row.quote ?? '') ? {} : { reply_quote: quote }),
    ...(row.reply_comment_id !== null && row.quote === null ? { reply_gone: true } : {}),
    ...(row.reply_comment_id !== null && row.quote !== null && row.reply_comment_id !== row.id
      ? { reply_id: row.reply_comment_id }
      : {}),
    ...(row.mentions === '' ? {} : { mentions: readMentions(row.mentions).map(([, name]) => name) }),
    ...(row.edit_time === null ? {} : { edit_time: toInstant(row.edit_time) }),
  };
}

export const extraOf = (html = '') => (html === '' ? {} : { html });
