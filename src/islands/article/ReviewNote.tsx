import { useEffect, useState } from 'react';
import { isOffered } from '../../lib/client/offered.ts';
import { editUrl } from '../../lib/shared/urls.ts';
import type { ArticleReview, ReviewDecision } from '../../lib/contract/calls/moderation-calls.ts';
import { DECISION_NAMES } from '../../lib/contract/rules/moderation.ts';
import { call } from '../../lib/stores/api.ts';
import { island } from '../ui/island.tsx';
import { Time } from '../ui/Time.tsx';

const STATES = { held: '审核中', hidden: '没有公开' } as const;

/** State of an article that readers do not see, for its author, with the reason and a link to the editor. */
export default island(function ReviewNote({ id, moderation }: { id: string; moderation: 'held' | 'hidden' }) {
  const [review, setReview] = useState<ArticleReview | null>(null);
  useEffect(() => {
    // Without the answer, the note shows the state only.
    if (isOffered('articleReview')) call('articleReview', { id }, { quiet: true }).then(setReview, () => {});
  }, [id]);
  const note = review === null || review.note === '' ? STATES[moderation] : review.note;
  return (
    <div className="mt-6 mb--4 px-4 py-2 rounded bg-wash text-sm leading-relaxed" role="note">
      <p>
        <bdi>{note}</bdi>
      </p>
      <p className="flex flex-wrap items-center gap-x-3 text-soft">
        仅自己可见
        {review?.can_resubmit && (
          <a href={editUrl(id)} className="action my--2 mx--2">
            修改后更新，就会再次提交审核
          </a>
        )}
      </p>
      {review && review.decisions.length > 0 && <Decisions decisions={review.decisions} />}
    </div>
  );
});

function Decisions({ decisions }: { decisions: readonly ReviewDecision[] }) {
  return (
    <details>
      <summary className="min-h-8 py-1 text-soft">审核记录（{decisions.length}）</summary>
      <ol role="list" className="pb-1">
        {decisions.map(({ state, note, create_time }) => (
          <li key={create_time} className="py-0.5">
            <Time iso={create_time} /> {DECISION_NAMES[state]}
            {note !== '' && <bdi>：{note}</bdi>}
          </li>
        ))}
      </ol>
    </details>
  );
}
