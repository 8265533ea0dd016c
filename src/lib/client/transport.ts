import { routes, type Route } from '../contract/routes.ts';
import { parseJson, partsOf, type Answer } from './answer.ts';
import { CallError } from './call-error.ts';

/** Longer than any answer takes: what has said nothing by then is not going to. */
const PATIENCE_MS = 60_000;
const UPLOAD_PATIENCE_MS = 180_000;
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

/** Sends a file as `file`; `fetch` does not tell how much is sent. @throws CallError `unreachable` */
export function sendFile(
  file: File,
  token: string | undefined,
  { signal, progress }: { signal?: AbortSignal; progress?(share: number): void },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const fail = ({ type }: { type: string }) => reject(unreachable(new Error(`upload: ${type}`)));
    if (signal?.aborted) return fail({ type: 'abort' });
    const [method, path] = routes.uploadImage;
    const sending = new XMLHttpRequest();
    sending.open(method, path);
    sending.timeout = UPLOAD_PATIENCE_MS;
    sending.setRequestHeader('Authorization', `Beare ${token}`);
    sending.upload.addEventListener('progress', ({ loaded, total }) =>
      progress?.(total > 0 ? loaded / total : 0),
    );
    sending.addEventListener('load', () =>
      resolve({
        status: sending.status,
        retryAfter: Number(sending.getResponseHeader('Retry-After')),
        ...partsOf(parseJson(sending.responseText)),
      }),
    );
    for (const event of ['error', 'abort', 'timeout'] as const) sending.addEventListener(event, fail);
    const stop = () => sending.abort();
    signal?.addEventListener('abort', stop);
    sending.addEventListener('loadend', () => signal?.removeEventListener('abort', stop));
    const body = new FormData();
    body.append('file', file);
    sending.send(body);
  });
}

/** What a call fails with that has no answer. */
export const unreachable = (cause: unknown) => new CallError('unreachable', UNREACHABLE, 0, { cause });
