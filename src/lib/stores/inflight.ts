import { atom } from 'nanostores';

/** How many requests are under way. */
export const $inflight = atom(0);

/** Counts a request that starts; call the function returned when it is over (a second time does nothing). */
export function countRequest(): () => void {
  $inflight.set($inflight.get() + 1);
  let isOver = false;
  return () => {
    if (isOver) return;
    isOver = true;
    $inflight.set($inflight.get() - 1);
  };
}
