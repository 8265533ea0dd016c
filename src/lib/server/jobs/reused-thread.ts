import type { WorkerOptions } from 'node:worker_threads';
import { refusal } from '../../contract/rules/errors.ts';
import { createIdleTimer, WORKER_IDLE_MS } from './idle-timer.ts';
import { watchProcessorTime } from './processor-limit.ts';
import { createQueue } from './queue.ts';
import { startThread, type Thread } from './thread.ts';

interface Options extends Omit<WorkerOptions, 'execArgv'> {
  idleMs?: number;
  queue?: Omit<Parameters<typeof createQueue>[0], 'running' | 'runningEach'>;
  /** Maximum time until the thread reports `started`, or answers. */
  startMs?: number;
  /** Maximum processor time from `started` to the answer. */
  answerMs?: number;
  timedOut?(): Error;
}

export interface ReusedThread<Request, Reply> {
  /**
   * Rejects when the request or the thread fails. Refuses with UNAVAILABLE when the queue is full, and when
   * closed.
   * @param owner see `Queue`
   * @param transferList buffers of the request to transfer instead of copying
   */
  ask(request: Request, owner?: string, transferList?: readonly ArrayBuffer[]): Promise<Reply>;
  /** Ends the thread; requests in progress and in the queue are refused with UNAVAILABLE. */
  close(): Promise<void>;
}

/**
 * Answers requests one after another in a worker thread (answer-requests.ts). The first request starts it; it
 * ends when idle, and is replaced after it fails or times out.
 */
export function createReusedThread<Request, Reply>(
  script: URL,
  {
    idleMs = WORKER_IDLE_MS,
    queue: limits = { waiting: Infinity },
    startMs = Infinity,
    answerMs = Infinity,
    timedOut = () => new Error('the worker thread takes too long'),
    ...options
  }: Options = {},
): ReusedThread<Request, Reply> {
  const queue = createQueue({ ...limits, running: 1 });
  const idle = createIdleTimer(() => stop(), idleMs);
  let thread: Thread<Request, Reply> | undefined;
  let ended: Promise<unknown> = Promise.resolve();
  let isClosed = false;

  function stop(reason?: Error): void {
    const ending = thread?.stop(reason);
    ended = ended.then(() => ending);
  }

  async function answer(request: Request, transferList: readonly ArrayBuffer[]): Promise<Reply> {
    if (isClosed) throw refusal('UNAVAILABLE');
    idle.wake();
    thread ??= startThread<Request, Reply>(script, { ...options, onEnd: () => (thread = undefined) });
    const { worker } = thread;
    const expire = () => stop(timedOut());
    const timer = startMs < Infinity ? setTimeout(expire, startMs) : undefined;
    let endWatch = () => clearTimeout(timer);
    const onStarted = (startedAt: number): void => {
      clearTimeout(timer);
      if (answerMs < Infinity)
        endWatch = watchProcessorTime(worker, { allowed: answerMs, startedAt }, expire);
    };
    try {
      return await thread.request(request, { onStarted, transferList: [...transferList] });
    } finally {
      endWatch();
      idle.rest();
    }
  }

  return {
    ask: (request, owner, transferList = []) => queue.run(() => answer(request, transferList), owner),
    async close() {
      isClosed = true;
      idle.wake();
      stop(refusal('UNAVAILABLE'));
      await ended;
    },
  };
}
