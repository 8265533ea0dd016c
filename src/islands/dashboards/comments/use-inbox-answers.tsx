import { useState, type ReactNode } from 'react';
import { answerButtonId } from '../../../lib/shared/ids.ts';
import { commentUrl } from '../../../lib/shared/urls.ts';
import type { Comment } from '../../../lib/contract/entities.ts';
import { draftsOf } from '../../../lib/stores/comments/comment-drafts.ts';
import { showNotice } from '../../../lib/stores/toasts.ts';
import { InboxAnswer } from './InboxAnswer.tsx';

/** Reply boxes of received comments, of which at most one is open. Each keeps its draft. */
export function useInboxAnswers(username: string) {
  const [answered, setAnswered] = useState<string | null>(null);
  const close = (id: string) => {
    document.getElementById(answerButtonId(id))?.focus({ preventScroll: true });
    setAnswered(null);
  };
  const published = ({ page_id, _id }: Comment, id: string) => {
    close(id);
    const run = () => location.assign(commentUrl(page_id, _id));
    showNotice('回复已发表', { text: '查看', run });
  };
  return {
    toggle: ({ _id }: Comment): void => (answered === _id ? close(_id) : setAnswered(_id)),
    boxOf(comment: Comment): ReactNode {
      const { _id: id, page_id, create_user: user, content } = comment;
      if (answered !== id) return undefined;
      return (
        <InboxAnswer
          comment={comment}
          articleId={page_id}
          draft={draftsOf(page_id, username).answerTo({ id, user, content })}
          username={username}
          onPublished={(comment) => published(comment, id)}
          onCancel={() => close(id)}
        />
      );
    },
  };
}
