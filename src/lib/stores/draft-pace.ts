/** Time as drafts use it; tests bring their own. */
export interface Clock {
  now(): number;
  /** Runs `work` later, unless the function returned is called before. */
  after(milliseconds: number, work: () => void): () => void;
}

/** When a draft is saved. */
export interface Pace {
  /** Something is unsaved: soon, but not while somebody is typing, though never much later. */
  soon(): void;
  /** The last save failed: later, and the more often it fails the later. */
  later(): void;
  /** The past does not count any more: it was saved, or there is reason to believe that it works again. */
  reset(): void;
  stop(): void;
}

const DEBOUNCE_MS = 1_500;
/** Somebody who never pauses is saved this often. */
const LONGEST_MS = 10_000;
const RETRIES_MS = [2_000, 5_000, 10_000, 30_000];

/** Calls `save` when it is time. */
export function createPace(clock: Clock, save: () => void): Pace {
  let cancel = () => undefined as void;
  let unsavedSince: number | null = null;
  let [failures, notBefore] = [0, 0];
  return {
    soon() {
      cancel();
      const now = clock.now();
      unsavedSince ??= now;
      const due = Math.max(Math.min(now + DEBOUNCE_MS, unsavedSince + LONGEST_MS), notBefore);
      cancel = clock.after(due - now, save);
    },
    later() {
      notBefore = clock.now() + (RETRIES_MS[failures] ?? 0);
      failures = Math.min(failures + 1, RETRIES_MS.length - 1);
      this.soon();
    },
    reset() {
      [failures, notBefore, unsavedSince] = [0, 0, null];
    },
    stop: () => cancel(),
  };
}
