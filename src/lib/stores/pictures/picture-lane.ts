import { isCallError } from '../../client/call-error.ts';

const MINUTE_MS = 60_000;
const MAX_ATTEMPTS = 5;
/** The author decides about longer waits: a quota resets only tomorrow. */
const MAX_WAIT_MS = MINUTE_MS;

/**
 * Limits how many pictures are sent at a time and per minute. The server limits the bytes that it holds per
 * address and the writes per minute, some of which saving the text needs. If a response names a retry time,
 * all pictures wait, and the refused one is tried again.
 */
export function createPictureLane({ concurrency, perMinute }: { concurrency: number; perMinute: number }) {
  const waiting: (() => void)[] = [];
  const begun: number[] = [];
  let running = 0;
  let heldUntil = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function proceed(): void {
    while (running < concurrency && waiting.length > 0 && timer === undefined) {
      const now = Date.now();
      const [oldest = 0] = begun.length < perMinute ? [] : begun;
      const free = Math.max(heldUntil, oldest + MINUTE_MS);
      if (free > now) {
        timer = setTimeout(() => {
          timer = undefined;
          proceed();
        }, free - now);
        return;
      }
      begun.push(now);
      if (begun.length > perMinute) begun.shift();
      running++;
      waiting.shift()?.();
    }
  }

  const turn = (signal: AbortSignal | undefined) =>
    new Promise<void>((start, reject) => {
      waiting.push(start);
      signal?.addEventListener('abort', () => {
        const place = waiting.indexOf(start);
        if (place >= 0) waiting.splice(place, 1);
        reject(signal.reason as Error);
      });
      proceed();
    });

  return {
    /**
     * Runs `work` in its turn, and again if the server names a retry time; settles as the last attempt does.
     * If `signal` aborts it while it waits, it leaves the queue and does not count.
     */
    async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
      for (let left = MAX_ATTEMPTS; ; left--) {
        signal?.throwIfAborted();
        await turn(signal);
        try {
          return await work();
        } catch (error) {
          const wait = (isCallError(error) ? (error.retryAfter ?? 0) : 0) * 1000;
          if (wait === 0 || wait > MAX_WAIT_MS || left === 1) throw error;
          heldUntil = Math.max(heldUntil, Date.now() + wait);
        } finally {
          running--;
          proceed();
        }
      }
    },
  };
}

export const pictureLane = createPictureLane({ concurrency: 2, perMinute: 90 });
