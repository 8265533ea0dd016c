import { setImmediate } from 'node:timers/promises';

/** Longest time that work on the main thread should delay other requests. */
const MAX_RUN_MS = 4;

export type Pauses = ReturnType<typeof createPauses>;

/** Pauses of long work, in which other work runs. */
export function createPauses() {
  let started = performance.now();
  return {
    /** Counts from now, at the beginning of work. */
    restart(): void {
      started = performance.now();
    },
    isDue: (): boolean => performance.now() - started > MAX_RUN_MS,
    async take(): Promise<void> {
      await setImmediate();
      started = performance.now();
    },
  };
}

/** Rounds in which a connection is accepted, its request read and a cached page sent. */
const ROUNDS = 3;

/** Waits until the event loop has served what arrived meanwhile; a round without work takes microseconds. */
export async function letOthersGo(): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) await setImmediate();
}
