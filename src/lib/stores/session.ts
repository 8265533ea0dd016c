import { atom, onMount } from 'nanostores';
import { clearSignIn, readSignIn, writeSignIn, type SignIn } from '../client/cookies.ts';

/** Who is signed in, null for a visitor and on the server: pages are the same for everybody. */
export const $session = atom<{ username: string } | null>(null);

const CHANNEL = 'moye-session';

onMount($session, () => {
  if (typeof document === 'undefined') return undefined;
  readAgain();
  let channel = listen();
  // An open channel may keep a page out of the back/forward cache; what it misses there is read on the way
  // back.
  const hide = () => channel.close();
  const show = ({ persisted }: PageTransitionEvent) => {
    if (!persisted) return;
    channel = listen();
    readAgain();
  };
  addEventListener('pagehide', hide);
  addEventListener('pageshow', show);
  // Cookies also change without us: another client of this site, the reader's own cleaning.
  document.addEventListener('visibilitychange', readAgain);
  return () => {
    channel.close();
    removeEventListener('pagehide', hide);
    removeEventListener('pageshow', show);
    document.removeEventListener('visibilitychange', readAgain);
  };
});

/**
 * Keeps something open for as long as somebody is signed in and the page is shown: an open socket keeps a
 * page out of the back/forward cache, and coming back out of it is like a next page.
 * @param open begins it for who is signed in, and returns what ends it
 * @param forget drops what was told to whoever was signed in before
 * @returns what ends all of it
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

/** Signs in here and in the other tabs. */
export function signIn(signedIn: SignIn): void {
  writeSignIn(signedIn);
  tellTabs();
}

/** Signs out here and in the other tabs; the server is not told (see `signOut` in api.ts). */
export function forgetSignIn(): void {
  clearSignIn();
  tellTabs();
}

function listen(): BroadcastChannel {
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener('message', readAgain);
  return channel;
}

function tellTabs(): void {
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
