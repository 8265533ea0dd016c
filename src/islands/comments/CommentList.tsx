import {
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  type ReactNode,
  type Ref,
} from 'react';
import { COMMENT_PREFIX, commentId, COMMENTS_TITLE_ID } from '../../lib/shared/ids.ts';
import { COMMENTS_SHOWN, type CommentOrder } from '../../lib/contract/rules/bounds.ts';
import type { Comment } from '../../lib/contract/entities.ts';
import { isSameName } from '../../lib/contract/rules/names.ts';
import { showNotice } from '../../lib/stores/toasts.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { useBrowser } from '../ui/use-browser.ts';
import { CommentItem, type ShownComment } from './CommentItem.tsx';
import { QuietButton } from '../ui/Button.tsx';

export interface ListHandle {
  /** Shows the start of the thread. With the newest first, a new comment appears there. */
  showStart(): void;
  /** Moves focus to a comment that the next render adds. */
  focusOn(id: string): void;
  /** Moves focus to the comment after one that is about to be removed. */
  focusAfter(id: string): void;
}

interface Props {
  ref: Ref<ListHandle>;
  /** Until `isLoaded`, the server-rendered comments and those written since. */
  comments: readonly ShownComment[];
  author: string;
  /** Name of the reader, null for visitors. */
  username: string | null;
  /** Picture files of comment authors by name, if the server sent them. */
  avatars: ReadonlyMap<string, string | undefined>;
  timeZone: string;
  /** The server-rendered page of comments, on which the list starts. */
  firstPage: number;
  order: CommentOrder;
  /** Whether `comments` starts at the beginning of the thread. */
  isLoaded: boolean;
  /** Number of comments not in `comments`. Once `isLoaded`, all of them follow those in `comments`. */
  rest: number;
  /** Loads more comments. Resolves to the first of them, or null. */
  onMore: () => Promise<Comment | null>;
  mayRemove: (comment: ShownComment) => boolean;
  onReply: ((comment: ShownComment) => void) | null;
  onRemove: (comment: ShownComment) => void;
  mayChange: (comment: ShownComment) => boolean;
  onChange: (comment: ShownComment) => void;
  change: { id: string; box: ReactNode } | null;
  articleId: string;
  /** The comment being replied to, and its form. The comment may not be in the list. */
  answer: { id: string; box: (isApart: boolean) => ReactNode } | null;
}

/** Comments before the shown ones, by order. */
const BEFORE: Record<CommentOrder, string> = { newest: '较新', oldest: '较早', conversation: '前面' };

/**
 * Thread in steps of 20 comments. Shows the server-rendered page until the start of the thread has loaded.
 */
export function CommentList({ ref, comments, author, firstPage, order, isLoaded, ...others }: Props) {
  const { avatars, timeZone, rest, onMore, mayRemove, onReply, onRemove, answer } = others;
  const { articleId, username, mayChange, onChange, change } = others;
  const [start, setStart] = useState((firstPage - 1) * COMMENTS_SHOWN);
  const [end, setEnd] = useState(firstPage * COMMENTS_SHOWN);
  const marked = useBrowser(readMarked, null);
  const focusNext = useFocusNext();
  const at = isLoaded && marked !== null ? comments.findIndex(({ _id }) => _id === marked) : -1;

  // The comment in the URL may be on a later step, or on one before the server-rendered page.
  if (at >= end) setEnd(Math.ceil((at + 1) / COMMENTS_SHOWN) * COMMENTS_SHOWN);
  if (at >= 0 && at < start) setStart(0);
  // The thread may have become shorter than the requested page.
  if (isLoaded && start > 0 && start >= comments.length) setStart(0);
  /** Number of comments not loaded yet that may include the comment in the URL. */
  const sought = isLoaded && marked !== null && at < 0 ? rest : 0;
  useEffect(() => {
    if (sought > 0) void onMore();
  }, [sought, onMore]);
  useScrollToMarked(marked, isLoaded && sought === 0, at >= 0);

  useImperativeHandle(ref, () => ({
    showStart: () => setStart(0),
    focusOn: (id) => {
      setStart(0);
      focusNext(commentId(id), 'into view');
    },
    focusAfter: (id) => {
      const index = comments.findIndex(({ _id }) => _id === id);
      const next = comments[index + 1] ?? comments[index - 1];
      focusNext(next ? commentId(next._id) : COMMENTS_TITLE_ID);
    },
  }));
  const showMore = async () => {
    let first: ShownComment | null | undefined = comments[end];
    if (comments.length < end + COMMENTS_SHOWN && rest > 0) {
      const loaded = await onMore();
      first ??= loaded;
    }
    if (!first) return;
    setEnd(end + COMMENTS_SHOWN);
    focusNext(commentId(first._id));
  };
  const more = isLoaded ? Math.max(0, comments.length - end) + rest : 0;
  const shown = isLoaded ? comments.slice(start, end) : comments;

  const boxesOf = (id: string) =>
    answer?.id === id || change?.id === id ? (
      <>
        {answer?.id === id && answer.box(false)}
        {change?.id === id && change.box}
      </>
    ) : undefined;
  const isApart = answer !== null && !shown.some(({ _id }) => _id === answer.id);
  return (
    <>
      {isApart && answer.box(true)}
      {comments.length === 0 && rest === 0 && <EmptyState message="还没有人评论，这里留着空白。" />}
      {isLoaded && start > 0 && (
        <QuietButton className="w-full mt-4" onClick={() => setStart(0)}>
          显示{BEFORE[order]}的 {start} 条评论
        </QuietButton>
      )}
      {/* Without the role, Safari ignores lists that have no bullets. */}
      <ol role="list" className="mt-2">
        {shown.map((comment, index) => (
          <CommentItem
            key={comment._id}
            comment={comment}
            avatar={avatars.get(comment.create_user)}
            timeZone={timeZone}
            isByAuthor={isSameName(comment.create_user, author)}
            isOwn={username !== null && isSameName(comment.create_user, username)}
            isMarked={comment._id === marked}
            isBelow={order === 'conversation' && comment.reply_id !== undefined}
            hidesQuote={order === 'conversation' && isFirstAnswer(shown, index)}
            onReply={onReply}
            {...{ articleId, isLoaded }}
            isAnswered={answer?.id === comment._id}
            onChange={mayChange(comment) ? onChange : null}
            onRemove={mayRemove(comment) ? onRemove : null}
          >
            {boxesOf(comment._id)}
          </CommentItem>
        ))}
      </ol>
      {more > 0 && (
        <QuietButton className="w-full mt-2" onClick={() => void showMore()}>
          显示更多评论
          <span className="text-soft tabular-nums">还有 {more} 条</span>
        </QuietButton>
      )}
    </>
  );
}

/** Whether a comment answers the start of its conversation, which is shown above it. */
function isFirstAnswer(shown: readonly ShownComment[], index: number): boolean {
  const start = shown.findLast((each, at) => at < index && each.reply_id === undefined);
  return start !== undefined && start._id === shown[index]?.reply_id;
}

function readMarked(): string | null {
  if (!location.hash.startsWith(`#${COMMENT_PREFIX}`)) return null;
  const id = location.hash.slice(COMMENT_PREFIX.length + 1).toLowerCase();
  return /^[0-9a-f]{24}$/.test(id) ? id : null;
}

/** Scrolls to the comment in the URL after it has rendered, or shows that it does not exist. */
function useScrollToMarked(marked: string | null, isKnown: boolean, isListed: boolean): void {
  const done = useRef<string | null>(null);
  useLayoutEffect(() => {
    if (marked === null || !isKnown || done.current === marked) return;
    done.current = marked;
    if (!isListed) {
      showNotice('这条评论已被删除');
      return;
    }
    const item = document.getElementById(commentId(marked));
    item?.scrollIntoView({ block: 'start' });
    item?.focus({ preventScroll: true });
  });
}

/**
 * Returns a function that focuses the element `id` after the next render, once a closing dialog has released
 * focus.
 */
function useFocusNext(): (id: string, scroll?: 'into view') => void {
  const [wanted, setWanted] = useState<{ id: string; scroll: boolean } | null>(null);
  useEffect(() => {
    if (wanted === null) return undefined;
    const timer = setTimeout(() => {
      const element = document.getElementById(wanted.id);
      element?.focus({ preventScroll: true });
      if (wanted.scroll) element?.scrollIntoView({ block: 'nearest' });
    });
    return () => clearTimeout(timer);
  }, [wanted]);
  return (id, scroll) => setWanted({ id, scroll: scroll !== undefined });
}
