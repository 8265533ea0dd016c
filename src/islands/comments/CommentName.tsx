import { userUrl } from '../../lib/shared/urls.ts';
import type { Comment } from '../../lib/contract/entities.ts';

/** Name of a comment's author; a display name is followed by the username, because it is not unique. */
export const CommentName = ({ comment }: { comment: Pick<Comment, 'create_user' | 'author_name'> }) => (
  <>
    <a
      href={userUrl(comment.create_user)}
      className="quiet-link inline-flex items-center min-w-6 min-h-6 font-600"
    >
      <bdi>{comment.author_name ?? comment.create_user}</bdi>
    </a>
    {comment.author_name && (
      <>
        {' '}
        <bdi className="meta">@{comment.create_user}</bdi>
      </>
    )}
  </>
);
