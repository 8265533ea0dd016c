import Cookies from 'js-cookie';
import { isSameName } from '../contract/rules/names.ts';
import { readClaims } from '../shared/token.ts';

/** Session stored in cookies, whose names existing clients know. */
export interface SignIn {
  username: string;
  token: string;
  refreshToken: string;
}

const COOKIE_MAX_AGE_S = 30 * 24 * 3600;

const attributes = () => ({
  path: '/',
  sameSite: 'lax' as const,
  secure: location.protocol === 'https:',
  'max-age': String(COOKIE_MAX_AGE_S),
});

/**
 * Reads the session from the cookies. Its username is the one in the token. Returns null if a part is missing
 * or belongs to another user.
 */
export function readSignIn(): SignIn | null {
  const username = Cookies.get('user')?.trim() ?? '';
  const token = Cookies.get('token') ?? '';
  const refreshToken = Cookies.get('refreshToken') ?? '';
  const claims = readClaims(token);
  if (username === '' || !claims || !readClaims(refreshToken)) return null;
  const ownName = claims.username ?? username;
  return isSameName(ownName, username) ? { username: ownName, token, refreshToken } : null;
}

/** Stores a session for 30 days, for all paths of this site. */
export function writeSignIn({ username, token, refreshToken }: SignIn): void {
  Cookies.set('user', username, attributes());
  Cookies.set('token', token, attributes());
  Cookies.set('refreshToken', refreshToken, attributes());
}

export function clearSignIn(): void {
  for (const name of ['user', 'token', 'refreshToken']) Cookies.remove(name, { path: '/' });
}
