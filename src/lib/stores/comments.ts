import { atom, type ReadableAtom } from 'nanostores';
import type { Client } from '../client/client.ts';
import { isCallError } from '../client/call-error.ts';
import type { Comment } from '../contract/entities.ts';
import { showError } from './toasts.ts';

/** The comments of an article as a reader sees them. */
export interface ThreadState {
  /** Newest first; null until the server has answered. */
  comments: readonly Comment[] | null;
  /** Written here since; what the server lists stands in `comments` as well. */
  own: readonly Comment[];
  /** What the server listed last, where it holds comments that the reader has not asked to see yet. */
  latest: readonly Comment[] | null;
  /** Ids of deleted comments. */
  removed: readonly string[];
  /** Whether the last attempt to ask the server failed. */
  hasFailed: boolean;
}

export interface CommentThread {
  readonly $thread: ReadableAtom<ThreadState>;
  /** Asks the server. The first answer is shown at once; later ones wait in `latest` so that nothing moves under the reader. */
  load(): Promise<void>;
  /** Shows what waits. */
  showLatest(): void;
  /** Puts a comment just written on top. */
  add(comment: Comment): void;
  /** Takes a comment away; it is back, with a message, where the server does not agree. Resolves to whether it is gone. */
  remove(comment: Comment): Promise<boolean>;
  /** Looks for new comments whenever the reader comes back to the page; returns how to stop. */
  follow(): () => void;
}

/** How long what the server said is good enough for a reader who comes back to the page. */
const FRESH_MS = 15_000;

/** The comments under an article, by calls of `call`. */
export function createThread(articleId: string, call: Client['call']): CommentThread {
  const $thread = atom<ThreadState>({
    comments: null,
    own: [],
    latest: null,
    removed: [],
    hasFailed: false,
  });
  let askedAt = 0;
  let asking: Promise<void> | null = null;

  const change = (changes: Partial<ThreadState>) => $thread.set({ ...$thread.get(), ...changes });

  async function ask(): Promise<void> {
    askedAt = Date.now();
    try {
      const answer = await call('pageComments', { page_id: articleId }, { background: true });
      const state = { ...$thread.get(), hasFailed: false };
      if (state.comments === null) $thread.set({ ...state, comments: answer });
      else $thread.set({ ...state, latest: unseenIn(state, answer).length > 0 ? answer : null });
    } catch {
      change({ hasFailed: true });
    }
  }

  function load(): Promise<void> {
    asking ??= ask().finally(() => (asking = null));
    return asking;
  }

  function bringBack(comment: Comment, error: unknown): void {
    change({ removed: $thread.get().removed.filter((id) => id !== comment._id) });
    // A refusal is told by the call itself.
    if (isCallError(error, 'refused') || isCallError(error, 'signed-out')) return;
    const text = isCallError(error) ? error.message : '没有删除，请再试一次';
    showError(text, { text: '重试', run: () => void remove(comment) });
  }

  async function remove(comment: Comment): Promise<boolean> {
    const { removed } = $thread.get();
    if (removed.includes(comment._id)) return false;
    change({ removed: [...removed, comment._id] });
    try {
      await call('commentDelete', { id: comment._id });
      return true;
    } catch (error) {
      bringBack(comment, error);
      return false;
    }
  }

  return {
    $thread,
    load,
    showLatest() {
      const { latest } = $thread.get();
      if (latest) change({ comments: latest, latest: null });
    },
    add(comment) {
      const { own } = $thread.get();
      change({ own: [comment, ...own.filter(({ _id }) => _id !== comment._id)] });
    },
    remove,
    follow() {
      const look = () => {
        if (document.visibilityState === 'visible' && Date.now() - askedAt > FRESH_MS) void load();
      };
      document.addEventListener('visibilitychange', look);
      return () => document.removeEventListener('visibilitychange', look);
    },
  };
}

/** What a reader sees of `state`, newest first: each comment once, none that was deleted. */
export function visibleComments({ comments, own, removed }: ThreadState): Comment[] {
  const listed = new Set(comments?.map(({ _id }) => _id));
  const all = [...own.filter(({ _id }) => !listed.has(_id)), ...(comments ?? [])];
  return removed.length === 0 ? all : all.filter(({ _id }) => !removed.includes(_id));
}

/** Comments of `latest` that the reader has not seen. */
export function unseenIn(state: ThreadState, latest = state.latest): Comment[] {
  const seen = new Set([...(state.comments ?? []), ...state.own].map(({ _id }) => _id));
  return (latest ?? []).filter(({ _id }) => !seen.has(_id) && !state.removed.includes(_id));
}
