import { useEffect } from 'react';
import { provesSignedIn } from '../../lib/stores/enter.ts';
import { $session } from '../../lib/stores/session.ts';
import { leaveFor } from './leave.ts';

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
