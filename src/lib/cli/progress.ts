import { SingleBar } from 'cli-progress';

interface Progress {
  /** @param total null if it is unknown */
  show(done: number, total: number | null): void;
  end(): void;
}

type ShowStep = (step: string, done: number, total: number | null) => void;

const BAR = '{bar} {percentage}%  {value}/{total}  剩余 {eta_formatted}';

/** Creates a progress bar or a counter on standard error; shows nothing unless that is a terminal. */
function createBar(title: string): Progress {
  if (!process.stderr.isTTY) return { show: () => undefined, end: () => undefined };
  let bar: SingleBar | undefined;
  return {
    show(done, total) {
      if (bar) return bar.update(done);
      bar = new SingleBar({
        format: total === null ? `${title} {value}` : `${title} ${BAR}`,
        barCompleteChar: '█',
        barIncompleteChar: '░',
        hideCursor: true,
        clearOnComplete: true,
      });
      bar.start(total ?? 0, done);
    },
    end: () => bar?.stop(),
  };
}

/** Runs `work` with a bar for each step, and a signal that Ctrl-C and SIGTERM abort. */
export async function withBars<T>(work: (signal: AbortSignal, show: ShowStep) => Promise<T>): Promise<T> {
  const interrupt = new AbortController();
  let shown: { step: string; bar: Progress } | undefined;
  const show: ShowStep = (step, done, total) => {
    if (shown?.step !== step) {
      shown?.bar.end();
      shown = { step, bar: createBar(step) };
    }
    shown.bar.show(done, total);
  };
  try {
    return await onInterrupt(
      () => interrupt.abort(),
      () => work(interrupt.signal, show),
    );
  } finally {
    shown?.bar.end();
  }
}

/**
 * Runs `work`, which writes nothing: Ctrl-C and SIGTERM print `stopped` and end the process with exit code
 * 130.
 */
export const leavable = <T>(stopped: string, work: () => Promise<T>): Promise<T> =>
  onInterrupt(() => {
    console.log(stopped);
    process.exit(130);
  }, work);

/** Calls `stop` at the first Ctrl-C or SIGTERM; a second one ends the process. */
async function onInterrupt<T>(stop: () => void, work: () => Promise<T>): Promise<T> {
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  try {
    return await work();
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  }
}

const isInterrupted = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';

/** Like `withBars`. @returns null after an interrupt, for which it prints `stopped` */
export async function withProgress<T>(
  stopped: string,
  work: (signal: AbortSignal, show: ShowStep) => Promise<T>,
): Promise<T | null> {
  try {
    return await withBars(work);
  } catch (error) {
    if (!isInterrupted(error)) throw error;
    console.log(stopped);
    process.exitCode = 130;
    return null;
  }
}
