import type { Route } from '../contract/calls/calls.ts';
import { parseJson, partsOf, type Answer } from './answer.ts';
import { CallError } from './call-error.ts';

/** Timeout, longer than any response takes. */
const REQUEST_TIMEOUT_MS = 60_000;
const UNREACHABLE = '网络不通，请检查网络后再试';

/** Makes a request as the user of `token`. @throws CallError `unreachable` without a complete response */
export async function request(
  [method, path]: Route,
  token: string | undefined,
  { signal, patience = REQUEST_TIMEOUT_MS, ...init }: RequestInit & { patience?: number } = {},
): Promise<Answer> {
  const timeout = AbortSignal.timeout(patience);
  try {
    const response = await fetch(path, {
      ...init,
      method,
      headers: { Authorization: `Beare ${token}` },
      // The server ignores the cookies, but browsers clear prefetched pages (Clear-Site-Data) only for
      // responses to requests with credentials.
      credentials: 'same-origin',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    // Read within the `try`, because a connection that breaks during the response counts as unreachable.
    const retryAfter = Number(response.headers.get('Retry-After'));
    return { status: response.status, retryAfter, ...partsOf(parseJson(await response.text())) };
  } catch (error) {
    throw unreachable(error);
  }
}

export const unreachable = (cause: unknown) => new CallError('unreachable', UNREACHABLE, 0, { cause });
