import { useEffect } from 'react';
import { provesSignedIn } from '../../lib/stores/enter.ts';
import { $session } from '../../lib/stores/session.ts';

let isLeaving = false;

/** Goes to `path` in place of the form; once, whoever finds out first that the reader is signed in. */
export function leaveFor(path: string): void {
  if (isLeaving) return;
  isLeaving = true;
  location.replace(path);
}

/**
 * Sends whoever is signed in on to `next`, now or from another tab. A former sign-in is tried first: the page
 * behind would send one that has ended back here, again and again.
 */
export function useSendOn(next: string): void {
  useEffect(() => {
    let isOld = true;
    const sendOn = async (isProven: boolean) => {
      if (isProven || (await provesSignedIn())) leaveFor(next);
    };
    const unsubscribe = $session.subscribe((session) => {
      if (session) void sendOn(!isOld);
    });
    isOld = false;
    return unsubscribe;
  }, [next]);
}
