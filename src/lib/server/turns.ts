import { setImmediate } from 'node:timers/promises';
import { refusal } from '../contract/errors.ts';
import { createQueue } from './queue.ts';

/** With what storage may take (storage.ts), every request is answered within about 5 s. */
const MAX_WAIT_MS = 1_500;
export const RETRY_AFTER_S = 2;

/** Shares the server's only thread among clients. */
export interface Turns {
  /**
   * Runs `work` when `owner`'s turn comes, in its own round of the event loop; resolves or rejects as it
   * does. Refuses with UNAVAILABLE when too many wait or the turn does not come.
   */
  run<T>(work: () => Promise<T>, owner: string): Promise<T>;
}

// Work on data in memory never waits: without a separate round for each, the next would begin before any
// other request is read. All kinds of work share one queue because they share the thread.
const rounds = createQueue({ running: 1, waiting: Infinity });

/** @param kind what the work is; a client's works of two kinds take turns too */
export function createTurns(kind: string, limits: Parameters<typeof createQueue>[0]): Turns {
  const queue = createQueue(limits);
  return {
    async run(work, owner) {
      let isLate = false;
      const late = Promise.withResolvers<never>();
      const timer = setTimeout(() => {
        isLate = true;
        late.reject(refusal('UNAVAILABLE', { retryAfter: RETRY_AFTER_S }));
      }, MAX_WAIT_MS);
      const turn = async () => {
        clearTimeout(timer);
        // Its client has been refused.
        if (isLate) return late.promise;
        await rounds.run(() => setImmediate(), `${kind} ${owner}`);
        return work();
      };
      const done = queue.run(turn, owner).finally(() => clearTimeout(timer));
      return Promise.race([done, late.promise]);
    },
  };
}
