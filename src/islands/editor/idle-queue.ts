/** How many milliseconds work waits for the page to be idle; then it is done between frames. */
const LONGEST_MS = 200;

/** Work done in its order, when the page has nothing better to do: a key's frame goes before it. */
export interface IdleQueue {
  add(work: () => void): void;
  /** Forgets what is not done yet. */
  clear(): void;
}

/** Makes a queue that is empty. */
export function createIdleQueue(): IdleQueue {
  const waiting: (() => void)[] = [];
  let cancel: (() => void) | null = null;

  function plan(): void {
    cancel ??= whenIdle((isIdle) => {
      cancel = null;
      try {
        // One at least: a page that is never idle goes on too.
        do waiting.shift()?.();
        while (waiting.length > 0 && isIdle());
      } finally {
        if (waiting.length > 0) plan();
      }
    });
  }

  return {
    add(work) {
      waiting.push(work);
      plan();
    },
    clear() {
      waiting.length = 0;
      cancel?.();
      cancel = null;
    },
  };
}

/** Calls `run` once the page is idle, telling it whether that lasts. Returns what takes the call back. */
function whenIdle(run: (isIdle: () => boolean) => void): () => void {
  // Not every browser knows it.
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(() => run(() => false));
    return () => clearTimeout(timer);
  }
  const call = requestIdleCallback((deadline) => run(() => deadline.timeRemaining() > 0), {
    timeout: LONGEST_MS,
  });
  return () => cancelIdleCallback(call);
}
