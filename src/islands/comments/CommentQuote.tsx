import { userUrl } from '../../lib/shared/urls.ts';
import type { Comment } from '../../lib/contract/entities.ts';

interface Props {
  comment: Pick<Comment, 'reply_user' | 'reply_name' | 'reply_content' | 'reply_quote' | 'reply_gone'>;
  /** Classes of the quoted text. */
  className?: string;
}

/** The comment that a reply answers; nothing if it is not a reply. */
export function CommentQuote({ comment, className = '' }: Props) {
  const { reply_user, reply_name, reply_content, reply_quote = reply_content, reply_gone } = comment;
  if (reply_user === '') return null;
  return (
    <blockquote className="comment-quote">
      <p>
        回复{' '}
        <a
          href={userUrl(reply_user)}
          className="quiet-link"
          title={reply_name === undefined ? undefined : `@${reply_user}`}
        >
          <bdi>{reply_name ?? reply_user}</bdi>
        </a>
      </p>
      {reply_quote !== '' && (
        <p className={`line-clamp-3 ${className}`} dir="auto">
          {reply_quote}
        </p>
      )}
      {reply_gone && <p>原评论已删除</p>}
    </blockquote>
  );
}
