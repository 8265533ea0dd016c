import Cookies from 'js-cookie';
import { isSameName } from '../contract/rules/names.ts';
import { SESSION_COOKIES, SESSION_COOKIE_MAX_AGE_S } from '../shared/session-cookies.ts';
import { readClaims } from '../shared/token.ts';

/** Session stored in cookies, whose names existing clients know. */
export interface SignIn {
  username: string;
  token: string;
  refreshToken: string;
}

const attributes = () => ({
  path: '/',
  sameSite: 'lax' as const,
  secure: location.protocol === 'https:',
  'max-age': String(SESSION_COOKIE_MAX_AGE_S),
});

/**
 * Reads the session from the cookies. Its username is the one in the token. Returns null if a part is missing
 * or belongs to another user.
 */
export function readSignIn(): SignIn | null {
  const username = Cookies.get(SESSION_COOKIES.username)?.trim() ?? '';
  const token = Cookies.get(SESSION_COOKIES.token) ?? '';
  const refreshToken = Cookies.get(SESSION_COOKIES.refreshToken) ?? '';
  const claims = readClaims(token);
  if (username === '' || !claims || !readClaims(refreshToken)) return null;
  const ownName = claims.username ?? username;
  return isSameName(ownName, username) ? { username: ownName, token, refreshToken } : null;
}

/** Stores a session for 30 days, for all paths of this site. */
export function writeSignIn({ username, token, refreshToken }: SignIn): void {
  Cookies.set(SESSION_COOKIES.username, username, attributes());
  Cookies.set(SESSION_COOKIES.token, token, attributes());
  Cookies.set(SESSION_COOKIES.refreshToken, refreshToken, attributes());
}

export function clearSignIn(): void {
  for (const name of Object.values(SESSION_COOKIES)) Cookies.remove(name, { path: '/' });
}
