import { atom } from 'nanostores';

export const $inflight = atom(0);

export function countRequest(): () => void {
  $inflight.set($inflight.get() + 1);
  let isOver = false;
  return () => {
    if (isOver) return;
    isOver = true;
    $inflight.set($inflight.get() - 1);
  };
}
