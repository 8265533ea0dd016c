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
