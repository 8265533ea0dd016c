import { outsideRequests, requireNoRequest } from './storage.ts';

export type Job = ReturnType<typeof createJob>;

interface Options {
  /** Pause between two runs; Infinity for a job that only runs when it is woken. */
  everyMs: number;
  /** Pause after a run that failed; `everyMs` unless given. */
  retryMs?: number;
  /** Reports what a run threw; the next one comes all the same. */
  failed(error: unknown): void;
}

/**
 * Creates a background job: periodic, woken, or both; runs of it never overlap. A run is independent of the
 * request that woke it: the request's time limits do not apply to it.
 * @param work is given a signal that aborts when the server stops; may return the milliseconds until its next
 * run, in place of `everyMs`
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

  /** Runs now, or right after the run under way; resolves when no run is due. Needs no `start`. */
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
    /** Runs soon, as `run`, without anybody waiting; does nothing before `start`. */
    wake,
    /** Runs now and from now on. */
    start(): void {
      isStarted = true;
      wake();
    },
    /** Waits for the run under way; no other begins by itself. */
    async stop(): Promise<void> {
      stopping.abort();
      clearTimeout(timer);
      await running;
    },
  };
}
