/** Begin of the addresses at which browsers sign in by an identity provider: `/{id}`, `/{id}/callback`. */
export const OAUTH_PATH = '/api/oauth';

export const callbackPath = <Provider extends string>(provider: Provider) =>
  `${OAUTH_PATH}/${provider}/callback` as const;

/** Finishes the sign-up of a person whom a provider has confirmed. */
export const NEWCOMER_PATH = '/api/signup/oauth';

/** Cookie of a browser on its way to a provider and back. */
export const FLOW_COOKIE = 'moye-oauth';

/** Whether browsers open the address themselves, which is answered with a redirect and cookies. */
export const isOauthPath = (pathname: string): boolean =>
  pathname.startsWith(`${OAUTH_PATH}/`) || pathname === NEWCOMER_PATH;
