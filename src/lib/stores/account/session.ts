import { atom, onMount } from 'nanostores';
import { clearSignIn, readSignIn, writeSignIn, type SignIn } from '../../client/cookies.ts';

/** Signed-in user; null for visitors and on the server, because rendered pages are the same for everyone. */
export const $session = atom<{ username: string } | null>(null);

const CHANNEL = 'moye-session';

onMount($session, () => {
  if (typeof document === 'undefined') return undefined;
  const stop = whileShown(() => {
    readAgain();
    const channel = new BroadcastChannel(CHANNEL);
    channel.addEventListener('message', readAgain);
    return () => channel.close();
  });
  // Cookies also change without a message: by another client of this site, or when the reader clears them.
  document.addEventListener('visibilitychange', readAgain);
  return () => {
    stop();
    document.removeEventListener('visibilitychange', readAgain);
  };
});

/**
 * Keeps a channel or socket open while the page is shown: an open one may keep a page out of the back/forward
 * cache. Returning from the cache opens it again.
 * @param open opens it and returns a function that closes it
 * @returns a function that ends all of it
 */
function whileShown(open: () => () => void): () => void {
  let close = open();
  const hide = () => close();
  const show = ({ persisted }: PageTransitionEvent) => {
    if (persisted) close = open();
  };
  addEventListener('pagehide', hide);
  addEventListener('pageshow', show);
  return () => {
    close();
    removeEventListener('pagehide', hide);
    removeEventListener('pageshow', show);
  };
}

/**
 * Keeps a connection open while a user is signed in and the page is shown.
 * @param open opens it for the signed-in user and returns a function that closes it
 * @param forget discards the previous user's data
 * @returns a function that ends all of it
 */
export function whileSignedIn(open: (username: string) => () => void, forget: () => void): () => void {
  let stop = () => undefined as void;
  const unsubscribe = $session.subscribe((session) => {
    forget();
    stop();
    stop = session ? whileShown(() => open(session.username)) : () => undefined;
  });
  return () => {
    unsubscribe();
    stop();
  };
}

export function signIn(signedIn: SignIn): void {
  writeSignIn(signedIn);
  notifyTabs();
}

/** Signs out in every tab without telling the server (see `signOut` in api.ts). */
export function forgetSignIn(): void {
  clearSignIn();
  notifyTabs();
}

/** Reads the sign-in again in every tab. */
export function notifyTabs(): void {
  readAgain();
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage('changed');
  channel.close();
}

function readAgain(): void {
  const username = readSignIn()?.username ?? null;
  if (username === ($session.get()?.username ?? null)) return;
  $session.set(username === null ? null : { username });
}
