import { SingleBar } from 'cli-progress';

interface Progress {
  show(done: number, total: number): void;
  end(): void;
}

/** Creates a progress bar on standard error; shows nothing unless that is a terminal. */
export function createBar(title: string): Progress {
  if (!process.stderr.isTTY) return { show: () => undefined, end: () => undefined };
  const bar = new SingleBar({
    format: `${title} {bar} {percentage}%  {value}/{total}  剩余 {eta_formatted}`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    hideCursor: true,
    clearOnComplete: true,
  });
  let isStarted = false;
  return {
    show(done, total) {
      if (isStarted) bar.update(done);
      else bar.start(total, done);
      isStarted = true;
    },
    end: () => bar.stop(),
  };
}

/** Creates a counter for an unknown total; shows nothing unless standard error is a terminal. */
export function createCount(title: string): { show(done: number): void; end(): void } {
  if (!process.stderr.isTTY) return { show: () => undefined, end: () => undefined };
  const bar = new SingleBar({ format: `${title} {value}`, hideCursor: true, clearOnComplete: true });
  let isStarted = false;
  return {
    show(done) {
      if (isStarted) bar.update(done);
      else bar.start(0, done);
      isStarted = true;
    },
    end: () => bar.stop(),
  };
}

/** Runs `work` with a signal that Ctrl-C and SIGTERM abort; a second one ends the process. */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const interrupt = new AbortController();
  const stop = (): void => interrupt.abort();
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  try {
    return await work(interrupt.signal);
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  }
}

/**
 * Runs `work`, which writes nothing: Ctrl-C and SIGTERM print `stopped` and end the process with exit code
 * 130.
 */
export async function leavable<T>(stopped: string, work: () => Promise<T>): Promise<T> {
  const leave = (): void => {
    console.log(stopped);
    process.exit(130);
  };
  process.once('SIGINT', leave);
  process.once('SIGTERM', leave);
  try {
    return await work();
  } finally {
    process.off('SIGINT', leave);
    process.off('SIGTERM', leave);
  }
}

const isInterrupted = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';

/** Runs `work` with a bar for each step. @returns null after an interrupt, for which it prints `stopped` */
export async function withProgress<T>(
  stopped: string,
  work: (signal: AbortSignal, show: (step: string, done: number, total: number) => void) => Promise<T>,
): Promise<T | null> {
  let shown: { step: string; bar: Progress } | undefined;
  const show = (step: string, done: number, total: number): void => {
    if (shown?.step !== step) {
      shown?.bar.end();
      shown = { step, bar: createBar(step) };
    }
    shown.bar.show(done, total);
  };
  try {
    return await interruptible((signal) => work(signal, show));
  } catch (error) {
    if (!isInterrupted(error)) throw error;
    shown?.bar.end();
    shown = undefined;
    console.log(stopped);
    process.exitCode = 130;
    return null;
  } finally {
    shown?.bar.end();
  }
}
