import { atom, onMount } from 'nanostores';
import { isCallError } from '../client/call-error.ts';
import { readSignIn } from '../client/cookies.ts';
import { openLive, type Live } from '../client/live.ts';
import { call, goToSignIn } from './api.ts';
import { whileSignedIn } from './session.ts';

/** Unread comments addressed to whoever is signed in; 0 for visitors. Live while something listens. */
export const $unread = atom(0);

/** How often the server has told the number: the same one may mean others, one read and another come. */
export const $tidings = atom(0);

/** The socket, while there is one, and the article whose comments are on the page. */
let live: Live | null = null;
let watched: { articleId: string; told: () => void } | null = null;

/**
 * Calls `told` whenever the server says that an article has other comments, which it does only while
 * `isTold()`: to whoever is signed in, over the socket that follows the unread count.
 */
export function watchComments(articleId: string, told: () => void) {
  const own = { articleId, told };
  watched = own;
  live?.watch(articleId);
  return {
    isTold: () => live?.isOpen() === true,
    stop() {
      if (watched === own) watched = null;
    },
  };
}

onMount($unread, () =>
  typeof document === 'undefined' ? undefined : whileSignedIn(followUnread, () => $unread.set(0)),
);

/** Follows the user's count until the function returned is called. */
function followUnread(username: string): () => void {
  const over = new AbortController();
  let opened: Live | null = null;
  // Asked first: it also replaces an expired token, with which the socket would be refused.
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
        comments: (articleId) => watched?.articleId === articleId && watched.told(),
      });
      live = opened;
      if (watched) live.watch(watched.articleId);
    },
    (error: unknown) => {
      if (over.signal.aborted) return;
      // A sign-in that ended is told. A token the server never knew leaves a reader who only reads where they
      // are, as a visitor.
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
