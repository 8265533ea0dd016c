import Cookies from 'js-cookie';
import { isSameName } from '../contract/names.ts';
import { readClaims } from './token.ts';

/** A sign-in as the browser keeps it, in cookies that existing clients know by the same names. */
export interface SignIn {
  username: string;
  token: string;
  refreshToken: string;
}

const LASTS_S = 30 * 24 * 3600;

const attributes = () => ({
  path: '/',
  sameSite: 'lax' as const,
  secure: location.protocol === 'https:',
  'max-age': String(LASTS_S),
});

/** The sign-in in the cookies, by the token's own username; null if a part is missing or somebody else's. */
export function readSignIn(): SignIn | null {
  const username = Cookies.get('user')?.trim() ?? '';
  const token = Cookies.get('token') ?? '';
  const refreshToken = Cookies.get('refreshToken') ?? '';
  const claims = readClaims(token);
  if (username === '' || !claims || !readClaims(refreshToken)) return null;
  const ownName = claims.username ?? username;
  return isSameName(ownName, username) ? { username: ownName, token, refreshToken } : null;
}

/** Keeps a sign-in for 30 days, on every path of this site. */
export function writeSignIn({ username, token, refreshToken }: SignIn): void {
  Cookies.set('user', username, attributes());
  Cookies.set('token', token, attributes());
  Cookies.set('refreshToken', refreshToken, attributes());
}

/** Forgets the sign-in. */
export function clearSignIn(): void {
  for (const name of ['user', 'token', 'refreshToken']) Cookies.remove(name, { path: '/' });
}
