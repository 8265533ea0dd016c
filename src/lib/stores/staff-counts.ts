import { atom, onMount } from 'nanostores';
import { readSignIn } from '../client/cookies.ts';
import { openStaffLive } from '../client/staff-live.ts';
import type { StaffCounts } from '../contract/staff-counts.ts';
import { whileSignedIn } from './account/session.ts';

/** Numbers of pending items for staff; empty until the server sends them. Live while it has a subscriber. */
export const $staffCounts = atom<StaffCounts>({});

onMount($staffCounts, () =>
  typeof document === 'undefined' ? undefined : whileSignedIn(followCounts, () => $staffCounts.set({})),
);

function followCounts(): () => void {
  const token = readSignIn()?.token;
  return token === undefined ? () => undefined : openStaffLive(token, (counts) => $staffCounts.set(counts));
}
