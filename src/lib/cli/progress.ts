import { SingleBar } from 'cli-progress';

/** @param total null if it is unknown */
type ShowStep = (step: string, done: number, total: number | null) => void;

const BAR = '{bar} {percentage}%  {value}/{total}  剩余 {eta_formatted}';

/**
 * Runs `work` with a progress bar or a counter for each step on standard error, if that is a terminal, and a
 * signal that Ctrl-C and SIGTERM abort.
 */
export async function withBars<T>(work: (signal: AbortSignal, show: ShowStep) => Promise<T>): Promise<T> {
  const interrupt = new AbortController();
  let shown: { step: string; bar: SingleBar } | undefined;
  const show: ShowStep = (step, done, total) => {
    if (!process.stderr.isTTY) return;
    if (shown?.step === step) return shown.bar.update(done);
    shown?.bar.stop();
    const bar = new SingleBar({
      format: total === null ? `${step} {value}` : `${step} ${BAR}`,
      barCompleteChar: '█',
      barIncompleteChar: '░',
      hideCursor: true,
      clearOnComplete: true,
    });
    bar.start(total ?? 0, done);
    shown = { step, bar };
  };
  try {
    return await onInterrupt(
      () => interrupt.abort(),
      () => work(interrupt.signal, show),
    );
  } finally {
    shown?.bar.stop();
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

/** Like `withBars`. @returns null after an interrupt, for which it prints `stopped` */
export async function withProgress<T>(
  stopped: string,
  work: (signal: AbortSignal, show: ShowStep) => Promise<T>,
): Promise<T | null> {
  try {
    return await withBars(work);
  } catch (error) {
    if (!(error instanceof Error && error.name === 'AbortError')) throw error;
    console.log(stopped);
    process.exitCode = 130;
    return null;
  }
}
