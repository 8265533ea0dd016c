import type { Worker } from 'node:worker_threads';

/** Limits the wait for a starved worker, which gets almost no processor time. */
const WALL_FACTOR = 10;
const MIN_WAIT_MS = 20;

/**
 * Calls `expire` once, after a worker has used `allowed` ms of processor time, or WALL_FACTOR times as much
 * wall-clock time: on a busy machine, work of normal size takes longer but is not too much.
 * @param startedAt milliseconds of processor time that the worker had used when the work began
 * @param expire `isStarved`: only wall-clock time ran out
 * @returns a function that ends the watch
 */
export function watchProcessorTime(
  worker: Worker,
  { allowed, startedAt, begun = performance.now() }: { allowed: number; startedAt: number; begun?: number },
  expire: (isStarved: boolean) => void,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;

  function wait(ms: number): void {
    // A reply may be queued behind whatever blocked this thread; it is handled before the next check phase
    // ends.
    timer = setTimeout(() => setImmediate(() => setImmediate(() => void check())), ms);
  }

  async function check(): Promise<void> {
    // Fails if the worker has just ended, which its `exit` event handles.
    const usage = isOver ? undefined : await worker.cpuUsage().catch(() => undefined);
    if (!usage || isOver) return;
    const left = allowed - ((usage.user + usage.system) / 1_000 - startedAt);
    const isStarved = left > 0 && performance.now() > begun + allowed * WALL_FACTOR;
    if (left <= 0 || isStarved) expire(isStarved);
    else wait(Math.max(left, MIN_WAIT_MS));
  }

  wait(Math.max(1, allowed - (performance.now() - begun)));
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
