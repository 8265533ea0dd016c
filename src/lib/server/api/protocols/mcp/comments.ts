import type { Comment } from '../../../../contract/entities.ts';
import type { Ask } from '../ask.ts';

export const COMMENT_CHOICES = ['unanswered', 'unread', 'all'] as const;
type CommentChoice = (typeof COMMENT_CHOICES)[number];

/** Comments that are looked through, newest first. */
const PAGE_SIZE = 100;

/** The newest comments addressed to the caller, with whether the caller has answered them. */
export async function listReceived(ask: Ask, choice: CommentChoice) {
  const { result: received, total } = await ask('userComments', { type: 'to_user', pageSize: PAGE_SIZE });
  const { result: own } = await ask('userComments', { type: 'create_user', pageSize: PAGE_SIZE });
  const all = received.map((comment) => ({
    comment,
    isAnswered: own.some((answer) => answers(answer, comment)),
  }));
  const chosen = all.filter(
    ({ comment, isAnswered }) => choice === 'all' || (choice === 'unread' ? !comment.is_read : !isAnswered),
  );
  return {
    comments: chosen.map(({ comment, isAnswered }) => ({
      comment_id: comment._id,
      article_id: comment.page_id,
      article_title: comment.page_title,
      from: comment.create_user,
      time: comment.create_time,
      content: comment.content,
      ...(comment.reply_content === '' ? {} : { quotes: comment.reply_content }),
      is_read: comment.is_read,
      is_answered: isAnswered,
    })),
    looked_through: received.length,
    total,
  };
}

/** Comments do not name the comment that they quote by its id. */
const answers = (answer: Comment, comment: Comment): boolean =>
  answer.page_id === comment.page_id &&
  answer.reply_user === comment.create_user &&
  answer.reply_content === comment.content &&
  answer.create_time >= comment.create_time;
