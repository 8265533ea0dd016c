import { routes } from '../contract/routes.generated.ts';
import { asksForSignIn, dataOf } from './answer.ts';
import { CallError } from './call-error.ts';
import type { SignIn } from './cookies.ts';
import { readClaims } from '../shared/token.ts';
import { request } from './transport.ts';

/** Storage of this browser's session, shared by all tabs. */
export interface StoredSignIn {
  read(): SignIn | null;
  write(signIn: SignIn): void;
  forget(): void;
}

export interface FreshTokens {
  isOver(token: string): boolean;
  /**
   * Exchanges the refresh token, once for all waiting calls of all tabs.
   * @param expired the expired token; without it the current one, which is returned unless it has expired
   * @returns null without a session; an ended session has been removed from storage by then
   * @throws CallError if the exchange got no response, or one that does not conform to the contract. The
   *   session is kept, because a retry may help
   */
  freshToken(expired?: string): Promise<string | null>;
}

const LOCK = 'moye-refresh';
/** Below the 30 s in which the server answers a repeated exchange with the same new token. */
const REFRESH_TIMEOUT_MS = 15_000;

export function createFreshTokens(storage: StoredSignIn): FreshTokens {
  let isClockRight = true;
  let underWay: { expired: string; token: Promise<string | null> } | undefined;

  const isOver = (token: string) =>
    isClockRight && (readClaims(token)?.expires ?? Number.POSITIVE_INFINITY) <= Date.now();

  async function exchange(expired: string): Promise<string | null> {
    const signIn = storage.read();
    // The previous holder of the lock, perhaps in another tab, has already replaced it.
    if (!signIn || signIn.token !== expired) return signIn?.token ?? null;
    const answer = await request(routes.refreshToken, signIn.refreshToken, { patience: REFRESH_TIMEOUT_MS });
    const now = storage.read();
    // Signed out or in again during the request.
    if (now?.refreshToken !== signIn.refreshToken) return now?.token ?? null;
    if (asksForSignIn(answer)) {
      storage.forget();
      return null;
    }
    const { token, refresh_token: refreshToken } = dataOf(answer) as { token: string; refresh_token: string };
    const claims = readClaims(token);
    if (!claims || !readClaims(refreshToken))
      throw new CallError('fault', '登录未能延续，请稍后再试', answer.status);
    // The user may have another name by now.
    storage.write({ username: claims.username ?? signIn.username, token, refreshToken });
    // Chromium writes cookies asynchronously. Reading them ensures that they are written before the next tab
    // gets the lock.
    storage.read();
    // A new token that has already expired means that this device's clock is wrong. From now on, only the
    // server decides.
    isClockRight &&= !isOver(token);
    return token;
  }

  return {
    isOver,
    async freshToken(expired) {
      const token = expired ?? storage.read()?.token;
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

/**
 * Runs `work` while no other tab runs any. Without Web Locks (plain HTTP), this covers only the current tab.
 */
function oneAtATime<T>(work: () => Promise<T>): Promise<T> {
  if ('locks' in navigator) return navigator.locks.request(LOCK, work) as Promise<T>;
  const turn = last.then(work, work);
  last = turn.catch(() => undefined);
  return turn;
}
let last: Promise<unknown> = Promise.resolve();
