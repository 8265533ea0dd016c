const PAUSE_MS = 5_000;

/** Circuit breaker of the API: after a call without a response, one page tries again every five seconds. */
export function createBreaker() {
  let isFailing = false;
  let until = 0;
  return {
    /** Whether the API failed a moment ago. */
    isOpen: (): boolean => Date.now() < until,
    /** Returns whether a page may call the API. While it fails, only the admitted page tries. */
    admit(): boolean {
      if (Date.now() < until) return false;
      if (isFailing) until = Date.now() + PAUSE_MS;
      return true;
    },
    failed(): void {
      isFailing = true;
      until = Date.now() + PAUSE_MS;
    },
    succeeded(): void {
      isFailing = false;
      until = 0;
    },
  };
}
