import { useEffect } from 'react';
import { provesSignedIn } from '../../lib/stores/account/enter.ts';
import { $session } from '../../lib/stores/account/session.ts';

let isLeaving = false;

/** Replaces the form with `path`. Only the first call has an effect. */
export function leaveFor(path: string): void {
  if (isLeaving) return;
  isLeaving = true;
  location.replace(path);
}

/**
 * Redirects a signed-in reader to `next`, also after sign-in in another tab. An existing session is verified
 * first, because `next` would send a reader with an expired session back here in a loop.
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
