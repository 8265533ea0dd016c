import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import { isOffered } from '../../../lib/client/offered.ts';
import { isSameName } from '../../../lib/contract/rules/names.ts';
import type { CommentBox } from '../../../lib/stores/comments/comment-box.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { CommentItem } from './CommentItem.tsx';
import { PagedSection } from '../../ui/paged/PagedSection.tsx';
import { useInboxAnswers } from './use-inbox-answers.tsx';

interface Props {
  box: CommentBox;
  username: string;
  page: number;
  queryOf: (page: number) => string;
}

/** One of the two lists of comments. Received comments become read once shown. */
export function CommentPanel({ box, username, page, queryOf }: Props) {
  const state = useStore(box.list.$list);
  const fresh = useStore(box.$fresh);
  useEffect(() => box.open(), [box]);
  useEffect(() => void box.list.show({ page }), [box, page]);
  const isReceived = box.type === 'to_user';
  const { toggle, boxOf } = useInboxAnswers(username);
  return (
    <PagedSection
      state={state}
      asked={{ page }}
      queryOf={(place) => queryOf(place.page)}
      summary={(total) => `共 ${total} 条`}
      onRetry={() => void box.list.show({ page })}
      onChange={box.list.refresh}
      empty={
        isReceived ? (
          <EmptyState message="还没有收到评论。有人在文章下留言或回复你，会出现在这里。" />
        ) : (
          <EmptyState message="还没有发表过评论。读到喜欢的文章，写一句给作者吧。">
            <a href="/home" className="button-quiet mt-6">
              去看文章
            </a>
          </EmptyState>
        )
      }
    >
      {(comments, removed) => (
        <ol role="list" className="mt-2">
          {comments.map((comment) => (
            <CommentItem
              key={comment._id}
              comment={comment}
              isFresh={fresh.has(comment._id)}
              mayDelete={
                isOffered('commentDelete') &&
                [comment.create_user, comment.to_user].some((name) => isSameName(name, username))
              }
              onRemoved={removed}
              onAnswer={isReceived ? () => toggle(comment) : null}
            >
              {boxOf(comment)}
            </CommentItem>
          ))}
        </ol>
      )}
    </PagedSection>
  );
}
