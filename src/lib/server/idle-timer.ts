/** Milliseconds without work after which a worker thread ends, so that its memory is free again. */
export const WORKER_IDLE_MS = 300_000;

export type IdleTimer = ReturnType<typeof createIdleTimer>;

/**
 * Calls `onIdle` once, `idleMs` after the last `rest` unless `wake` comes first. Keeps no process alive.
 * `onIdle` must drop its worker synchronously, so that a job which arrives next starts another.
 */
export function createIdleTimer(onIdle: () => void, idleMs = WORKER_IDLE_MS) {
  let timer: NodeJS.Timeout | undefined;
  return {
    /** Work begins, or nothing is left to end. */
    wake: (): void => clearTimeout(timer),
    /** Work is done. */
    rest(): void {
      clearTimeout(timer);
      timer = setTimeout(onIdle, idleMs).unref();
    },
  };
}
