import { STAFF_COUNTS, WATCH_STAFF, type StaffCounts } from '../contract/staff-counts.ts';
import { openSocket } from './live.ts';

const isCount = (value: unknown) => value === undefined || typeof value === 'number';

/**
 * Subscribes to the counts of pending items for staff; see `openSocket`. Returns a function that closes the
 * socket.
 */
export function openStaffLive(token: string, onCounts: (counts: StaffCounts) => void): () => void {
  const take = (data: unknown) => {
    const counts = data as StaffCounts;
    if (isCount(counts.held) && isCount(counts.reports)) onCounts(counts);
  };
  const greet = (socket: { emit(event: string): void }) => socket.emit(WATCH_STAFF);
  return openSocket(token, 'live counts', { [STAFF_COUNTS]: take }, greet).close;
}
