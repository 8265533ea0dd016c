import { memo } from 'react';
import { commentId } from '../../components/ids.ts';
import { userUrl } from '../../components/urls.ts';
import type { Comment } from '../../lib/contract/entities.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { Time } from '../ui/Time.tsx';

/** Of a comment, what a reader sees. */
export type ShownComment = Pick<
  Comment,
  '_id' | 'content' | 'create_user' | 'create_time' | 'reply_user' | 'reply_content'
>;

interface Props {
  comment: ShownComment;
  /** File of the writer's picture, see Avatar. */
  avatar: string | undefined;
  timeZone: string;
  isByAuthor: boolean;
  /** Pointed at by the page's address. */
  isMarked: boolean;
  onReply: ((comment: ShownComment) => void) | null;
  onRemove: ((comment: ShownComment) => void) | null;
}

/** A comment, with what the reader can do about it. */
export const CommentItem = memo(function CommentItem({ comment, ...rest }: Props) {
  const { avatar, timeZone, isByAuthor, isMarked, onReply, onRemove } = rest;
  return (
    <li
      id={commentId(comment._id)}
      tabIndex={-1}
      className={`comment target:comment-marked ${isMarked ? 'comment-marked' : ''}`}
      aria-current={isMarked || undefined}
    >
      <div className="mt-1 flex self-start">
        <Avatar username={comment.create_user} file={avatar} size={36} />
      </div>
      <div>
        <p className="flex flex-wrap items-baseline gap-x-2 leading-relaxed">
          <a href={userUrl(comment.create_user)} className="quiet-link font-600">
            <bdi>{comment.create_user}</bdi>
          </a>
          {isByAuthor && <span className="badge">作者</span>}
        </p>
        {comment.reply_user !== '' && (
          <blockquote className="comment-quote">
            <p>
              回复{' '}
              <a href={userUrl(comment.reply_user)} className="quiet-link">
                <bdi>{comment.reply_user}</bdi>
              </a>
            </p>
            {comment.reply_content !== '' && (
              <p className="line-clamp-3" dir="auto">
                {comment.reply_content}
              </p>
            )}
          </blockquote>
        )}
        <p className="mt-1 whitespace-pre-wrap" dir="auto">
          {comment.content}
        </p>
        <p className="comment-foot">
          <Time iso={comment.create_time} timeZone={timeZone} />
          {onReply && (
            <button
              type="button"
              className="action mx--2"
              aria-label={`回复 ${comment.create_user} 的评论`}
              onClick={() => onReply(comment)}
            >
              回复
            </button>
          )}
          {onRemove && (
            <button
              type="button"
              className="action-danger mx--2"
              aria-label={`删除 ${comment.create_user} 的评论`}
              onClick={() => onRemove(comment)}
            >
              删除
            </button>
          )}
        </p>
      </div>
    </li>
  );
});
