import { refusal } from '../../contract/rules/errors.ts';
import { letOthersGo } from './pauses.ts';
import { createQueue } from './queue.ts';

/**
 * Maximum wait for a turn. With the limit on storage (storage.ts), requests are answered within about 5 s.
 */
const MAX_WAIT_MS = 1_500;
export const RETRY_AFTER_S = 2;

// In-memory work never yields: without rounds between, the next would start before other requests are read.
// All kinds of work share one queue because they share the thread.
const rounds = createQueue({ running: 1, waiting: Infinity });

export type Turns = ReturnType<typeof createTurns>;

/** @param kind kind of work; a client's works of two kinds take turns too */
export function createTurns(kind: string, limits: Parameters<typeof createQueue>[0]) {
  const queue = createQueue(limits);
  return {
    /**
     * Runs `work` in `owner`'s turn, some rounds of the event loop after other work; settles as it does.
     * Refuses with UNAVAILABLE when the queue is full or the turn does not come.
     */
    async run<T>(work: () => Promise<T>, owner: string): Promise<T> {
      let isLate = false;
      const late = Promise.withResolvers<never>();
      const timer = setTimeout(() => {
        isLate = true;
        late.reject(refusal('UNAVAILABLE', { retryAfter: RETRY_AFTER_S }));
      }, MAX_WAIT_MS);
      const turn = async () => {
        clearTimeout(timer);
        if (isLate) return late.promise;
        await rounds.run(letOthersGo, `${kind} ${owner}`);
        return work();
      };
      const done = queue.run(turn, owner).finally(() => clearTimeout(timer));
      return Promise.race([done, late.promise]);
    },
  };
}
