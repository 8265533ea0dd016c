import { atom, onMount } from 'nanostores';
import { isCallError } from '../../client/call-error.ts';
import { readSignIn } from '../../client/cookies.ts';
import { openLive, type Live } from '../../client/live.ts';
import { call, goToSignIn } from '../api.ts';
import { whileSignedIn } from '../account/session.ts';

/** Unread comments addressed to the signed-in user; 0 for visitors. Live while it has a subscriber. */
export const $unread = atom(0);

/** Unread notifications of the signed-in user, kept like `$unread`; 0 until the server has sent it. */
export const $notified = atom(0);

/** Counts messages of the server: an equal number may mean other comments, one read and one new. */
export const $tidings = atom(0);

let live: Live | null = null;
let watched: { articleId: string; changed: () => void } | null = null;

/**
 * Calls `changed` whenever the server reports changed comments of an article, over the socket that follows
 * the unread count. Works only for signed-in users; `isWatching()` returns whether that socket is open.
 */
export function watchComments(articleId: string, changed: () => void) {
  const own = { articleId, changed };
  watched = own;
  live?.watch(articleId);
  return {
    isWatching: () => live?.isOpen() === true,
    stop() {
      if (watched === own) watched = null;
    },
  };
}

onMount($unread, () =>
  typeof document === 'undefined'
    ? undefined
    : whileSignedIn(followUnread, () => {
        $unread.set(0);
        $notified.set(0);
      }),
);

function followUnread(username: string): () => void {
  const over = new AbortController();
  let opened: Live | null = null;
  // First: this call also replaces an expired token, which the socket would refuse.
  call('unreadNum', {}, { background: true, as: username, signal: over.signal }).then(
    (count) => {
      const token = readSignIn()?.token;
      if (over.signal.aborted || token === undefined) return;
      $unread.set(count);
      opened = openLive(token, {
        unread(count) {
          $unread.set(count);
          $tidings.set($tidings.get() + 1);
        },
        notified: $notified.set,
        comments: (articleId) => watched?.articleId === articleId && watched.changed(),
      });
      live = opened;
      if (watched) live.watch(watched.articleId);
    },
    (error: unknown) => {
      if (over.signal.aborted) return;
      // An expired sign-in redirects to the sign-in page. If the server never knew the token, the reader
      // stays here as a visitor.
      if (isCallError(error, 'signed-out') && error.status === 401) goToSignIn();
      else console.info('live updates are off:', error);
    },
  );
  return () => {
    over.abort();
    opened?.close();
    if (live === opened) live = null;
  };
}
