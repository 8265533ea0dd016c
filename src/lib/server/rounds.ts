import type { Log } from './log.ts';

export type Rounds = ReturnType<typeof createRounds>;

/**
 * Work that is done again and again while the server runs, never twice at once. What it throws is logged, and
 * the next round comes as ever.
 * @param work given what aborts when the server stops
 * @param everyMs the pause between two rounds, unless somebody wakes it
 */
export function createRounds(
  work: (signal: AbortSignal) => Promise<void>,
  { everyMs, log, failure }: { everyMs: number; log: Pick<Log, 'warn'>; failure: string },
) {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;
  let isStarted = false;
  let isWokenAgain = false;

  async function run(): Promise<void> {
    do {
      isWokenAgain = false;
      try {
        await work(stopping.signal);
      } catch (error) {
        log.warn({ err: error }, failure);
      }
    } while (isWokenAgain && !stopping.signal.aborted);
    running = null;
    if (!stopping.signal.aborted) timer = setTimeout(wake, everyMs).unref();
  }

  function wake(): void {
    if (!isStarted || stopping.signal.aborted) return;
    clearTimeout(timer);
    if (running) isWokenAgain = true;
    else running = run();
  }

  return {
    /** Has a round begin now, or right after the one under way; does nothing before `start`. */
    wake,
    start(): void {
      isStarted = true;
      wake();
    },
    /** Waits for the round under way; no other begins. */
    async stop(): Promise<void> {
      stopping.abort();
      clearTimeout(timer);
      await running;
    },
  };
}
