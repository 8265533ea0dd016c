import { calls, type CallName, type CallOutput } from '../../../contract/calls/calls.ts';
import { refusal, type RefusalCode } from '../../../contract/rules/errors.ts';
import type { ApiRoutes, From } from '../handler.ts';

/**
 * Makes a call of the contract for the bearer of an access token. Rejects with the call's refusal. A file is
 * sent as `FormData`.
 */
export type Ask = <N extends CallName>(
  name: N,
  fields?: Readonly<Record<string, unknown>> | FormData,
) => Promise<CallOutput<N>>;

interface Asker {
  /** Authorization header with an access token. */
  authorization: string;
  env: From & { requestId: string };
  userAgent: string | undefined;
}

type Envelope =
  { code: 'OK'; data: unknown } | { code: 'ERROR'; data: string; error: RefusalCode; field?: string };

/** Calls pass through `api` itself, so limits, scopes, validation and moderation apply as to any client. */
export const createAsk = (api: ApiRoutes, { authorization, env, userAgent }: Asker): Ask => {
  const headers = { Authorization: authorization, ...(userAgent ? { 'User-Agent': userAgent } : {}) };
  return async <N extends CallName>(name: N, fields: Readonly<Record<string, unknown>> | FormData = {}) => {
    const { method, path } = calls[name];
    const request = new Request(
      `http://site.invalid${path}`,
      fields instanceof FormData
        ? { method, headers, body: fields }
        : {
            method,
            headers: { ...headers, 'Content-Type': 'application/json' },
            ...(method === 'POST' ? { body: JSON.stringify(fields) } : {}),
          },
    );
    const response = await api.fetch(request, env);
    const answer = (await response.json()) as Envelope;
    if (answer.code === 'OK') return answer.data as CallOutput<N>;
    const { data: text, error, field } = answer;
    const retryAfter = response.headers.get('Retry-After');
    throw refusal(error, {
      text,
      ...(field === undefined ? {} : { field }),
      ...(retryAfter === null ? {} : { retryAfter: Number(retryAfter) }),
    });
  };
};
