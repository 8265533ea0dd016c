import { outsideRequests, requireNoRequest } from '../storage/storage.ts';

interface Options {
  /** Pause between runs; Infinity for a job that runs only when woken. */
  everyMs: number;
  /** Pause after a failed run; `everyMs` unless given. */
  retryMs?: number;
  failed(error: unknown): void;
}

/**
 * Creates a background job: periodic, woken, or both. Its runs never overlap. A run is independent of the
 * request that woke it, and of the request's time limits.
 * @param work receives a signal that aborts when the server stops; may return the milliseconds until the next
 * run, instead of `everyMs`
 */
export function createJob(
  work: (signal: AbortSignal) => Promise<number | void>,
  { everyMs, retryMs = everyMs, failed }: Options,
) {
  const stopping = new AbortController();
  const { signal } = stopping;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;
  let isStarted = false;
  let isWokenAgain = false;

  async function attempt(): Promise<number> {
    try {
      requireNoRequest();
      return (await work(signal)) ?? everyMs;
    } catch (error) {
      failed(error);
      return retryMs;
    }
  }

  async function runAll(): Promise<void> {
    let pause: number;
    do {
      isWokenAgain = false;
      pause = await attempt();
    } while (isWokenAgain && !signal.aborted);
    running = null;
    if (isStarted && !signal.aborted && pause < Infinity) timer = setTimeout(wake, pause).unref();
  }

  /** Runs now, or right after the current run; resolves when no run is due. Works without `start`. */
  async function run(): Promise<void> {
    clearTimeout(timer);
    if (running) isWokenAgain = true;
    else running = outsideRequests(runAll);
    await running;
  }

  function wake(): void {
    if (isStarted && !signal.aborted) void run();
  }

  return {
    run,
    /** Like `run`, without waiting; does nothing before `start`. */
    wake,
    start(): void {
      isStarted = true;
      wake();
    },
    /** Waits for the current run; no more are scheduled. */
    async stop(): Promise<void> {
      stopping.abort();
      clearTimeout(timer);
      await running;
    },
  };
}

/** Several jobs as one. */
export const joinJobs = (jobs: readonly ReturnType<typeof createJob>[]) => ({
  wake: (): void => jobs.forEach((job) => job.wake()),
  start: (): void => jobs.forEach((job) => job.start()),
  stop: async (): Promise<void> => void (await Promise.all(jobs.map((job) => job.stop()))),
});
