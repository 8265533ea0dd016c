import { memo, type ReactNode } from 'react';
import { answerButtonId, changeButtonId, commentId } from '../../lib/shared/ids.ts';
import { commentLink } from '../../lib/shared/urls.ts';
import type { Comment } from '../../lib/contract/entities.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { copyText } from '../../lib/stores/copy-text.ts';
import { CommentName } from './CommentName.tsx';
import { CommentQuote } from './CommentQuote.tsx';
import { FoldedText } from '../ui/FoldedText.tsx';
import { Time } from '../ui/Time.tsx';

export type ShownComment = Pick<
  Comment,
  | '_id'
  | 'content'
  | 'html'
  | 'create_user'
  | 'author_name'
  | 'create_time'
  | 'edit_time'
  | 'reply_user'
  | 'reply_name'
  | 'reply_content'
  | 'reply_quote'
  | 'reply_gone'
  | 'reply_id'
  | 'note'
>;

interface Props {
  articleId: string;
  comment: ShownComment;
  /** File of the author's picture, see Avatar. */
  avatar: string | undefined;
  timeZone: string;
  isByAuthor: boolean;
  isOwn: boolean;
  isMarked: boolean;
  /** Whether it is shown as an answer to a comment above. */
  isBelow: boolean;
  hidesQuote: boolean;
  onReply: ((comment: ShownComment) => void) | null;
  onChange: ((comment: ShownComment) => void) | null;
  onRemove: ((comment: ShownComment) => void) | null;
  /** Whether the thread has loaded. Until then there is no button that copies the comment's URL. */
  isLoaded: boolean;
  isAnswered: boolean;
  children?: ReactNode;
}

export const CommentItem = memo(function CommentItem({ comment, ...rest }: Props) {
  const { avatar, timeZone, isByAuthor, isMarked, isLoaded, onReply, onChange, onRemove, children } = rest;
  const { articleId, isAnswered, isOwn, isBelow, hidesQuote } = rest;
  return (
    <li
      id={commentId(comment._id)}
      tabIndex={-1}
      className={`comment target:comment-marked ${isMarked ? 'comment-marked' : ''} ${isBelow ? 'ml-6 sm:ml-12' : ''}`}
      aria-current={isMarked || undefined}
    >
      <div className="mt-1 flex self-start">
        <Avatar username={comment.create_user} file={avatar} size={36} />
      </div>
      <div>
        <p className="flex flex-wrap items-baseline gap-x-2 leading-relaxed">
          <CommentName comment={comment} />
          {isByAuthor && <span className="badge">作者</span>}
          {comment.note && <span className="badge">{comment.note}</span>}
        </p>
        {!hidesQuote && <CommentQuote comment={comment} />}
        <FoldedText text={comment.content} html={comment.html} />
        <p className="comment-foot">
          <span>
            <a href={commentLink(articleId, comment._id)} className="quiet-link" rel="nofollow">
              <Time iso={comment.create_time} timeZone={timeZone} />
            </a>
            {comment.edit_time !== undefined && ' · 已编辑'}
          </span>
          {onReply && (
            <button
              id={answerButtonId(comment._id)}
              type="button"
              className="action mx--2"
              aria-expanded={isAnswered}
              aria-label={`回复 ${comment.create_user} 的评论`}
              onClick={() => onReply(comment)}
            >
              回复
            </button>
          )}
          {onChange && (
            <button
              id={changeButtonId(comment._id)}
              type="button"
              className="action mx--2"
              aria-label={`修改 ${comment.create_user} 的评论`}
              onClick={() => onChange(comment)}
            >
              修改
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
          {isLoaded && (
            <button
              type="button"
              className="action mx--2"
              aria-label={`复制 ${comment.create_user} 的评论的链接`}
              onClick={() => void copyLink(articleId, comment._id)}
            >
              链接
            </button>
          )}
          {/* Readers who may remove a comment need not report it. */}
          {!onRemove && !isOwn && (
            <a
              href={`/report?kind=comment&id=${comment._id}&in=${articleId}`}
              className="action mx--2"
              rel="nofollow"
              aria-label={`举报 ${comment.create_user} 的评论`}
            >
              举报
            </a>
          )}
        </p>
        {children}
      </div>
    </li>
  );
});

const copyLink = (articleId: string, id: string): Promise<void> =>
  copyText(
    location.origin + commentLink(articleId, id),
    '链接已复制',
    '浏览器不允许复制，请从评论的时间上复制链接',
  );
