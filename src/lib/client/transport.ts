import type { Route } from '../contract/routes.ts';
import { parseJson, partsOf, type Answer } from './answer.ts';
import { CallError } from './call-error.ts';

/** Longer than any answer takes: what has said nothing by then is not going to. */
const PATIENCE_MS = 60_000;
const UNREACHABLE = '网络不通，请检查网络后再试';

/** Makes a request as whoever `token` stands for. @throws CallError `unreachable` without a whole answer */
export async function request(
  [method, path]: Route,
  token: string | undefined,
  { signal, patience = PATIENCE_MS, ...init }: RequestInit & { patience?: number } = {},
): Promise<Answer> {
  const timeout = AbortSignal.timeout(patience);
  try {
    const response = await fetch(path, {
      ...init,
      method,
      headers: { Authorization: `Beare ${token}` },
      // The server does not look at the cookies; but only an answer to a request with them may clear what was
      // fetched ahead.
      credentials: 'same-origin',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    // Read here: a connection that breaks in the middle of an answer gave none.
    const retryAfter = Number(response.headers.get('Retry-After'));
    return { status: response.status, retryAfter, ...partsOf(parseJson(await response.text())) };
  } catch (error) {
    throw unreachable(error);
  }
}

/** What a call fails with that has no answer. */
export const unreachable = (cause: unknown) => new CallError('unreachable', UNREACHABLE, 0, { cause });
