/** Maximum wait for an idle period, in milliseconds; afterwards work runs between frames. */
const IDLE_TIMEOUT_MS = 200;

/** Runs work in order while the page is idle, to keep it from delaying frames after key presses. */
export function createIdleQueue() {
  const waiting: (() => void)[] = [];
  let cancel: (() => void) | null = null;

  function plan(): void {
    cancel ??= whenIdle((isIdle) => {
      cancel = null;
      try {
        // Runs at least one item, so a page that is never idle makes progress too.
        do waiting.shift()?.();
        while (waiting.length > 0 && isIdle());
      } finally {
        if (waiting.length > 0) plan();
      }
    });
  }

  return {
    add(work: () => void): void {
      waiting.push(work);
      plan();
    },
    clear(): void {
      waiting.length = 0;
      cancel?.();
      cancel = null;
    },
  };
}

/**
 * Calls `run` once the page is idle, with a function that tells whether it still is. Returns a function that
 * cancels the call.
 */
function whenIdle(run: (isIdle: () => boolean) => void): () => void {
  // Not all browsers support `requestIdleCallback`.
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(() => run(() => false));
    return () => clearTimeout(timer);
  }
  const call = requestIdleCallback((deadline) => run(() => deadline.timeRemaining() > 0), {
    timeout: IDLE_TIMEOUT_MS,
  });
  return () => cancelIdleCallback(call);
}
