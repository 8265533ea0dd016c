import { DAY_S } from '../contract/rules/units.ts';

/** Cookies of a browser's session, whose names existing clients know; scripts of the pages read them. */
export const SESSION_COOKIES = { username: 'user', token: 'token', refreshToken: 'refreshToken' } as const;

export const SESSION_COOKIE_MAX_AGE_S = 30 * DAY_S;
