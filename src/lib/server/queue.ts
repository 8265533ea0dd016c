import { refuse } from '../contract/errors.ts';

export interface Queue {
  /** Runs `work` when its turn comes. Refuses with UNAVAILABLE when the line is full. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

const RETRY_AFTER_S = 2;

/**
 * A line for work that costs memory or a core, first come first served, so that a flood is refused instead of piling up.
 * @param limits how many works run at once, and how many more may wait
 */
export function createQueue(limits: { running: number; waiting: number }): Queue {
  const line: (() => void)[] = [];
  let running = 0;
  const enter = async (): Promise<void> => {
    if (running < limits.running) {
      running++;
      return;
    }
    if (line.length >= limits.waiting) refuse('UNAVAILABLE', { retryAfter: RETRY_AFTER_S });
    await new Promise<void>((resolve) => line.push(resolve));
  };
  // Whoever leaves hands its place to the next in line, so `running` stays as it is.
  const leave = (): void => {
    const next = line.shift();
    if (next) next();
    else running--;
  };
  return {
    async run(work) {
      await enter();
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}
