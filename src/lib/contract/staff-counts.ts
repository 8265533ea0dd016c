/** Live socket event that sends staff the pending counts; `WATCH_STAFF` is the client's request for it. */
export const STAFF_COUNTS = 'staff-counts';
export const WATCH_STAFF = 'watch-staff';

/**
 * Numbers of pending and of reported items, and of applications of friends. A count is omitted if the
 * receiver's role may not handle it.
 */
export interface StaffCounts {
  held?: number;
  reports?: number;
  friends?: number;
}
