import { atom, onMount } from 'nanostores';
import { STAFF_COUNTS, WATCH_STAFF, type StaffCounts } from '../contract/staff-counts.ts';
import { openSocket } from '../client/live.ts';
import { readSignIn } from '../client/cookies.ts';
import { whileSignedIn } from './account/session.ts';

const isCount = (value: unknown) => value === undefined || typeof value === 'number';

/**
 * Subscribes to the counts of pending items for staff; see `openSocket`. Returns a function that closes the
 * socket.
 */
function openStaffLive(token: string, onCounts: (counts: StaffCounts) => void): () => void {
  const take = (data: unknown) => {
    const counts = data as StaffCounts;
    if ([counts.held, counts.reports, counts.friends].every(isCount)) onCounts(counts);
  };
  const greet = (socket: { emit(event: string): void }) => socket.emit(WATCH_STAFF);
  return openSocket(token, 'live counts', { [STAFF_COUNTS]: take }, greet).close;
}

/** Numbers of pending items for staff; empty until the server sends them. Live while it has a subscriber. */
export const $staffCounts = atom<StaffCounts>({});

onMount($staffCounts, () =>
  typeof document === 'undefined' ? undefined : whileSignedIn(followCounts, () => $staffCounts.set({})),
);

function followCounts(): () => void {
  const token = readSignIn()?.token;
  return token === undefined ? () => undefined : openStaffLive(token, (counts) => $staffCounts.set(counts));
}
