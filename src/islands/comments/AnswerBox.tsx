import { useEffect, useRef } from 'react';
import { addTo, CommentForm, type BoxHandle, type Writing } from './CommentForm.tsx';

interface Props extends Writing {
  /** Whether the answered comment is not on the page: then it is quoted. */
  isApart: boolean;
  /** Whether the reader has just asked for the box. */
  isAsked: boolean;
  onCancel: () => void;
}

/** Where a comment is answered: under it, or apart from it where it is not on the page. */
export function AnswerBox({ articleId, isApart, isAsked, ...writing }: Props) {
  const { draft } = writing;
  const form = useRef<BoxHandle>(null);
  useEffect(() => {
    // A reload must not bring the keyboard of a phone up again.
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
