import { calls, type CallName } from '../contract/calls/calls.ts';
import { isRefusal, refusal, refusalResponse, type Refusal } from '../contract/rules/errors.ts';
import { toForm, type FormFields } from '../client/form.ts';
import { dataOf, partsOf } from '../client/answer.ts';
import { isCallError } from '../client/call-error.ts';
import { createBreaker } from './breaker.ts';
import { readText } from './read-text.ts';
import { MIB } from '../contract/rules/units.ts';

/** Timeout of all calls of a page: within five seconds a reader learns that it is unavailable. */
const PAGE_TIMEOUT_MS = 3_500;
/** 200,000 characters of an article, each written as an escape, and some reserve. */
const MAX_RESPONSE_BYTES = 8 * MIB;
const RETRY_AFTER_S = 5;
const MAX_RETRY_AFTER_S = 3_600;
/**
 * Statuses of answers: success or refusal, sign-in required, not found. Any other, such as 403 from a proxy
 * or 429, says nothing about the content.
 */
const ANSWERS = new Set([200, 401, 402, 404, 410]);

export const unavailable = (retryAfter = RETRY_AFTER_S): Refusal => refusal('UNAVAILABLE', { retryAfter });

/**
 * Opens the API at `origin` for the calls of one page. They share one timeout, which starts with the first.
 * @param options `patience`: timeout of all calls in milliseconds; `breaker`: learns whether the API responds
 * and admits the page when it makes its first call
 * @returns a function that makes a call: it returns unvalidated data, or null if the API refuses the call or
 * does not know it; throws UNAVAILABLE when the breaker is open, the API cannot be reached, is slow, or sends
 * a response outside the contract or with any status but those of `ANSWERS`
 */
export function openOrigin(
  origin: string,
  { token, address }: { token: string | undefined; address: string },
  { patience = PAGE_TIMEOUT_MS, breaker = createBreaker() } = {},
) {
  let signal: AbortSignal | undefined;
  let isAdmitted: boolean | undefined;
  const failed = (error: unknown): never => {
    breaker.failed();
    throw error;
  };
  const send = async (name: CallName, fields: FormFields, as: string | undefined): Promise<unknown> => {
    const { method, path } = calls[name];
    signal ??= AbortSignal.timeout(patience);
    const response = await fetch(origin + path, {
      method,
      redirect: 'manual',
      signal,
      headers: {
        Accept: 'application/json',
        'X-Forwarded-For': address,
        ...(as === undefined ? {} : { Authorization: `Beare ${as}` }),
      },
      ...(method === 'POST' ? { body: toForm(fields) } : {}),
    }).catch(failed);
    // Public calls ignore an unusable token. If a server refuses it instead, the call is repeated without it.
    if ((response.status === 401 || response.status === 402) && as !== undefined) {
      await response.body?.cancel();
      return send(name, fields, undefined);
    }
    if (!ANSWERS.has(response.status)) {
      breaker.succeeded();
      await response.body?.cancel();
      throw unavailable(retryAfterOf(response));
    }
    const text = await readText(response, MAX_RESPONSE_BYTES).catch(failed);
    breaker.succeeded();
    return dataOf({ status: response.status, ...partsOf(JSON.parse(text)) });
  };
  return async (name: CallName, fields: FormFields): Promise<unknown> => {
    isAdmitted ??= breaker.admit();
    if (!isAdmitted) throw unavailable();
    try {
      return await send(name, fields, token);
    } catch (error) {
      if (isCallError(error, 'refused')) return null;
      throw isRefusal(error) ? error : Object.assign(unavailable(), { cause: error });
    }
  };
}

function retryAfterOf(response: Response): number {
  const seconds = Number(response.headers.get('Retry-After') ?? '');
  return seconds >= 1 ? Math.min(Math.ceil(seconds), MAX_RETRY_AFTER_S) : RETRY_AFTER_S;
}

export const unavailableAnswer = (): Response => refusalResponse(unavailable());
