import type { ReplyTarget } from '../../lib/stores/comment-draft.ts';

interface Props {
  reply: ReplyTarget;
  onDrop: () => void;
}

/** What the comment being written answers. */
export function ReplyQuote({ reply, onDrop }: Props) {
  return (
    <blockquote className="comment-quote mb-3 flex items-start gap-3">
      <div className="flex-1 min-w-0">
        <p>
          回复 @<bdi>{reply.user}</bdi>
        </p>
        <p className="line-clamp-3" dir="auto">
          {reply.content}
        </p>
      </div>
      <button type="button" className="button-text flex-none my--2" onClick={onDrop}>
        取消回复
      </button>
    </blockquote>
  );
}
