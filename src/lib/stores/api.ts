import { createClient } from '../client/client.ts';
import { readSignIn, writeSignIn } from '../client/cookies.ts';
import { isSignPage, signInUrl } from '../shared/same-site-path.ts';
import { countRequest } from './inflight.ts';
import { forgetSignIn } from './account/session.ts';
import { showError, showNotice } from './toasts.ts';

const client = createClient({
  signIn: { read: readSignIn, write: writeSignIn, forget: forgetEnded },
  signedOut: goToSignIn,
  refused: showError,
  started: countRequest,
});

export const { call, upload, freshToken } = client;

const FAREWELL_TIMEOUT_MS = 3_000;
/** By then the page has been left, unless the reader chose to stay on it. */
const LEAVE_TIMEOUT_MS = 5_000;
let isLeaving = false;

/** Navigates to `url` of this site. `goToSignIn` does nothing in the meantime. */
export function leaveFor(url: string): void {
  isLeaving = true;
  const forgive = () => {
    isLeaving = false;
  };
  // The reader may return with the Back button or choose to stay: then `goToSignIn` must work again.
  addEventListener('pagehide', forgive, { once: true });
  setTimeout(forgive, LEAVE_TIMEOUT_MS);
  location.assign(url);
}

/** The editor shows its own message when its author has to sign in again. */
const isDesk = () => 'desk' in document.documentElement.dataset;

function forgetEnded(): void {
  forgetSignIn();
  // Deferred: calls and pages that require a sign-in redirect first and need no notice.
  setTimeout(() => {
    if (isLeaving || isDesk() || isSignPage(location.pathname)) return;
    showNotice('登录已过期，现在是以访客身份浏览', { text: '重新登录', run: goToSignIn });
  });
}

/**
 * Forgets the sign-in and opens the sign-in page, which returns here; only forgets it if that page is already
 * open or the page is being left.
 */
export function goToSignIn(): void {
  forgetSignIn();
  if (isLeaving || isSignPage(location.pathname)) return;
  leaveFor(signInUrl(location.pathname + location.search + location.hash));
}

/**
 * Ends this sign-in on the server and in every tab; calls that are refused meanwhile do not redirect to the
 * sign-in page. Offline, its tokens stay valid on the server until they expire.
 */
export async function signOut(): Promise<void> {
  isLeaving = true;
  const told = call('signout', {}, { quiet: true, keepalive: true }).catch(() => undefined);
  await Promise.race([told, new Promise((resolve) => setTimeout(resolve, FAREWELL_TIMEOUT_MS))]);
  forgetSignIn();
  isLeaving = false;
}
