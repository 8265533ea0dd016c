import { vi } from 'vitest';
import { createClient, type Client } from '../../../src/lib/client/client.ts';
import type { SignIn } from '../../../src/lib/client/cookies.ts';

/** A request that reached the fake server. */
interface Received {
  method: string;
  path: string;
  token: string;
  body: string;
}

/** Response to a request; undefined falls back to the default behaviour. */
type Answering = (received: Received) => Response | Promise<Response> | undefined;

/** A server that knows one family of tokens, and the cookies of a browser. */
export interface FakeSite {
  kept: SignIn | null;
  received: Received[];
  told: { refused: string[]; signedOut: number; underWay: number };
  /** Opens a tab of this browser: a separate client with the same cookies. */
  tab(): Client;
  /** Expires the current access token. */
  expire(): void;
  /** Overrides the default responses. */
  answer: Answering;
  count(path: string): number;
}

export const REFRESH = '/api/signin/refreshToken';
let serial = 0;
/** The server's clock, independent of a browser clock that a test changes. */
const serverNow = Date.now.bind(Date);

/** A token in the format of a JWT that expires in `seconds`. */
export function makeToken(name: string | undefined, seconds = 900, sub?: string): string {
  const claims = { name, sub, exp: Math.floor(serverNow() / 1000) + seconds, jti: ++serial };
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${encode({ alg: 'HS256' })}.${encode(claims)}.c2ln`;
}

export const ok = (data: unknown) => Response.json({ code: 'OK', data });
export const refusal = (status: number, data: string) => Response.json({ code: 'ERROR', data }, { status });

/** Opens a site signed in as `username`, or as a visitor; replaces `fetch`. */
export function openFakeSite(username: string | null = '林间'): FakeSite {
  const valid = new Set<string>();
  const expired = new Set<string>();
  const issue = (name: string) => {
    const pair = { token: makeToken(name), refreshToken: makeToken(undefined) };
    valid.add(pair.token);
    return pair;
  };
  const site: FakeSite = {
    kept: username === null ? null : { username, ...issue(username) },
    received: [],
    told: { refused: [], signedOut: 0, underWay: 0 },
    tab: () =>
      createClient({
        signIn: {
          read: () => site.kept,
          write: (signIn) => (site.kept = signIn),
          forget: () => (site.kept = null),
        },
        signedOut: () => site.told.signedOut++,
        refused: (sentence) => site.told.refused.push(sentence),
        started() {
          site.told.underWay++;
          return () => site.told.underWay--;
        },
      }),
    expire() {
      const token = site.kept?.token ?? '';
      valid.delete(token);
      expired.add(token);
    },
    answer: () => undefined,
    count: (path) => site.received.filter((each) => each.path === path).length,
  };
  const usual = ({ path, token }: Received): Response => {
    if (path === REFRESH) {
      if (token !== site.kept?.refreshToken) return refusal(402, '请重新登录');
      const pair = issue(site.kept.username);
      return ok({ token: pair.token, refresh_token: pair.refreshToken });
    }
    if (valid.has(token)) return ok(7);
    return expired.has(token) ? refusal(401, '登录超时') : refusal(402, '请重新登录');
  };
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    init.signal?.throwIfAborted();
    const received = {
      method: init.method ?? '',
      path,
      token: new Headers(init.headers).get('Authorization')?.replace('Beare ', '') ?? '',
      body: String((init.body as URLSearchParams | undefined) ?? ''),
    };
    site.received.push(received);
    const answer = Promise.resolve(site.answer(received) ?? usual(received));
    const aborted = new Promise<never>((_, reject) =>
      init.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error)),
    );
    return Promise.race([answer, aborted]);
  });
  return site;
}
