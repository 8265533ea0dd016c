import { useEffect, useRef } from 'react';
import { addTo, CommentForm, type BoxHandle, type Writing } from './CommentForm.tsx';

interface Props extends Writing {
  /** Whether the parent comment is not on the page and therefore has to be quoted. */
  isApart: boolean;
  isAsked: boolean;
  onCancel: () => void;
}

/** Reply form, below its parent comment, or detached if that is not on the page. */
export function AnswerBox({ articleId, isApart, isAsked, ...writing }: Props) {
  const { draft } = writing;
  const form = useRef<BoxHandle>(null);
  useEffect(() => {
    // After a reload, focus must not open a phone's keyboard again.
    if (draft.wasInterrupted() || isAsked) form.current?.focus();
  }, [draft, isAsked]);
  return (
    <CommentForm
      {...writing}
      ref={form}
      action={addTo(articleId, draft.reply)}
      kind="answer"
      className={isApart ? 'mt-5' : 'mt-1 mb-4'}
    >
      {isApart && draft.reply && (
        <blockquote className="comment-quote mb-3">
          <p>
            回复 @<bdi>{draft.reply.user}</bdi>
          </p>
          <p className="line-clamp-3" dir="auto">
            {draft.reply.content}
          </p>
        </blockquote>
      )}
    </CommentForm>
  );
}
