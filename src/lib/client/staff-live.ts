import { STAFF_COUNTS, WATCH_STAFF, type StaffCounts } from '../contract/staff-counts.ts';

const isCount = (value: unknown) => value === undefined || typeof value === 'number';

/**
 * Subscribes to the counts of pending items for staff. Never reconnects, because the next page opens a new
 * socket. A refused connection is only logged.
 * @returns a function that closes the socket, even before it is open
 */
export function openStaffLive(token: string, onCounts: (counts: StaffCounts) => void): () => void {
  let isClosed = false;
  let close = () => undefined as void;
  const explain = (error: unknown) => console.info('live counts are off:', String(error));
  const open = async () => {
    const { io } = await import('socket.io-client');
    if (isClosed) return;
    const origin = document.documentElement.dataset['live'] ?? location.origin;
    const socket = io(origin, {
      transports: ['websocket'],
      reconnection: false,
      forceNew: true,
      query: { token },
    });
    socket.on(STAFF_COUNTS, (counts: StaffCounts) => {
      if (!isClosed && isCount(counts.held) && isCount(counts.reports)) onCounts(counts);
    });
    socket.on('connect_error', explain);
    socket.on('connect', () => {
      if (isClosed) socket.disconnect();
      else socket.emit(WATCH_STAFF);
    });
    close = () => {
      if (socket.connected) socket.disconnect();
    };
  };
  open().catch(explain);
  return () => {
    isClosed = true;
    close();
  };
}
