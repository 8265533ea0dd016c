import { useStore } from '@nanostores/react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { COMMENTS_ID, COMMENTS_TITLE_ID } from '../../components/ids.ts';
import { COMMENTS_SHOWN } from '../../lib/contract/bounds.ts';
import { isOffered } from '../../lib/client/offered.ts';
import type { Comment } from '../../lib/contract/entities.ts';
import { isSameName } from '../../lib/contract/names.ts';
import { call } from '../../lib/stores/api.ts';
import { ask } from '../../lib/stores/ask.ts';
import { draftOf } from '../../lib/stores/comment-draft.ts';
import { createThread, unseenIn, visibleComments } from '../../lib/stores/comments.ts';
import { $session } from '../../lib/stores/session.ts';
import { CommentBox, type BoxHandle } from './CommentBox.tsx';
import { CommentSteps, type StepsHandle } from './CommentSteps.tsx';
import { useKeptFocus } from './kept-focus.ts';
import { ServerList } from './ServerList.tsx';

interface Props {
  articleId: string;
  /** Author of the article. */
  author: string;
  /** Number of comments the server counted, and which page of them it printed. */
  total: number;
  page: number;
  /** The server's markup, components/CommentList.astro. */
  fallback?: string;
}

/** The comments of an article, alive: the server's list until the present one has arrived, and the box to write in. */
export default function CommentThread({ articleId, author, total, page, fallback = '' }: Props) {
  const username = useStore($session)?.username ?? null;
  const store = useMemo(() => createThread(articleId, call, page * COMMENTS_SHOWN), [articleId, page]);
  const thread = useStore(store.$thread);
  const box = useRef<BoxHandle>(null);
  const steps = useRef<StepsHandle>(null);
  const [said, say] = useState('');
  const draft = useMemo(
    () => (username === null ? null : draftOf(articleId, username)),
    [articleId, username],
  );
  useEffect(() => {
    void store.load();
    return store.follow();
  }, [store]);
  useKeptFocus(thread.comments === null ? 'server' : 'live');

  const reply = useCallback(
    (comment: Comment) => {
      draft?.replyTo({ id: comment._id, user: comment.create_user, content: comment.content });
      box.current?.focus();
    },
    [draft],
  );
  const remove = useCallback(
    (comment: Comment) => {
      void askToRemove().then(async (isSure) => {
        if (!isSure) return;
        const going = store.remove(comment);
        steps.current?.focusAfter(comment._id);
        if (await going) say('评论已删除');
      });
    },
    [store],
  );
  const mayRemove = useCallback(
    ({ create_user }: Comment) =>
      username !== null &&
      isOffered('commentDelete') &&
      (isSameName(username, author) || isSameName(username, create_user)),
    [username, author],
  );
  const published = (comment: Comment) => {
    steps.current?.showNewest();
    store.add(comment);
    say('评论已发表');
    if (thread.comments === null) void store.load();
  };
  const showLatest = () => {
    const first = unseenIn(thread)[0];
    store.showLatest();
    if (first) steps.current?.focusOn(first._id);
  };

  const comments = visibleComments(thread);
  const count = comments.length + (thread.comments === null ? total : thread.older);
  const unseen = unseenIn(thread).length;
  const list = { comments, author, mayRemove, onReply: username === null ? null : reply };
  return (
    <section
      id={COMMENTS_ID}
      aria-labelledby={COMMENTS_TITLE_ID}
      className="hairline mt-14 pt-8"
      data-print="hide"
    >
      <h2 id={COMMENTS_TITLE_ID} className="text-lg font-700">
        评论{count > 0 && <span className="ml-2 font-400 text-soft tabular-nums">{count}</span>}
      </h2>
      <CommentBox ref={box} articleId={articleId} draft={draft} username={username} onPublished={published} />
      <output className="sr-only">{said}</output>
      {unseen > 0 && (
        <button type="button" className="button-quiet w-full mt-4" onClick={showLatest}>
          有 {unseen} 条新评论
        </button>
      )}
      <CommentSteps
        ref={steps}
        {...list}
        firstPage={page}
        isLoaded={thread.comments !== null}
        older={thread.older}
        onOlder={store.loadOlder}
        onRemove={remove}
      />
      {thread.comments === null && (
        <ServerList
          markup={fallback}
          isEmptyHidden={comments.length > 0}
          onRetry={thread.hasFailed ? () => void store.load() : null}
        />
      )}
    </section>
  );
}

const askToRemove = () =>
  ask({ title: '删除这条评论？', text: '删除后无法恢复。', action: '删除', isDestructive: true });
