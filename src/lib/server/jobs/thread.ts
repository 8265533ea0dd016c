import { Worker, type WorkerOptions } from 'node:worker_threads';
import { ABORT, type ThreadMessage } from './answer-requests.ts';

interface RequestOptions {
  /** Called when the thread reports `started`, with the milliseconds of processor time it has used. */
  onStarted?: ((cpuMs: number) => void) | undefined;
  transferList?: Parameters<Worker['postMessage']>[1];
}

export interface Thread<Request, Reply> {
  readonly worker: Worker;
  /** Rejects the current request with `reason` at once. Resolves when the thread is gone. */
  stop(reason?: unknown): Promise<void>;
  /** Rejects when the request or the thread fails. */
  request(request: Request, options?: RequestOptions): Promise<Reply>;
  /** Aborts the signal of the request. */
  abort(): void;
}

/**
 * Starts a worker that answers one request at a time (answer-requests.ts), and keeps the process alive only
 * while it does.
 * @param onEnd called when the thread accepts no more requests: it was stopped, failed or ended by itself
 */
export function startThread<Request, Reply>(
  script: URL,
  { onEnd, ...options }: Omit<WorkerOptions, 'execArgv'> & { onEnd?(): void } = {},
): Thread<Request, Reply> {
  // Options meant for the process, such as --input-type, must not reach the worker.
  const worker = new Worker(script, { ...options, execArgv: [] });
  worker.unref();
  let current: (PromiseWithResolvers<Reply> & RequestOptions) | undefined;
  let ending: Promise<unknown> | undefined;

  function release() {
    worker.unref();
    const released = current;
    current = undefined;
    return released;
  }

  worker.on('message', (message: ThreadMessage<Reply>) => {
    if ('started' in message) return current?.onStarted?.(message.started);
    if ('value' in message) return release()?.resolve(message.value);
    const { error, code } = message;
    release()?.reject(code === null ? error : Object.assign(error as Error, { code }));
  });
  worker.on('error', (error) => void stop(error));
  worker.on('exit', () => void stop());

  async function stop(reason: unknown = new Error('the worker thread ended')): Promise<void> {
    if (!ending) {
      release()?.reject(reason);
      ending = worker.terminate();
      onEnd?.();
    }
    await ending;
  }

  return {
    worker,
    stop,
    request(request, { onStarted, transferList } = {}) {
      worker.postMessage(request, transferList);
      worker.ref();
      current = { ...Promise.withResolvers<Reply>(), onStarted };
      return current.promise;
    },
    abort: () => worker.postMessage(ABORT),
  };
}
