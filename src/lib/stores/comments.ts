import { atom, type ReadableAtom } from 'nanostores';
import type { Client } from '../client/client.ts';
import { isCallError } from '../client/call-error.ts';
import { COMMENTS_A_PAGE } from '../contract/bounds.ts';
import type { Comment } from '../contract/entities.ts';
import { extend, isOlder, partOf } from './thread-part.ts';
import { showError } from './toasts.ts';

/** The comments of an article as a reader sees them. */
export interface ThreadState {
  /** Newest first; null until the server has answered. */
  comments: readonly Comment[] | null;
  /** How many comments older than those of `comments` the server has. */
  older: number;
  /** Written here since; what the server lists stands in `comments` as well. */
  own: readonly Comment[];
  /** What the server listed last, where it holds comments that the reader has not asked to see yet. */
  latest: readonly Comment[] | null;
  /** Ids of deleted comments. */
  removed: readonly string[];
  hasFailed: boolean;
}

/** What of a thread is seen. Before the server has answered its page may bring `comments`. */
interface Seen<C> extends Pick<ThreadState, 'removed'> {
  comments: readonly C[] | null;
  own: readonly C[];
}

/** How long what the server said is good enough for a reader who comes back to the page. */
const FRESH_MS = 15_000;
/** How often whoever is not told of new comments looks for them, and how soon after another one is told. */
const POLL_MS = 30_000;
const REST_MS = 3_000;

/** Calls `told` when there may be new comments; `isTold` says whether it would (stores/unread.ts). */
type Watch = (articleId: string, told: () => void) => { isTold(): boolean; stop(): void };
const unwatched: Watch = () => ({ isTold: () => false, stop: () => undefined });

/** The comments under an article, by calls of `call`; `atLeast` must be there, if they exist, to show any. */
export function createThread(articleId: string, call: Client['call'], atLeast = 1) {
  const $thread = atom<ThreadState>({
    comments: null,
    older: 0,
    own: [],
    latest: null,
    removed: [],
    hasFailed: false,
  });
  let askedAt = 0;
  let asking: Promise<void> | null = null;
  let askingOlder: Promise<Comment | null> | null = null;

  const change = (changes: Partial<ThreadState>) => $thread.set({ ...$thread.get(), ...changes });

  const readPage = (background: boolean) => (page: number) =>
    call('articleComments', { page_id: articleId, page, pageSize: COMMENTS_A_PAGE }, { background });

  async function ask(): Promise<void> {
    askedAt = Date.now();
    try {
      let part = partOf(await readPage(true)(1));
      if ($thread.get().comments === null) {
        while (part.comments.length < atLeast && part.older > 0) part = await extend(part, readPage(true));
        change({ ...part, hasFailed: false });
      } else {
        const { comments } = part;
        const state = { ...$thread.get(), hasFailed: false };
        $thread.set({ ...state, latest: unseenIn(state, comments).length > 0 ? comments : null });
      }
    } catch {
      change({ hasFailed: true });
    }
  }

  function load(): Promise<void> {
    asking ??= ask().finally(() => (asking = null));
    return asking;
  }

  /** Loads where the newest comment is none that is known; that one alone is a small, kept answer. */
  async function lookForNewest(): Promise<void> {
    const { comments, latest, own, removed } = $thread.get();
    const known = [...(latest ?? []), ...(comments ?? []), ...own];
    // Servers without pages would answer everything.
    if (comments === null || comments.some(({ position }) => position === undefined)) return;
    try {
      const fields = { page_id: articleId, page: 1, pageSize: 1 };
      const [newest] = await call('articleComments', fields, { background: true });
      const isKnown = !newest || removed.includes(newest._id) || known.some(({ _id }) => _id === newest._id);
      if (!isKnown) await load();
    } catch {
      // The next look tries again.
    }
  }

  async function askOlder(comments: readonly Comment[], older: number): Promise<Comment | null> {
    try {
      const part = await extend({ comments, older }, readPage(false));
      // Whoever hears of the change may ask for more at once.
      askingOlder = null;
      // What has been shown meanwhile may end elsewhere.
      if ($thread.get().comments !== comments) return null;
      change(part);
      return part.comments[comments.length] ?? null;
    } catch (error) {
      askingOlder = null;
      tell(error, '没能取得更早的评论，请再试一次', () => void loadOlder());
      return null;
    }
  }

  async function loadOlder(): Promise<Comment | null> {
    const { comments, older } = $thread.get();
    if (comments === null || older === 0) return null;
    askingOlder ??= askOlder(comments, older);
    return askingOlder;
  }

  /** A refusal is told by the call itself. */
  function tell(error: unknown, otherwise: string, retry: () => void): void {
    if (isCallError(error, 'refused') || isCallError(error, 'signed-out')) return;
    showError(isCallError(error) ? error.message : otherwise, { text: '重试', run: retry });
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
      tell(error, '没有删除，请再试一次', () => void remove(comment));
      return false;
    }
  }

  return {
    $thread: $thread as ReadableAtom<ThreadState>,
    /** Asks for the newest. The first answer is shown at once; later ones wait in `latest`: nothing moves. */
    load,
    /** Asks for older comments, with a message where that fails; resolves to the newest of them, or null. */
    loadOlder,
    showLatest(): void {
      const { latest, comments, older } = $thread.get();
      if (!latest) return;
      const newest = partOf(latest);
      const [first, end] = [comments?.[0], latest.at(-1)];
      const rest = end ? (comments ?? []).filter((comment) => isOlder(comment, end)) : [];
      // Where more has been written than was answered, the rest is asked for anew.
      const isJoined = newest.older > 0 && rest.length > 0 && first && end && !isOlder(first, end);
      change({ latest: null, ...(isJoined ? { comments: [...latest, ...rest], older } : newest) });
    },
    /** Puts a comment just written on top. */
    add(comment: Comment): void {
      const { own } = $thread.get();
      change({ own: [comment, ...own.filter(({ _id }) => _id !== comment._id)] });
    },
    /** Puts a comment that has been changed in the place of what it was. */
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
    /** Takes a comment away, back with a message where the server refuses. Resolves to whether it is gone. */
    remove,
    /**
     * Looks for new comments while the page is seen: when the reader comes back, when `watch` tells of some,
     * else every half minute by asking for the newest one alone. Returns how to stop.
     */
    follow(watch: Watch = unwatched): () => void {
      const isSeen = () => document.visibilityState === 'visible';
      let timer: ReturnType<typeof setTimeout> | undefined;
      const { isTold, stop } = watch(articleId, () => {
        clearTimeout(timer);
        const wait = Math.max(0, askedAt + REST_MS - Date.now());
        timer = setTimeout(() => isSeen() && void load(), wait);
      });
      const look = () => {
        if (isSeen() && Date.now() - askedAt > FRESH_MS) void load();
      };
      const poll = setInterval(() => {
        if (isSeen() && !isTold()) void lookForNewest();
      }, POLL_MS);
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

/** What a reader sees, newest first: each comment once, none that was deleted. */
export function visibleComments<C extends { _id: string }>({ comments, own, removed }: Seen<C>): C[] {
  const listed = new Set(comments?.map(({ _id }) => _id));
  const all = [...own.filter(({ _id }) => !listed.has(_id)), ...(comments ?? [])];
  return removed.length === 0 ? all : all.filter(({ _id }) => !removed.includes(_id));
}

/** Comments of `latest` that the reader has not seen. */
export function unseenIn(state: ThreadState, latest = state.latest): Comment[] {
  const seen = new Set([...(state.comments ?? []), ...state.own].map(({ _id }) => _id));
  const end = state.older > 0 ? state.comments?.at(-1) : undefined;
  return (latest ?? []).filter(
    (comment) =>
      !seen.has(comment._id) && !state.removed.includes(comment._id) && !(end && isOlder(comment, end)),
  );
}
