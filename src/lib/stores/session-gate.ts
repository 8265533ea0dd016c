import { atom } from 'nanostores';
import { isCallError } from '../client/call-error.ts';
import { readSignIn } from '../client/cookies.ts';
import { freshToken, goToSignIn } from './api.ts';

/** Why the gate could not find out who the reader is; null while it tries. */
export const $gateFailure = atom<string | null>(null);

const TRIED = 'moye-gate';
/** A reload within this time is our own, and the fresh token opened nothing. */
const RELOAD_MS = 10_000;

/**
 * For a page hidden from visitors, asked for with a token that was over: signs in again silently and asks
 * once more. Whoever is no longer signed in goes to the sign-in page; visitors, and whoever may not see it
 * even so, to /404.
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
  return path === location.pathname && Math.abs(Date.now() - Number(time)) < RELOAD_MS;
}
