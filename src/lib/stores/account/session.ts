import { atom, onMount } from 'nanostores';
import { clearSignIn, readSignIn, writeSignIn, type SignIn } from '../../client/cookies.ts';

/** Signed-in user; null for visitors and on the server, because rendered pages are the same for everyone. */
export const $session = atom<{ username: string } | null>(null);

const CHANNEL = 'moye-session';

onMount($session, () => {
  if (typeof document === 'undefined') return undefined;
  readAgain();
  let channel = listen();
  // An open channel may keep a page out of the back/forward cache. The page reads the cookies again when it
  // returns from there.
  const hide = () => channel.close();
  const show = ({ persisted }: PageTransitionEvent) => {
    if (!persisted) return;
    channel = listen();
    readAgain();
  };
  addEventListener('pagehide', hide);
  addEventListener('pageshow', show);
  // Cookies also change without a message: by another client of this site, or when the reader clears them.
  document.addEventListener('visibilitychange', readAgain);
  return () => {
    channel.close();
    removeEventListener('pagehide', hide);
    removeEventListener('pageshow', show);
    document.removeEventListener('visibilitychange', readAgain);
  };
});

/**
 * Keeps a connection open while a user is signed in and the page is shown: an open socket keeps a page out of
 * the back/forward cache. Returning from the cache opens it again.
 * @param open opens it for the signed-in user and returns a function that closes it
 * @param forget discards the previous user's data
 * @returns a function that ends all of it
 */
export function whileSignedIn(open: (username: string) => () => void, forget: () => void): () => void {
  let close = () => undefined as void;
  const follow = () => {
    close();
    const session = $session.get();
    close = session ? open(session.username) : () => undefined;
  };
  const unsubscribe = $session.subscribe(() => {
    forget();
    follow();
  });
  const hide = () => close();
  const show = ({ persisted }: PageTransitionEvent) => {
    if (persisted) follow();
  };
  addEventListener('pagehide', hide);
  addEventListener('pageshow', show);
  return () => {
    unsubscribe();
    close();
    removeEventListener('pagehide', hide);
    removeEventListener('pageshow', show);
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

function listen(): BroadcastChannel {
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener('message', readAgain);
  return channel;
}

function notifyTabs(): void {
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
