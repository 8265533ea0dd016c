import { calls, type CallName } from '../contract/calls.ts';
import { isRefusal, refusal, refusalResponse, type Refusal } from '../contract/errors.ts';
import { toForm, type FormFields } from '../client/form.ts';
import { dataOf, partsOf } from '../client/answer.ts';
import { isCallError } from '../client/call-error.ts';
import { readText } from './read-text.ts';

/** On whose behalf a page asks the API. */
export interface Asker {
  /** Access token, undefined for a visitor. */
  token: string | undefined;
  /** The reader's address, which the API counts its limits by. */
  address: string;
}

/** Asks the API of the contract. */
export interface Origin {
  /**
   * Makes a call; its data unchecked, null where the API refuses.
   * @throws UNAVAILABLE when the API cannot be reached, is slow, has no time (429, 5xx) or answers what is
   * none of the contract's
   */
  ask(name: CallName, fields: FormFields): Promise<unknown>;
}

/** For all calls of a page: within five seconds a reader is told that it cannot be had. */
const PATIENCE_MS = 3_500;
/** 200,000 characters of an article, each written as an escape, and then some. */
const MAX_BYTES = 8 * 1024 * 1024;
const RETRY_AFTER_S = 5;
const MAX_RETRY_AFTER_S = 3_600;

/** What pages answer with while the API does not. */
export const unavailable = (retryAfter = RETRY_AFTER_S): Refusal => refusal('UNAVAILABLE', { retryAfter });

export interface OriginOptions {
  /** Milliseconds for all calls. */
  patience?: number;
  /** Told of each call without any answer, which no reader can bring about. */
  unanswered?: () => void;
}

/** The API at `origin`, for the calls of one page: they share one patience, which begins with the first. */
export function openOrigin(
  origin: string,
  { token, address }: Asker,
  { patience = PATIENCE_MS, unanswered = () => undefined }: OriginOptions = {},
): Origin {
  let signal: AbortSignal | undefined;
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
    }).catch((error: unknown) => {
      unanswered();
      throw error;
    });
    // Public calls take an unusable token for a visitor's; a server that does not is asked as one.
    if ((response.status === 401 || response.status === 402) && as !== undefined) {
      await response.body?.cancel();
      return send(name, fields, undefined);
    }
    if (response.status === 429 || response.status >= 500) {
      await response.body?.cancel();
      throw unavailable(retryAfterOf(response));
    }
    return dataOf({ status: response.status, ...partsOf(JSON.parse(await readText(response, MAX_BYTES))) });
  };
  return {
    async ask(name, fields) {
      try {
        return await send(name, fields, token);
      } catch (error) {
        if (isCallError(error, 'refused')) return null;
        throw isRefusal(error) ? error : Object.assign(unavailable(), { cause: error });
      }
    },
  };
}

/** Seconds the API asks to wait, within reason. */
function retryAfterOf(response: Response): number {
  const seconds = Number(response.headers.get('Retry-After') ?? '');
  return seconds >= 1 ? Math.min(Math.ceil(seconds), MAX_RETRY_AFTER_S) : RETRY_AFTER_S;
}

/** The envelope of a call that got no answer. */
export const unavailableAnswer = (): Response => refusalResponse(unavailable());
