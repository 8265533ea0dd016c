import { createClient } from '../client/client.ts';
import { readSignIn, writeSignIn } from '../client/cookies.ts';
import { isSignPage, signInUrl } from '../same-site-path.ts';
import { countRequest } from './inflight.ts';
import { forgetSignIn } from './session.ts';
import { showError, showNotice } from './toasts.ts';

const client = createClient({
  signIn: { read: readSignIn, write: writeSignIn, forget: forgetEnded },
  signedOut: goToSignIn,
  refused: showError,
  started: countRequest,
});

/** Calls of the contract, for islands; see `Client`. */
export const { call, upload, freshToken } = client;

/** How long signing out waits for the server. */
const FAREWELL_MS = 3_000;
/** By then the page has been left, unless the reader was asked and stays. */
const LEAVING_MS = 5_000;
let isLeaving = false;

/** Leaves the page for `url` of this site; `goToSignIn` then changes nothing. */
export function leaveFor(url: string): void {
  isLeaving = true;
  const forgive = () => {
    isLeaving = false;
  };
  // Whoever comes back by the back button, or chose to stay when the page asked, may be led elsewhere.
  addEventListener('pagehide', forgive, { once: true });
  setTimeout(forgive, LEAVING_MS);
  location.assign(url);
}

/** The editor says itself that its author has to sign in again. */
const isDesk = () => 'desk' in document.documentElement.dataset;

/** Forgets a sign-in that has ended, and says so where the reader stays: nobody may wait for the call. */
function forgetEnded(): void {
  forgetSignIn();
  // Who waits for the call, or for a page of their own, is led to the sign-in page now.
  setTimeout(() => {
    if (isLeaving || isDesk() || isSignPage(location.pathname)) return;
    showNotice('登录已过期，现在是以访客身份浏览', { text: '重新登录', run: goToSignIn });
  });
}

/** Forgets the sign-in and goes to the sign-in page and back, unless on it or leaving already. */
export function goToSignIn(): void {
  forgetSignIn();
  if (isLeaving || isSignPage(location.pathname)) return;
  leaveFor(signInUrl(location.pathname + location.search + location.hash));
}

/** Ends this sign-in on the server and in every tab; offline the server forgets when its tokens end. */
export async function signOut(): Promise<void> {
  const told = call('signout', {}, { quiet: true, keepalive: true }).catch(() => undefined);
  await Promise.race([told, new Promise((resolve) => setTimeout(resolve, FAREWELL_MS))]);
  forgetSignIn();
}
