import { isCallError } from '../client/call-error.ts';

const MINUTE_MS = 60_000;
/** Tries of a picture that is told to come again. */
const TRIES = 5;
/** Longer waits are for the writer to decide about: a quota begins anew tomorrow. */
const LONGEST_WAIT_MS = MINUTE_MS;

/**
 * Lets pictures pass a few at a time: the server bounds how many bytes it holds of one address, and how many
 * calls that write it takes in a minute, of which saving the text needs some. Where it says to come again,
 * all wait, and the picture is tried once more.
 */
export function createPictureLane({ atOnce, perMinute }: { atOnce: number; perMinute: number }) {
  const waiting: (() => void)[] = [];
  /** When the last ones began. */
  const begun: number[] = [];
  let running = 0;
  let heldUntil = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function proceed(): void {
    while (running < atOnce && waiting.length > 0 && timer === undefined) {
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
     * Runs `work` in its turn, again where the server says when to come; settles as the last try does. What
     * `signal` gives up while it waits leaves the line, and counts for nothing.
     */
    async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
      for (let left = TRIES; ; left--) {
        signal?.throwIfAborted();
        await turn(signal);
        try {
          return await work();
        } catch (error) {
          const wait = (isCallError(error) ? (error.retryAfter ?? 0) : 0) * 1000;
          if (wait === 0 || wait > LONGEST_WAIT_MS || left === 1) throw error;
          heldUntil = Math.max(heldUntil, Date.now() + wait);
        } finally {
          running--;
          proceed();
        }
      }
    },
  };
}

/** The one lane of a page's pictures. */
export const pictureLane = createPictureLane({ atOnce: 2, perMinute: 90 });
