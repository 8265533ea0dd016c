import type { FromHtml } from '../../../lib/markdown/from-html/from-html.ts';
import type { PasteReply, PasteRequest } from './paste-worker.ts';

/** 1 MB takes four seconds on a slow machine; the text waits that long for its place. */
const LIMIT_MS = 8_000;

let worker: Worker | undefined;
let lastId = 0;

/**
 * HTML as markdown, made in a worker, so that writing goes on meanwhile.
 * @returns null where it holds nothing but plain text
 * @throws where it cannot be read, takes over eight seconds, or the code does not arrive
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
      reject(new Error('HTML was not converted'));
    };
    const timer = setTimeout(fail, LIMIT_MS);
    stop.signal.addEventListener('abort', () => clearTimeout(timer));
    own.addEventListener('error', fail, { signal: stop.signal });
    own.addEventListener(
      'message',
      ({ data }: MessageEvent<PasteReply>) => {
        if (data.id !== request.id) return;
        if (data.type === 'failed') return fail();
        stop.abort();
        resolve(data.result);
      },
      { signal: stop.signal },
    );
    own.postMessage(request);
  });
}
