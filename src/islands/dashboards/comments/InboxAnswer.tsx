import { useEffect, useMemo, useState, type ComponentProps } from 'react';
import { COMMENT_PAGE_SIZE } from '../../../lib/contract/rules/bounds.ts';
import type { Comment } from '../../../lib/contract/entities.ts';
import { call } from '../../../lib/stores/api.ts';
import { AnswerBox } from '../../comments/AnswerBox.tsx';
import { People, peopleOf } from '../../comments/people.ts';

type Props = Omit<ComponentProps<typeof AnswerBox>, 'isApart' | 'isAsked'> & { comment: Comment };

/** Reply form of a received comment. Suggests the same names for mentions as the article's page. */
export function InboxAnswer({ comment, ...writing }: Props) {
  const { articleId, username } = writing;
  const [others, setOthers] = useState<readonly Comment[]>([]);
  useEffect(() => {
    const newest = { page_id: articleId, page: 1, pageSize: COMMENT_PAGE_SIZE };
    call('articleComments', newest, { background: true, quiet: true }).then(setOthers, () => {
      // Without suggestions, names can still be typed in full.
    });
  }, [articleId]);
  const people = useMemo(
    // `to_user` is the author of the article.
    () => peopleOf(comment.to_user, [comment, ...others], username),
    [comment, others, username],
  );
  return (
    <People value={people}>
      <AnswerBox {...writing} isApart={false} isAsked />
    </People>
  );
}
