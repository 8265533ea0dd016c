/** Milliseconds without work after which a worker thread ends to free its memory. */
export const WORKER_IDLE_MS = 300_000;

export type IdleTimer = ReturnType<typeof createIdleTimer>;

/**
 * Calls `onIdle` once, `idleMs` after the last `rest`, unless `wake` is called first. Does not keep the
 * process alive. `onIdle` must release its worker synchronously, so the next job starts another.
 */
export function createIdleTimer(onIdle: () => void, idleMs = WORKER_IDLE_MS) {
  let timer: NodeJS.Timeout | undefined;
  return {
    wake: (): void => clearTimeout(timer),
    rest(): void {
      clearTimeout(timer);
      timer = setTimeout(onIdle, idleMs).unref();
    },
  };
}
