import { atom, type ReadableAtom } from 'nanostores';
import type { Client } from '../../client/client.ts';
import { isCallError } from '../../client/call-error.ts';
import { COMMENT_PAGE_SIZE, type CommentOrder } from '../../contract/rules/bounds.ts';
import type { Comment } from '../../contract/entities.ts';
import {
  extend,
  extendConversations,
  extendLater,
  intoConversations,
  isOlder,
  partOf,
  type Part,
} from './thread-part.ts';
import { showRetry } from '../toasts.ts';

export interface ThreadState {
  readonly order: CommentOrder;
  comments: readonly Comment[] | null;
  /** Number of comments that the server has after `comments`. */
  rest: number;
  /** Written on this page; `comments` may contain them too. */
  own: readonly Comment[];
  /**
   * The server's last response, if it has newer comments that the reader has not asked to see; otherwise
   * null.
   */
  latest: readonly Comment[] | null;
  /** In the order of conversations, the newest comment when they were read: later ones are new. */
  newest: Comment | null;
  removed: readonly string[];
  hasFailed: boolean;
}

interface Seen<C> extends Pick<ThreadState, 'removed' | 'order'> {
  comments: readonly C[] | null;
  own: readonly C[];
}

const MIN_RELOAD_INTERVAL_MS = 15_000;
/** Poll interval without live updates; with them, MIN_POLL_INTERVAL_MS is the minimum time between loads. */
const POLL_INTERVAL_MS = 30_000;
const MIN_POLL_INTERVAL_MS = 3_000;

/**
 * Calls `changed` when there may be new comments. `isWatching` returns whether it currently would
 * (comments/unread.ts).
 */
type Watch = (articleId: string, changed: () => void) => { isWatching(): boolean; stop(): void };
const unwatched: Watch = () => ({ isWatching: () => false, stop: () => undefined });

/**
 * Loads the comments of an article with `call`. The first load reads at least `atLeast` comments if they
 * exist. With the oldest first, new comments belong at the end: they only increase `rest` and move nothing.
 * In conversations they belong below their comment, and are inserted when the reader asks for them.
 */
export function createThread(
  articleId: string,
  call: Client['call'],
  atLeast = 1,
  order: CommentOrder = 'newest',
) {
  const isForward = order === 'oldest';
  const isConversation = order === 'conversation';
  const $thread = atom<ThreadState>({
    order,
    comments: null,
    rest: 0,
    own: [],
    latest: null,
    newest: null,
    removed: [],
    hasFailed: false,
  });
  let askedAt = 0;
  let asking: Promise<void> | null = null;
  let askingRest: Promise<Comment | null> | null = null;

  const change = (changes: Partial<ThreadState>) => $thread.set({ ...$thread.get(), ...changes });

  const readPage =
    (background: boolean, sort = order) =>
    (page: number) =>
      call(
        'articleComments',
        {
          page_id: articleId,
          page,
          pageSize: COMMENT_PAGE_SIZE,
          ...(sort === 'newest' ? {} : { sort }),
        },
        { background },
      );

  const readNewest = () =>
    call('articleComments', { page_id: articleId, page: 1, pageSize: 1 }, { background: true });

  const readOn = (
    part: Part,
    background: boolean,
    { newest }: Pick<ThreadState, 'newest'> = $thread.get(),
  ) =>
    isConversation
      ? extendConversations(
          part,
          readPage(background),
          (comment) => newest !== null && isOlder(newest, comment),
        )
      : (isForward ? extendLater : extend)(part, readPage(background));

  async function readFirst(): Promise<Part & Pick<ThreadState, 'newest'>> {
    if (order === 'newest') return { ...partOf(await readPage(true)(1)), newest: null };
    const [comments, [newest = null]] = await Promise.all([readPage(true)(1), readNewest()]);
    const rest = Math.max(0, (newest?.position ?? 0) - comments.length);
    return { comments, rest, newest: isConversation ? newest : null };
  }

  /** Keeps comments that the reader has not seen in `latest`. */
  async function askForLatest(): Promise<void> {
    const answer = await readPage(true, 'newest')(1);
    const state = { ...$thread.get(), hasFailed: false };
    $thread.set({ ...state, latest: unseenIn(state, answer).length > 0 ? answer : null });
  }

  async function askForRest(last: Comment | undefined): Promise<void> {
    const [newest] = await readNewest();
    if ($thread.get().comments?.at(-1) !== last) return;
    change({ rest: Math.max(0, (newest?.position ?? 0) - (last?.position ?? 0)), hasFailed: false });
  }

  async function ask(): Promise<void> {
    askedAt = Date.now();
    try {
      const known = $thread.get().comments;
      if (isForward && known !== null && known.length > 0) return await askForRest(known.at(-1));
      if (!isForward && known !== null) return await askForLatest();
      const first = await readFirst();
      let part: Part = first;
      while (part.comments.length < atLeast && part.rest > 0) part = await readOn(part, true, first);
      change({ ...part, newest: first.newest, hasFailed: false });
    } catch {
      change({ hasFailed: true });
    }
  }

  function load(): Promise<void> {
    asking ??= ask().finally(() => (asking = null));
    return asking;
  }

  /** Loads the comments if the newest one is unknown. The request for one comment is small and cached. */
  async function lookForNewest(): Promise<void> {
    const { comments, latest, own, removed, newest: last } = $thread.get();
    const known = [...(latest ?? []), ...(comments ?? []), ...own, ...(last ? [last] : [])];
    // Servers without pagination would return everything.
    if (comments === null || comments.some(({ position }) => position === undefined)) return;
    try {
      const [newest] = await readNewest();
      const isKnown = !newest || removed.includes(newest._id) || known.some(({ _id }) => _id === newest._id);
      if (!isKnown) await load();
    } catch {
      // The next poll tries again.
    }
  }

  async function askRest(comments: readonly Comment[], rest: number): Promise<Comment | null> {
    try {
      const part = await readOn({ comments, rest }, false);
      // Reset before `change`, because a subscriber may call `loadMore` at once.
      askingRest = null;
      if ($thread.get().comments !== comments) return null;
      change(part);
      return part.comments[comments.length] ?? null;
    } catch (error) {
      askingRest = null;
      showFailure(error, '没能取得更多评论，请再试一次', loadMore);
      return null;
    }
  }

  async function loadMore(): Promise<Comment | null> {
    const { comments, rest } = $thread.get();
    if (comments === null || rest === 0) return null;
    askingRest ??= askRest(comments, rest);
    return askingRest;
  }

  function showFailure(error: unknown, otherwise: string, retry: () => unknown): void {
    if (isCallError(error, 'refused') || isCallError(error, 'signed-out')) return;
    showRetry(isCallError(error) ? error.message : otherwise, retry);
  }

  async function remove(comment: Pick<Comment, '_id'>): Promise<boolean> {
    const { removed } = $thread.get();
    if (removed.includes(comment._id)) return false;
    change({ removed: [...removed, comment._id] });
    try {
      await call('commentDelete', { id: comment._id });
      return true;
    } catch (error) {
      change({ removed: $thread.get().removed.filter((id) => id !== comment._id) });
      showFailure(error, '没有删除，请再试一次', () => remove(comment));
      return false;
    }
  }

  return {
    $thread: $thread as ReadableAtom<ThreadState>,
    /**
     * Loads the newest comments. The first response is shown at once; later ones are kept in `latest` so
     * nothing moves.
     */
    load,
    /** Loads the following comments, with a message on failure; resolves to the first of them, or null. */
    loadMore,
    showLatest(): void {
      const { latest, comments, rest: older } = $thread.get();
      if (!latest) return;
      if (isConversation) {
        const unseen = unseenIn($thread.get()).toReversed();
        // There may be more: reads the thread again.
        if (unseen.length >= COMMENT_PAGE_SIZE) {
          change({ latest: null, comments: null });
          void load();
          return;
        }
        const last = latest[0] ?? null;
        change({ latest: null, newest: last, comments: intoConversations(comments ?? [], unseen) });
        return;
      }
      const newest = partOf(latest);
      const [first, end] = [comments?.[0], latest.at(-1)];
      const rest = end ? (comments ?? []).filter((comment) => isOlder(comment, end)) : [];
      // If comments between the new ones and the known ones are missing, drops the known ones; they load
      // again.
      const isJoined = newest.rest > 0 && rest.length > 0 && first && end && !isOlder(first, end);
      change({ latest: null, ...(isJoined ? { comments: [...latest, ...rest], rest: older } : newest) });
    },
    add(comment: Comment): void {
      const { own, rest } = $thread.get();
      const others = own.filter(({ _id }) => _id !== comment._id);
      const isNew = isForward && others.length === own.length;
      change({ own: [comment, ...others], rest: isNew ? rest + 1 : rest });
    },
    replace(comment: Comment): void {
      const { comments, own, latest } = $thread.get();
      const put = (list: readonly Comment[]) =>
        list.map((each) => {
          if (each._id !== comment._id) return each;
          const { position } = each;
          return position === undefined ? comment : { ...comment, position };
        });
      change({ comments: comments && put(comments), own: put(own), latest: latest && put(latest) });
    },
    remove,
    /**
     * Looks for new comments while the page is visible: when the reader returns, when `watch` reports some,
     * and otherwise every half minute by requesting only the newest. Returns a function that stops it.
     */
    follow(watch: Watch = unwatched): () => void {
      const isSeen = () => document.visibilityState === 'visible';
      let timer: ReturnType<typeof setTimeout> | undefined;
      const { isWatching, stop } = watch(articleId, () => {
        clearTimeout(timer);
        const wait = Math.max(0, askedAt + MIN_POLL_INTERVAL_MS - Date.now());
        timer = setTimeout(() => isSeen() && void load(), wait);
      });
      const look = () => {
        if (isSeen() && Date.now() - askedAt > MIN_RELOAD_INTERVAL_MS) void load();
      };
      const poll = setInterval(() => {
        if (isSeen() && !isWatching()) void lookForNewest();
      }, POLL_INTERVAL_MS);
      document.addEventListener('visibilitychange', look);
      return () => {
        stop();
        clearTimeout(timer);
        clearInterval(poll);
        document.removeEventListener('visibilitychange', look);
      };
    },
  };
}

export function visibleComments<C extends Pick<Comment, '_id' | 'reply_id'>>({
  order,
  comments,
  own,
  removed,
}: Seen<C>): C[] {
  const listed = new Set(comments?.map(({ _id }) => _id));
  const others = own.filter(({ _id }) => !listed.has(_id));
  const known = comments ?? [];
  const all =
    order === 'conversation'
      ? intoConversations<C>(known, others.toReversed())
      : order === 'oldest'
        ? [...known, ...others.toReversed()]
        : [...others, ...known];
  return removed.length === 0 ? all : all.filter(({ _id }) => !removed.includes(_id));
}

export function unseenRest({ order, comments, own, rest }: ThreadState): number {
  if (order !== 'oldest') return rest;
  const listed = new Set(comments?.map(({ _id }) => _id));
  return Math.max(0, rest - own.filter(({ _id }) => !listed.has(_id)).length);
}

export function unseenIn(state: ThreadState, latest = state.latest): Comment[] {
  const seen = new Set([...(state.comments ?? []), ...state.own].map(({ _id }) => _id));
  const { order, newest } = state;
  const end = state.rest > 0 ? state.comments?.at(-1) : undefined;
  const isKnown = (comment: Comment) =>
    order === 'conversation'
      ? newest !== null && !isOlder(newest, comment)
      : end !== undefined && isOlder(comment, end);
  return (latest ?? []).filter(
    (comment) => !seen.has(comment._id) && !state.removed.includes(comment._id) && !isKnown(comment),
  );
}
