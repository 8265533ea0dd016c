import type { ReactNode } from 'react';
import { answerButtonId } from '../../../lib/shared/ids.ts';
import { commentUrl } from '../../../lib/shared/urls.ts';
import type { Comment } from '../../../lib/contract/entities.ts';
import { call } from '../../../lib/stores/api.ts';
import { askAndRemove } from '../../../lib/stores/removal.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { CommentName } from '../../comments/CommentName.tsx';
import { CommentQuote } from '../../comments/CommentQuote.tsx';
import { Time } from '../../ui/Time.tsx';
import { FoldedText } from '../../ui/FoldedText.tsx';
import { Action } from '../../ui/Action.tsx';

interface Props {
  comment: Comment;
  /** Whether it was unread when this page first showed it. */
  isFresh: boolean;
  mayDelete: boolean;
  onRemoved: () => void;
  /** Toggles the reply box; null for the reader's own comments. */
  onAnswer: (() => void) | null;
  children?: ReactNode;
}

/** Comment with a link to its article, laid out as in a thread (src/islands/comments). */
export function CommentItem({ comment, isFresh, mayDelete, onRemoved, onAnswer, children }: Props) {
  const { _id, create_user, create_time, page_id, page_title } = comment;
  const url = commentUrl(page_id, _id);
  return (
    <li className="hairline grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 pt-5 pb-3">
      <span className="mt-1">
        <Avatar username={create_user} size={36} />
      </span>
      <article aria-label={`${create_user}的评论`}>
        <p className="flex flex-wrap items-baseline gap-x-2 leading-relaxed">
          <CommentName comment={comment} />
          <span className="text-sm text-soft">
            <Time iso={create_time} />
          </span>
          {comment.note && <span className="badge">{comment.note}</span>}
          {isFresh && <span className="text-sm text-vermilion">未读</span>}
        </p>
        <CommentQuote comment={comment} className="whitespace-pre-line" />
        <FoldedText text={comment.content} html={comment.html} />
        {comment.pending_content !== undefined && (
          <>
            <p className="mt-2 text-sm text-soft">改成：</p>
            <FoldedText text={comment.pending_content} html={undefined} />
          </>
        )}
        <div className="flex items-center justify-between gap-x-4 text-sm">
          <a
            href={url}
            className="min-h-11 min-w-0 inline-flex items-center text-soft no-underline hover:text-indigo"
          >
            <bdi className="truncate">《{page_title || '无标题'}》</bdi>
          </a>
          <span className="flex-none flex gap-x-2 mr--2">
            {onAnswer && (
              <Action
                id={answerButtonId(_id)}

                aria-expanded={children !== undefined}
                label={`回复 ${create_user} 的评论`}
                onClick={onAnswer}
              >
                回复
              </Action>
            )}
            {mayDelete && <Delete comment={comment} onRemoved={onRemoved} />}
          </span>
        </div>
        {children}
      </article>
    </li>
  );
}

function Delete({ comment, onRemoved }: Pick<Props, 'comment' | 'onRemoved'>) {
  const remove = () =>
    askAndRemove({
      title: '删除这条评论？',
      text: '删除后不能恢复。',
      remove: () => call('commentDelete', { id: comment._id }),
      settled: onRemoved,
    });
  return (
    <Action isDangerous work={remove}>
      删除
    </Action>
  );
}
