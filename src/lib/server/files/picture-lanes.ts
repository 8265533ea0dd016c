import { LRUCache } from 'lru-cache';
import { createQueue } from '../jobs/queue.ts';

export interface PictureAccount {
  id: string;
  /** Called when the account's turn comes; a refusal ends the turn. */
  begin?(): Promise<void>;
  /** Called with the time spent in the lane, whatever the result. */
  spent?(ms: number): Promise<void>;
}

/** Users rarely paste many pictures at once. 50 million pixels are 200 MB decoded. */
const QUEUE_LIMITS = { running: 1, waiting: 16, waitingEach: 12 };
/** All frames together: a screenshot or an avatar, not a photograph. */
const SMALL_PIXELS = 4_000_000;
/** A small picture takes 20 to 400 ms; the slowest one, noise in 256 colours, two seconds. */
const SLOW_MS = 1_500;
const SLOW_ACCOUNT_RETENTION_MS = 600_000;

/**
 * Two lanes for picture processing, so small pictures do not wait behind a large one. In each, accounts take
 * turns. If an account's small picture was slow, all its pictures use the large lane for ten minutes.
 * @param now milliseconds
 */
export function createPictureLanes(now: () => number) {
  const small = createQueue(QUEUE_LIMITS);
  const large = createQueue(QUEUE_LIMITS);
  const slow = new LRUCache<string, true>({ max: 1_000, ttl: SLOW_ACCOUNT_RETENTION_MS, perf: { now } });

  return {
    /** Runs `work` on a picture of that many pixels in its turn. Refuses with UNAVAILABLE. */
    run<T>(pixels: number, { id, begin, spent }: PictureAccount, work: () => Promise<T>): Promise<T> {
      const isSmall = pixels <= SMALL_PIXELS && !slow.has(id);
      return (isSmall ? small : large).run(async () => {
        await begin?.();
        const startedAt = now();
        try {
          return await work();
        } finally {
          const ms = Math.max(0, Math.ceil(now() - startedAt));
          if (isSmall && ms > SLOW_MS) slow.set(id, true);
          await spent?.(ms);
        }
      }, id);
    },
  };
}
