import { useEffect, useMemo, useState, type ComponentProps, type ReactNode } from 'react';
import { useStore } from '@nanostores/react';
import { Tabs } from '@base-ui/react/tabs';
import { COMMENT_PAGE_SIZE } from '../../../lib/contract/rules/bounds.ts';
import { COMMENT_TABS } from '../../../lib/contract/rules/list-filters.ts';
import type { Comment } from '../../../lib/contract/entities.ts';
import { call } from '../../../lib/stores/api.ts';
import { AnswerBox } from '../../comments/AnswerBox.tsx';
import { People, peopleOf } from '../../comments/people.ts';
import { answerButtonId } from '../../../lib/shared/ids.ts';
import { commentUrl } from '../../../lib/shared/urls.ts';
import { draftsOf } from '../../../lib/stores/comments/comment-drafts.ts';
import { showNotice } from '../../../lib/stores/toasts.ts';
import { isOffered } from '../../../lib/client/offered.ts';
import { isSameName } from '../../../lib/contract/rules/names.ts';
import { createCommentBox, type CommentBox } from '../../../lib/stores/comments/comment-box.ts';
import { $notified } from '../../../lib/stores/comments/unread.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { PagedSection } from '../../ui/paged/PagedSection.tsx';
import { $query, goTo } from '../../../lib/stores/account/address.ts';
import { forSignedIn } from '../../ui/for-signed-in.tsx';
import { placeQuery, readPlace } from '../../ui/paged/place.ts';
import { isPlainClick } from '../../ui/paged/QueryLink.tsx';
import { NotificationPanel } from './NotificationPanel.tsx';
import { CommentItem } from './CommentItem.tsx';

type InboxAnswerProps = Omit<ComponentProps<typeof AnswerBox>, 'isApart' | 'isAsked'> & { comment: Comment };

/** Reply form of a received comment. Suggests the same names for mentions as the article's page. */
function InboxAnswer({ comment, ...writing }: InboxAnswerProps) {
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

/** Reply boxes of received comments, of which at most one is open. Each keeps its draft. */
function useInboxAnswers(username: string) {
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

interface CommentPanelProps {
  box: CommentBox;
  username: string;
  page: number;
  queryOf: (page: number) => string;
}

/** One of the two lists of comments. Received comments become read once shown. */
function CommentPanel({ box, username, page, queryOf }: CommentPanelProps) {
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

type Tab = (typeof COMMENT_TABS)[number]['tab'];

const FILTERS = { tab: ['sent', 'notice'] } as const;

const queryOf = (tab: Tab, page = 1) => placeQuery({ tab, page });

export default forSignedIn(function CommentDashboard({ username }) {
  const { tab, page } = readPlace(useStore($query), FILTERS);
  const notified = useStore($notified);
  const boxes = useMemo(
    () => ({ '': createCommentBox('to_user'), sent: createCommentBox('create_user') }),
    [],
  );
  const tabs = COMMENT_TABS.filter((each) => each.tab !== 'notice' || isOffered('notificationList'));
  const value = tabs.some((each) => each.tab === tab) ? tab : '';
  return (
    <Tabs.Root value={value} onValueChange={(next: Tab) => goTo(queryOf(next))}>
      <Tabs.List className="flex gap-6 border-0 border-b border-solid border-line" aria-label="评论">
        {tabs.map((each) => (
          <Tabs.Tab
            key={each.tab}
            value={each.tab}
            nativeButton={false}
            className="tab"
            render={
              <a href={location.pathname + queryOf(each.tab)}>
                {each.text}
                {each.tab === 'notice' && notified > 0 && ` ${notified}`}
              </a>
            }
            onClick={(event) => {
              // Leave modified clicks to the browser, which opens a tab or window.
              if (isPlainClick(event)) event.preventDefault();
              else event.preventBaseUIHandler();
            }}
          />
        ))}
      </Tabs.List>
      {tabs.map((each) => (
        <Tabs.Panel key={each.tab} value={each.tab} tabIndex={-1} className="mt-4 outline-none">
          {each.tab === 'notice' ? (
            <NotificationPanel />
          ) : (
            <CommentPanel
              box={boxes[each.tab]}
              username={username}
              page={page}
              queryOf={(to) => queryOf(each.tab, to)}
            />
          )}
        </Tabs.Panel>
      ))}
    </Tabs.Root>
  );
});
