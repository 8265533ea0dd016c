import type { Count } from './counts.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** A new place's wait before guessing at an account under attack: it may be its owner's new device. */
const FIRST_MS = 5 * MINUTE_MS;
const LONGEST_MS = 24 * HOUR_MS;
/** For how long after its first request a place that never came back need not begin anew. */
const EXPECTED_MS = HOUR_MS;
/** For how long after a guess the next one still waits longer than that one did. */
const REMEMBERED_MS = 48 * HOUR_MS;

/** Whether a place may guess now. `next` is to be stored before the guess; null: nothing changes. */
export type Turn = { isFree: true; next: Count } | { isFree: false; wait: number; next: Count | null };

/**
 * What comes of a request from a place that has to wait between its guesses. Its first starts a pause of 5
 * minutes, each guess one of twice the length, up to a day; one before its time changes nothing.
 */
export function nextTurn(former: Count | null, now: number): Turn {
  if (!former)
    return {
      isFree: false,
      wait: FIRST_MS,
      next: { points: 0, free: now + FIRST_MS, until: now + EXPECTED_MS },
    };
  if (former.free > now) return { isFree: false, wait: former.free - now, next: null };
  const points = former.points + 1;
  const pause = Math.min(FIRST_MS * 2 ** points, LONGEST_MS);
  return { isFree: true, next: { points, free: now + pause, until: now + REMEMBERED_MS } };
}
