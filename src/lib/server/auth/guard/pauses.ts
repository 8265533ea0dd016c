import type { Count } from './counts.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/units.ts';

/** First wait of a new place for an account under attack: it may be the owner's new device. */
const FIRST_PAUSE_MS = 5 * MINUTE_MS;
const MAX_PAUSE_MS = DAY_MS;
/** How long a place's first request stays valid for its next one. */
const FIRST_REQUEST_VALID_MS = HOUR_MS;
/** How long the last guess still doubles the next pause. */
const RETENTION_MS = 48 * HOUR_MS;

/** Whether a place may guess now. `next` must be stored before the guess; null: nothing changes. */
export type Turn = { isFree: true; next: Count } | { isFree: false; wait: number; next: Count | null };

/**
 * Returns whether a place that must wait between guesses may guess now. Its first request starts a pause of 5
 * minutes; each guess doubles the pause, up to a day. Requests before the time change nothing.
 */
export function nextTurn(former: Count | null, now: number): Turn {
  if (!former)
    return {
      isFree: false,
      wait: FIRST_PAUSE_MS,
      next: { points: 0, free: now + FIRST_PAUSE_MS, until: now + FIRST_REQUEST_VALID_MS },
    };
  if (former.free > now) return { isFree: false, wait: former.free - now, next: null };
  const points = former.points + 1;
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** points, MAX_PAUSE_MS);
  return { isFree: true, next: { points, free: now + pause, until: now + RETENTION_MS } };
}
