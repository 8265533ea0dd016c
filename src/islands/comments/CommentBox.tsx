import { useEffect, useRef } from 'react';
import { COMMENT_BOX_ID } from '../../lib/shared/ids.ts';
import { commentBoxUrl } from '../../lib/shared/urls.ts';
import type { Comment } from '../../lib/contract/entities.ts';
import { signInUrl } from '../../lib/shared/same-site-path.ts';
import type { CommentDraft } from '../../lib/stores/comments/comment-draft.ts';
import { addTo, CommentForm, type BoxHandle, type Writing } from './CommentForm.tsx';

interface Props {
  articleId: string;
  /** Path of the article. */
  path: string;
  /** The draft of the signed-in reader; null for visitors. */
  draft: CommentDraft | null;
  username: string | null;
  onPublished: (comment: Comment) => void;
}

/** Comment form, or a link to the sign-in page. Until the session is known, CSS chooses (chrome.css). */
export function CommentBox({ draft, username, articleId, path, onPublished }: Props) {
  if (draft !== null && username !== null)
    return <Box key={username} {...{ draft, username, articleId, onPublished }} />;
  return (
    <div id={COMMENT_BOX_ID} className="comment-box">
      <p className="comment-wall" data-for="visitor">
        <span>
          <a href={signInUrl(commentBoxUrl(path))} className="inline-flex items-center min-h-11">
            登录
          </a>
          后可以评论和回复
        </span>
      </p>
      <div data-for="user" aria-hidden="true">
        <div className="field comment-field text-soft">写下你的评论</div>
        <div className="mt-2 flex justify-end">
          <span className="button">发表评论</span>
        </div>
      </div>
    </div>
  );
}

function Box({ articleId, ...writing }: Writing) {
  const { draft } = writing;
  const form = useRef<BoxHandle>(null);
  useEffect(() => {
    const isWanted = location.hash === `#${COMMENT_BOX_ID}`;
    if (draft.wasInterrupted() || isWanted) form.current?.focus();
    // After a reload, focus must not open a phone's keyboard again.
    if (isWanted) history.replaceState(history.state, '', location.pathname + location.search);
  }, [draft]);
  return (
    <CommentForm
      {...writing}
      ref={form}
      action={addTo(articleId, null)}
      kind="comment"
      className="comment-box"
    />
  );
}
