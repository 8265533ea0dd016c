import { atom, onMount } from 'nanostores';
import { readSignIn } from '../client/cookies.ts';
import { openStaffLive } from '../client/staff-live.ts';
import type { StaffCounts } from '../contract/staff-counts.ts';
import { $session } from './session.ts';

/** What waits for staff; empty while nobody has said. Live while something listens. */
export const $staffCounts = atom<StaffCounts>({});

onMount($staffCounts, () => {
  if (typeof document === 'undefined') return undefined;
  let close = () => undefined as void;
  const follow = () => {
    close();
    const token = $session.get() ? readSignIn()?.token : undefined;
    close =
      token === undefined ? () => undefined : openStaffLive(token, (counts) => $staffCounts.set(counts));
  };
  const unsubscribe = $session.subscribe(() => {
    $staffCounts.set({});
    follow();
  });
  // As of the unread count: an open socket keeps a page out of the back/forward cache.
  const hide = () => close();
  const show = ({ persisted }: PageTransitionEvent) => {
    if (persisted) follow();
  };
  addEventListener('pagehide', hide);
  addEventListener('pageshow', show);
  return () => {
    unsubscribe();
    close();
    removeEventListener('pagehide', hide);
    removeEventListener('pageshow', show);
  };
});
