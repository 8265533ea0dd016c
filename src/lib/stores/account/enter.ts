import { isOffered } from '../../client/offered.ts';
import { CallError } from '../../client/call-error.ts';
import { readSignIn } from '../../client/cookies.ts';
import { readClaims } from '../../shared/token.ts';
import type { TokenPair } from '../../contract/entities.ts';
import { call, freshToken } from '../api.ts';
import { signIn } from './session.ts';

export const NO_COOKIES = '浏览器没有为本站保存 Cookie，无法保持登录。请在浏览器设置中允许 Cookie 后再试。';

/** Page after a sign-in: `next`, or the settings if the account is about to be closed. */
export async function pageAfter(next: string): Promise<string> {
  if (!isOffered('accountKeep')) return next;
  try {
    const { closing_time } = await call('safety', {}, { quiet: true });
    return closing_time === null ? next : '/user/settings#closing';
  } catch {
    return next;
  }
}

/** Calls of forms that sign in. */
export type SignCall = 'signin' | 'signup' | 'operatorSetup' | 'signinFinish';

/** Signs in or up and updates every tab. @throws CallError whose message is for the form */
export async function enter(name: SignCall, fields: Record<string, string>): Promise<void> {
  if (!navigator.cookieEnabled) throw new CallError('refused', NO_COOKIES);
  // The names of the controls and the validation guarantee the type.
  const pair = await call(name, fields as never, { quiet: true });
  await enterWith(pair, fields['username']);
}

/**
 * Stores the tokens of a response. `typed` is the name that was entered, for servers whose tokens contain no
 * name. @throws CallError
 */
export async function enterWith(
  { token, refresh_token: refreshToken }: TokenPair,
  typed = '',
): Promise<void> {
  signIn({ username: readClaims(token)?.username ?? (await nameOf(typed)), token, refreshToken });
  if (readSignIn()?.token !== token) throw new CallError('refused', NO_COOKIES);
}

/**
 * Returns the name as the server stores it if its tokens contain none: readers may type another case or
 * width.
 */
async function nameOf(typed: string): Promise<string> {
  try {
    return (await call('userDetail', { username: typed }, { quiet: true })).username;
  } catch {
    // The reader is signed in even if this call fails; pages compare names without regard to case and width.
    return typed.trim().normalize('NFC');
  }
}

export async function provesSignedIn(): Promise<boolean> {
  const held = readSignIn();
  try {
    return held !== null && (await freshToken(held.token)) !== null;
  } catch {
    return false;
  }
}
