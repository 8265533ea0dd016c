import { routes } from '../contract/routes.ts';
import { asksForSignIn, dataOf } from './answer.ts';
import { CallError } from './call-error.ts';
import type { SignIn } from './cookies.ts';
import { readClaims } from './token.ts';
import { request } from './transport.ts';

/** Where the sign-in of this browser is kept, for all its tabs. */
export interface KeptSignIn {
  read(): SignIn | null;
  write(signIn: SignIn): void;
  forget(): void;
}

/** Access tokens that are not over. */
export interface FreshTokens {
  isOver(token: string): boolean;
  /**
   * Exchanges the refresh token, once for all calls of all tabs that wait for it.
   * @param expired the token that is over; without it the one at hand, which is returned when it is not over
   * @returns null when nobody is signed in (any more): the sign-in is forgotten by then
   * @throws CallError when the exchange got no answer, or not the contract's. The sign-in is kept: trying
   * again may help
   */
  freshToken(expired?: string): Promise<string | null>;
}

const LOCK = 'moye-refresh';
/** Less than the 30 s in which the server answers a repeated exchange with the same successor. */
const PATIENCE_MS = 15_000;

/** Fresh tokens for the sign-in that is `kept`. */
export function createFreshTokens(kept: KeptSignIn): FreshTokens {
  let isClockRight = true;
  let underWay: { expired: string; token: Promise<string | null> } | undefined;

  const isOver = (token: string) =>
    isClockRight && (readClaims(token)?.expires ?? Number.POSITIVE_INFINITY) <= Date.now();

  async function exchange(expired: string): Promise<string | null> {
    const signIn = kept.read();
    // Whoever had the lock before has replaced it already, perhaps in another tab.
    if (!signIn || signIn.token !== expired) return signIn?.token ?? null;
    const answer = await request(routes.refreshToken, signIn.refreshToken, { patience: PATIENCE_MS });
    const now = kept.read();
    // Signed out, or in anew, while the answer was under way.
    if (now?.refreshToken !== signIn.refreshToken) return now?.token ?? null;
    if (asksForSignIn(answer)) {
      kept.forget();
      return null;
    }
    const { token, refresh_token: refreshToken } = dataOf(answer) as { token: string; refresh_token: string };
    if (!readClaims(token) || !readClaims(refreshToken))
      throw new CallError('fault', '登录未能延续，请稍后再试', answer.status);
    kept.write({ ...signIn, token, refreshToken });
    // Chromium writes cookies behind the page's back. What is read again is written, before the next tab has
    // the lock.
    kept.read();
    // Over as soon as it is made: this device's clock is wrong. From now on only the server's word counts.
    isClockRight &&= !isOver(token);
    return token;
  }

  return {
    isOver,
    async freshToken(expired) {
      const token = expired ?? kept.read()?.token;
      if (token === undefined) return null;
      if (expired === undefined && !isOver(token)) return token;
      if (underWay?.expired === token) return underWay.token;
      const started = { expired: token, token: oneAtATime(() => exchange(token)) };
      underWay = started;
      try {
        return await started.token;
      } finally {
        if (underWay === started) underWay = undefined;
      }
    },
  };
}

/** Runs `work` while no other tab runs one; on plain http, without Web Locks, no other of this tab. */
function oneAtATime<T>(work: () => Promise<T>): Promise<T> {
  if ('locks' in navigator) return navigator.locks.request(LOCK, work) as Promise<T>;
  const turn = last.then(work, work);
  last = turn.catch(() => undefined);
  return turn;
}
let last: Promise<unknown> = Promise.resolve();
