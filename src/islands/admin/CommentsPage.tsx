import { articleUrl, commentUrl } from '../../lib/shared/urls.ts';
import type { StaffComment } from '../../lib/contract/calls/staff-calls.ts';
import { call } from '../../lib/stores/api.ts';
import { noteListed } from '../../lib/stores/staff-reads.ts';
import { CommentName } from '../comments/CommentName.tsx';
import { PlainText } from './PlainText.tsx';
import { forSignedIn } from '../ui/for-signed-in.tsx';
import { Time } from '../ui/Time.tsx';
import { inParts } from './ConsoleList.tsx';
import { stateIn } from './content-kinds.ts';
import { ContentList } from './ContentList.tsx';

const load = inParts(async ({ show, q: keywords, ...paging }) => {
  const list = await call('staffComments', { ...paging, keywords, ...stateIn(show) }, { quiet: true });
  noteListed(list.result.map(({ _id, version, content }) => ({ kind: 'comment', _id, version, content })));
  return list;
});

/** Characters of the comment in the accessible names of its buttons, which tell rows apart. */
const MAX_NAME_CHARACTERS = 20;

/** /admin/comments: comments on articles that are or were public. */
export default forSignedIn(function CommentsPage() {
  return (
    <ContentList
      kind="comment"
      load={load}
      searchLabel="搜索评论和评论的人"
      nameOf={({ create_user, content }) => `${create_user}：${content.slice(0, MAX_NAME_CHARACTERS)}`}
    >
      {(comment) => <Shown comment={comment} />}
    </ContentList>
  );
});

function Shown({ comment }: { comment: StaffComment }) {
  const { _id, content, create_time, page_id, page_title, state } = comment;
  const url = state === 'shown' ? commentUrl(page_id, _id) : articleUrl(page_id);
  return (
    <>
      <p className="meta">
        <CommentName comment={comment} />
        {' · '}
        <Time iso={create_time} />
        {' · '}
        <a href={url} className="quiet-link">
          <bdi>《{page_title || '无标题'}》</bdi>
        </a>
      </p>
      <PlainText text={content} />
    </>
  );
}
