import {
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
  type ReactNode,
  type Ref,
} from 'react';
import { COMMENT_PREFIX, commentId, COMMENTS_TITLE_ID } from '../../components/ids.ts';
import { COMMENTS_SHOWN, type CommentOrder } from '../../lib/contract/bounds.ts';
import type { Comment } from '../../lib/contract/entities.ts';
import { isSameName } from '../../lib/contract/names.ts';
import { showNotice } from '../../lib/stores/toasts.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { CommentItem, type ShownComment } from './CommentItem.tsx';

/** What the thread asks of its list. */
export interface ListHandle {
  /** Shows the beginning of the thread, where with the newest first what was just written stands. */
  showStart(): void;
  /** Moves focus to a comment that is there after the next drawing. */
  focusOn(id: string): void;
  /** Moves focus to what comes after a comment that is about to go. */
  focusAfter(id: string): void;
}

interface Props {
  ref: Ref<ListHandle>;
  /** Until `isLoaded`, those the server printed and what was written since. */
  comments: readonly ShownComment[];
  author: string;
  /** Files of the writers' pictures by name, as far as the server told them. */
  avatars: ReadonlyMap<string, string | undefined>;
  timeZone: string;
  /** The page of comments the server printed: the first step begins there. */
  firstPage: number;
  order: CommentOrder;
  /** Whether `comments` begins where the thread does. */
  isLoaded: boolean;
  /** How many comments there are besides, all of them after those once `isLoaded`. */
  rest: number;
  /** Asks for some of them; resolves to the first, or null. */
  onMore: () => Promise<Comment | null>;
  mayRemove: (comment: ShownComment) => boolean;
  onReply: ((comment: ShownComment) => void) | null;
  onRemove: (comment: ShownComment) => void;
  mayChange: (comment: ShownComment) => boolean;
  onChange: (comment: ShownComment) => void;
  /** The comment being changed, and the box for that. */
  change: { id: string; box: ReactNode } | null;
  articleId: string;
  /** The comment being answered, and the box for that. It may not be among those shown. */
  answer: { id: string; box: (isApart: boolean) => ReactNode } | null;
}

/** A thread in steps of 20, as the server printed it until its beginning has arrived. */
export function CommentList({ ref, comments, author, firstPage, order, isLoaded, ...others }: Props) {
  const { avatars, timeZone, rest, onMore, mayRemove, onReply, onRemove, answer } = others;
  const { articleId, mayChange, onChange, change } = others;
  const [start, setStart] = useState((firstPage - 1) * COMMENTS_SHOWN);
  const [end, setEnd] = useState(firstPage * COMMENTS_SHOWN);
  const marked = useSyncExternalStore(listen, readMarked, () => null);
  const focusNext = useFocusNext();
  const at = isLoaded && marked !== null ? comments.findIndex(({ _id }) => _id === marked) : -1;

  // The comment of the address may stand in a later step, or in one before the page the server printed.
  if (at >= end) setEnd(Math.ceil((at + 1) / COMMENTS_SHOWN) * COMMENTS_SHOWN);
  if (at >= 0 && at < start) setStart(0);
  // A thread has become shorter than the page asked for.
  if (isLoaded && start > 0 && start >= comments.length) setStart(0);
  /** Comments among which the one of the address may still be. */
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
        <button type="button" className="button-quiet w-full mt-4" onClick={() => setStart(0)}>
          显示较{order === 'newest' ? '新' : '早'}的 {start} 条评论
        </button>
      )}
      {/* Safari takes a list without bullets for none unless told. */}
      <ol role="list" className="mt-2">
        {shown.map((comment) => (
          <CommentItem
            key={comment._id}
            comment={comment}
            avatar={avatars.get(comment.create_user)}
            timeZone={timeZone}
            isByAuthor={isSameName(comment.create_user, author)}
            isMarked={comment._id === marked}
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
        <button type="button" className="button-quiet w-full mt-2" onClick={() => void showMore()}>
          显示更多评论
          <span className="text-soft tabular-nums">还有 {more} 条</span>
        </button>
      )}
    </>
  );
}

function listen(changed: () => void): () => void {
  addEventListener('hashchange', changed);
  return () => removeEventListener('hashchange', changed);
}

/** Id of the comment that the page's address points at, or null. */
function readMarked(): string | null {
  if (!location.hash.startsWith(`#${COMMENT_PREFIX}`)) return null;
  const id = location.hash.slice(COMMENT_PREFIX.length + 1).toLowerCase();
  return /^[0-9a-f]{24}$/.test(id) ? id : null;
}

/** Brings the comment of the address into view once it is drawn; says so when there is none. */
function useScrollToMarked(marked: string | null, isKnown: boolean, isThere: boolean): void {
  const done = useRef<string | null>(null);
  useLayoutEffect(() => {
    if (marked === null || !isKnown || done.current === marked) return;
    done.current = marked;
    if (!isThere) {
      showNotice('这条评论已被删除');
      return;
    }
    const item = document.getElementById(commentId(marked));
    item?.scrollIntoView({ block: 'start' });
    item?.focus({ preventScroll: true });
  });
}

/** A function that focuses the element `id` after the next drawing, once a closing dialog has let go. */
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
