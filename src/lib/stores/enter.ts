import { CallError } from '../client/call-error.ts';
import { readSignIn } from '../client/cookies.ts';
import { readClaims } from '../client/token.ts';
import type { TokenPair } from '../contract/entities.ts';
import { call, freshToken } from './api.ts';
import { signIn } from './session.ts';

/** What a browser is told that keeps no cookies: without them nobody stays signed in. */
export const NO_COOKIES = '浏览器没有为本站保存 Cookie，无法保持登录。请在浏览器设置中允许 Cookie 后再试。';

interface Forms {
  signin: { username: string; password: string };
  signup: Forms['signin'] & {
    repassword: string;
    gender: 'm' | 'f' | 'x';
    bio: string;
    invite?: string;
    check?: string;
  };
  operatorSetup: Forms['signin'] & { repassword: string; key: string };
  signinFinish: { ticket: string; code: string };
}

/** Signs in or up; once resolved, browser and every tab know. @throws CallError, its message for the form */
export async function enter<N extends keyof Forms>(name: N, fields: Forms[N]): Promise<void> {
  if (!navigator.cookieEnabled) throw new CallError('refused', NO_COOKIES);
  // Each call takes the fields that stand under its name.
  const pair = await call(name, fields as never, { quiet: true });
  await enterWith(pair, 'username' in fields ? fields.username : '');
}

/**
 * Keeps the tokens that a call has answered with; `typed` is the name that was signed in with, for servers
 * whose tokens do not tell. @throws CallError
 */
export async function enterWith(
  { token, refresh_token: refreshToken }: TokenPair,
  typed = '',
): Promise<void> {
  signIn({ username: readClaims(token)?.username ?? (await nameOf(typed)), token, refreshToken });
  if (readSignIn()?.token !== token) throw new CallError('refused', NO_COOKIES);
}

/** The name as a server keeps it whose tokens do not tell: people sign in with another case or width. */
async function nameOf(typed: string): Promise<string> {
  try {
    return (await call('userDetail', { username: typed }, { quiet: true })).username;
  } catch {
    // Signed in they are, whatever became of this answer; pages compare names without regard to case and
    // width.
    return typed.trim().normalize('NFC');
  }
}

/** Whether the browser's sign-in still works, by renewing it; false also without an answer. */
export async function provesSignedIn(): Promise<boolean> {
  const held = readSignIn();
  try {
    return held !== null && (await freshToken(held.token)) !== null;
  } catch {
    return false;
  }
}
