import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';

/**
 * Messages of a thread: for each request `started` (with the milliseconds of processor time used so far) or
 * nothing, then one of the others. Cloning an error drops its code.
 */
export type ThreadMessage<Reply> =
  { started: number } | { value: Reply } | { error: unknown; code: string | null };

/** Message to a thread that aborts the signal of its requests. */
export const ABORT = 'abort';

interface Call {
  /** Reports that everything the request needs is loaded. */
  started(): void;
  signal: AbortSignal;
}

/**
 * Gives pages priority over this thread. On Linux this sets the priority of the calling thread only, see
 * setpriority(2); elsewhere it would apply to the whole process.
 */
export function lowerPriority(): void {
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);
}

type Answer<Request, Reply> = (request: Request, call: Call) => Reply | Promise<Reply>;

/**
 * Answers the requests that `startThread` sends to this worker.
 * @param transferred buffers of a reply to transfer instead of copying
 */
export function answerRequests<Request extends object, Reply>(
  answer: Answer<Request, Reply>,
  transferred: (reply: Reply) => readonly ArrayBuffer[] = () => [],
): void {
  const aborting = new AbortController();
  const post = (message: ThreadMessage<Reply>, buffers: readonly ArrayBuffer[] = []): void =>
    parentPort?.postMessage(message, buffers);
  const call = {
    signal: aborting.signal,
    started() {
      const { user, system } = process.threadCpuUsage();
      post({ started: (user + system) / 1_000 });
    },
  };

  async function reply(request: Request): Promise<void> {
    try {
      const value = await answer(request, call);
      post({ value }, transferred(value));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      post({ error, code: typeof code === 'string' ? code : null });
    }
  }

  parentPort?.on('message', (message: Request | typeof ABORT) => {
    if (message === ABORT) aborting.abort();
    else void reply(message);
  });
}
