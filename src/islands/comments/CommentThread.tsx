import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { useStore } from '@nanostores/react';
import type { Comment } from '../../lib/contract/entities.ts';
import { call } from '../../lib/stores/api.ts';
import { showNotice } from '../../lib/stores/toasts.ts';
import { draftsOf, type CommentDrafts } from '../../lib/stores/comments/comment-drafts.ts';
import { commentsUrl } from '../../lib/shared/urls.ts';
import {
  COMMENT_EDIT_MS,
  COMMENT_ORDERS,
  COMMENTS_SHOWN,
  type CommentOrder,
} from '../../lib/contract/rules/bounds.ts';
import {
  changeButtonId,
  commentId,
  COMMENTS_ID,
  COMMENTS_TITLE_ID,
  ID_PREFIX,
} from '../../lib/shared/ids.ts';
import { isOffered } from '../../lib/client/offered.ts';
import { isSameName } from '../../lib/contract/rules/names.ts';
import { ask } from '../../lib/stores/ask.ts';
import type { ReplyTarget } from '../../lib/stores/comments/comment-draft.ts';
import { createThread, unseenIn, unseenRest, visibleComments } from '../../lib/stores/comments/comments.ts';
import { watchComments } from '../../lib/stores/comments/unread.ts';
import { $session } from '../../lib/stores/account/session.ts';
import { Problem } from '../ui/form/Problem.tsx';
import { island } from '../ui/island.tsx';
import { CommentForm, type BoxHandle } from './CommentForm.tsx';
import type { ShownComment } from './CommentItem.tsx';
import { AnswerBox } from './AnswerBox.tsx';
import { CommentBox } from './CommentBox.tsx';
import { CommentList, type ListHandle } from './CommentList.tsx';
import { People, peopleOf } from './people.ts';
import { useAnswers } from './use-answers.ts';
import { QuietButton } from '../ui/Button.tsx';

interface ChangeBoxProps {
  comment: ShownComment;
  drafts: CommentDrafts;
  username: string;
  onDone: (changed: Comment | null) => void;
}

function ChangeBox({ comment, drafts, username, onDone }: ChangeBoxProps) {
  const form = useRef<BoxHandle>(null);
  const [draft] = useState(() => drafts.changeOf(comment));
  useEffect(() => form.current?.focus(), []);
  return (
    <CommentForm
      ref={form}
      {...{ draft, username }}
      kind="change"
      className="mt-1 mb-4"
      action={{
        label: '修改评论',
        placeholder: '写下你的评论',
        button: '保存',
        send: async ({ content }, options) => {
          const changed = await call('commentEdit', { id: comment._id, content }, options);
          if (changed.pending_content !== undefined)
            showNotice('改动已提交审核，通过之前读者看到的是原来的样子');
          return changed;
        },
      }}
      onPublished={onDone}
      onCancel={() => {
        draft.write('');
        onDone(null);
      }}
    />
  );
}

const NAMES: Record<CommentOrder, string> = { newest: '最新', oldest: '最早', conversation: '对话' };

function OrderLinks({ path, order }: { path: string; order: CommentOrder }) {
  return (
    <nav aria-label="评论顺序" className="flex gap-4 text-sm">
      {COMMENT_ORDERS.map((each) => (
        <a
          key={each}
          href={commentsUrl(path, 1, each)}
          rel="nofollow"
          className="quiet-link inline-flex items-center min-h-11 text-soft aria-[current=page]:(text-ink font-600)"
          aria-current={each === order ? 'page' : undefined}
        >
          {NAMES[each]}
        </a>
      ))}
    </nav>
  );
}

/** Editing of the reader's own comments, one at a time. `onChanged` receives the edited comment. */
function useChanging(
  drafts: CommentDrafts | null,
  username: string | null,
  onChanged: (comment: Comment) => void,
) {
  const [changed, setChanged] = useState<ShownComment | null>(null);
  const done = (comment: Comment | null) => {
    document.getElementById(changeButtonId(changed?._id ?? ''))?.focus({ preventScroll: true });
    setChanged(null);
    if (comment) onChanged(comment);
  };
  return {
    mayChange: useCallback(
      ({ create_user, create_time }: ShownComment) =>
        username !== null &&
        isOffered('commentEdit') &&
        isSameName(username, create_user) &&
        Date.now() - Date.parse(create_time) < COMMENT_EDIT_MS,
      [username],
    ),
    onChange: setChanged,
    change:
      changed && drafts && username !== null
        ? {
            id: changed._id,
            box: <ChangeBox key={changed._id} comment={changed} {...{ drafts, username }} onDone={done} />,
          }
        : null,
  };
}

interface Props {
  articleId: string;
  /** Path of the article. */
  path: string;
  author: string;
  isClosed: boolean;
  timeZone: string;
  /** Page of comments for server rendering, with the picture files of their authors where known. */
  printed: readonly (ShownComment & { authorAvatar?: string | undefined })[];
  /** Number of that page. `total` is the server's comment count. */
  page: number;
  total: number;
  order: CommentOrder;
  /** Server-rendered pager, shown until the thread has hydrated. */
  children?: ReactNode;
}

/**
 * Comments of an article and the comment form. Shows the server-rendered page until the newest comments have
 * loaded.
 */
export default island(function CommentThread(props: Props) {
  const { articleId, path, author, isClosed, timeZone, printed, page, total, order, children } = props;
  const username = useStore($session, { ssr: 'initial' })?.username ?? null;
  const store = useMemo(
    () => createThread(articleId, call, page * COMMENTS_SHOWN, order),
    [articleId, page, order],
  );
  const thread = useStore(store.$thread);
  const list = useRef<ListHandle>(null);
  const [status, setStatus] = useState('');
  const drafts = useMemo(
    () => (username === null ? null : draftsOf(articleId, username)),
    [articleId, username],
  );
  useEffect(() => {
    void store.load();
    return store.follow(watchComments);
  }, [store]);
  useEffect(leadOn, []);
  const avatars = useMemo(
    () => new Map(printed.map(({ create_user, authorAvatar }) => [create_user, authorAvatar])),
    [printed],
  );

  const { answered, isAsked, toggle, cancel, finish } = useAnswers(drafts);
  const reply = useCallback(
    ({ _id: id, create_user: user, content }: ShownComment) => toggle({ id, user, content }),
    [toggle],
  );
  const remove = useCallback(
    (comment: ShownComment) => {
      void askToRemove().then(async (isSure) => {
        if (!isSure) return;
        const going = store.remove(comment);
        list.current?.focusAfter(comment._id);
        if (await going) setStatus('评论已删除');
      });
    },
    [store],
  );
  const mayRemove = useCallback(
    ({ create_user }: ShownComment) =>
      username !== null &&
      isOffered('commentDelete') &&
      (isSameName(username, author) || isSameName(username, create_user)),
    [username, author],
  );
  const changing = useChanging(drafts, username, (changed) => {
    store.replace(changed);
    setStatus(statusText('评论已修改', changed));
  });
  const published = (comment: Comment) => {
    store.add(comment);
    if (thread.comments === null) void store.load();
  };
  const commentPublished = (comment: Comment) => {
    published(comment);
    if (order === 'oldest') return noticePublished('评论已发表', comment);
    list.current?.showStart();
    setStatus(statusText('评论已发表', comment));
  };
  const answerPublished = (comment: Comment) => {
    finish();
    published(comment);
    noticePublished('回复已发表', comment);
  };
  const box =
    (to: ReplyTarget, { answerTo }: CommentDrafts, writer: string) =>
    (isApart: boolean) => (
      <AnswerBox
        key={to.id}
        {...{ articleId, isApart, isAsked }}
        username={writer}
        draft={answerTo(to)}
        onPublished={answerPublished}
        onCancel={cancel}
      />
    );
  const answer =
    drafts && username !== null && answered && !isClosed
      ? { id: answered.id, box: box(answered, drafts, username) }
      : null;
  const showLatest = () => {
    const first = unseenIn(thread)[0];
    store.showLatest();
    if (first) list.current?.focusOn(first._id);
  };

  const isLoaded = thread.comments !== null;
  const comments = isLoaded ? visibleComments(thread) : visibleComments({ ...thread, comments: printed });
  const rest = isLoaded ? unseenRest(thread) : total - printed.length;
  const count = comments.length + rest;
  const unseen = unseenIn(thread).length;
  const people = useMemo(() => peopleOf(author, comments, username), [author, comments, username]);
  return (
    <People value={people}>
      <section
        id={COMMENTS_ID}
        aria-labelledby={COMMENTS_TITLE_ID}
        className="hairline mt-14 pt-8"
        data-print="hide"
      >
        <div className="flex items-center justify-between gap-4">
          <h2 id={COMMENTS_TITLE_ID} className="section-title text-lg">
            评论{count > 0 && <span className="ml-2 font-400 text-soft tabular-nums">{count}</span>}
          </h2>
          {total > 1 && <OrderLinks path={path} order={order} />}
        </div>
        {isClosed ? (
          <p className="mt-5 text-soft">作者关闭了评论。</p>
        ) : (
          <CommentBox
            articleId={articleId}
            path={path}
            draft={drafts?.comment ?? null}
            username={username}
            onPublished={commentPublished}
          />
        )}
        <output className="sr-only">{unseen > 0 ? `有 ${unseen} 条新评论` : status}</output>
        {unseen > 0 && (
          // Overlays the list, so nothing moves.
          <div className="sticky z-10 top-20 h-0 flex justify-center">
            <QuietButton className="flex-none mt-1 !bg-raised shadow-float !text-indigo" onClick={showLatest}>
              有 {unseen} 条新评论
            </QuietButton>
          </div>
        )}
        <div data-comments={isLoaded ? undefined : ''}>
          {(count > 0 || !isClosed) && (
            <CommentList
              ref={list}
              comments={comments}
              author={author}
              username={username}
              avatars={avatars}
              timeZone={timeZone}
              firstPage={page}
              isLoaded={isLoaded}
              order={order}
              rest={rest}
              onMore={store.loadMore}
              mayRemove={mayRemove}
              onReply={username === null || isClosed ? null : reply}
              onRemove={remove}
              answer={answer}
              articleId={articleId}
              {...changing}
            />
          )}
          {!isLoaded && children}
          <Problem
            text={!isLoaded && thread.hasFailed ? '没能取得最新的评论。' : ''}
            className="text-sm text-soft"
            onRetry={() => void store.load()}
          />
        </div>
      </section>
    </People>
  );
});

/**
 * Redirects links with comment ids from before the prefix, unless a heading has that id. Returns the cleanup.
 */
function leadOn(): () => void {
  const follow = () => {
    const [, former = ''] = /^#(comment(?:s|-box|-[\da-f]{24}))$/.exec(location.hash) ?? [];
    if (former && !document.getElementById(former)) location.replace(`#${ID_PREFIX}${former}`);
  };
  follow();
  addEventListener('hashchange', follow);
  return () => removeEventListener('hashchange', follow);
}

/** Returns `text`, or for a pending comment the note that only its author sees. */
const statusText = (text: string, { note }: Comment) => (note ? `已提交，${note}` : text);

const noticePublished = (text: string, comment: Comment): void =>
  void showNotice(statusText(text, comment), {
    text: '查看',
    run: () => (location.hash = commentId(comment._id)),
  });

const askToRemove = () =>
  ask({ title: '删除这条评论？', text: '删除后无法恢复。', action: '删除', isDestructive: true });
