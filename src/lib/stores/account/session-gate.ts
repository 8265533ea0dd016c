import { atom } from 'nanostores';
import { isCallError } from '../../client/call-error.ts';
import { readSignIn } from '../../client/cookies.ts';
import { freshToken, goToSignIn } from '../api.ts';

export const $gateFailure = atom<string | null>(null);

const TRIED = 'moye-gate';
/** A reload within this time came from the gate: the fresh token did not help. */
const RELOAD_WINDOW_MS = 10_000;

/**
 * Handles a page hidden from visitors that was requested with an expired token: renews the token silently and
 * reloads once. A reader whose sign-in has ended goes to the sign-in page; visitors, and readers who may not
 * see the page, go to /404.
 */
export async function passGate(): Promise<void> {
  $gateFailure.set(null);
  const signIn = readSignIn();
  if (!signIn || hasJustTried()) return location.replace('/404');
  try {
    if ((await freshToken(signIn.token)) === null) return goToSignIn();
    sessionStorage.setItem(TRIED, `${Date.now()} ${location.pathname}`);
    location.reload();
  } catch (error) {
    $gateFailure.set(isCallError(error) ? error.message : '这一页暂时打不开，请稍后再试');
  }
  return undefined;
}

function hasJustTried(): boolean {
  const [time = '', path] = (sessionStorage.getItem(TRIED) ?? '').split(' ');
  sessionStorage.removeItem(TRIED);
  return path === location.pathname && Math.abs(Date.now() - Number(time)) < RELOAD_WINDOW_MS;
}
