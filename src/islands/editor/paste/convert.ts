import type { FromHtml } from '../../../lib/markdown/from-html/from-html.ts';
import type { PasteReply, PasteRequest } from './paste-worker.ts';

/** Time limit: 1 MB takes four seconds on a slow machine. */
const CONVERT_TIMEOUT_MS = 8_000;

let worker: Worker | undefined;
let lastId = 0;

/**
 * Converts HTML to markdown in a worker, which does not block typing.
 * @returns null if it contains only plain text
 * @throws if it cannot be parsed, needs more than eight seconds, or the worker fails to load
 */
export function convertHtml(html: string): Promise<FromHtml | null> {
  const own = (worker ??= new Worker(new URL('./paste-worker.ts', import.meta.url), { type: 'module' }));
  const request: PasteRequest = { id: ++lastId, html };
  return new Promise((resolve, reject) => {
    const stop = new AbortController();
    const fail = () => {
      stop.abort();
      own.terminate();
      if (worker === own) worker = undefined;
      reject(new Error('converting HTML failed'));
    };
    const timer = setTimeout(fail, CONVERT_TIMEOUT_MS);
    stop.signal.addEventListener('abort', () => clearTimeout(timer));
    own.addEventListener('error', fail, { signal: stop.signal });
    own.addEventListener(
      'message',
      ({ data }: MessageEvent<PasteReply>) => {
        if (data.id !== request.id) return;
        if (data.result === undefined) return fail();
        stop.abort();
        resolve(data.result);
      },
      { signal: stop.signal },
    );
    own.postMessage(request);
  });
}
