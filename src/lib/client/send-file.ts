import { routes } from '../contract/routes.generated.ts';
import { parseJson, partsOf, type Answer } from './answer.ts';
import { unreachable } from './transport.ts';

const UPLOAD_TIMEOUT_MS = 180_000;

/** Answer of a proxy, which has no envelope. */
const TOO_LARGE = {
  code: 'ERROR',
  data: '图片太大，网站前面的代理没有放行，请缩小后再传',
  error: 'BODY_TOO_LARGE',
};

/**
 * Uploads a file as `file` with XMLHttpRequest, because `fetch` reports no upload progress. @throws CallError
 * `unreachable`
 */
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
    sending.timeout = UPLOAD_TIMEOUT_MS;
    sending.setRequestHeader('Authorization', `Beare ${token}`);
    sending.upload.addEventListener('progress', ({ loaded, total }) =>
      progress?.(total > 0 ? loaded / total : 0),
    );
    sending.addEventListener('load', () =>
      resolve({
        status: sending.status,
        retryAfter: Number(sending.getResponseHeader('Retry-After')),
        ...answerIn(sending),
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

function answerIn({ status, responseText }: XMLHttpRequest): Omit<Answer, 'status' | 'retryAfter'> {
  const parts = partsOf(parseJson(responseText));
  return status === 413 && parts.code === undefined ? TOO_LARGE : parts;
}
