/** The live socket's event by which staff is told what waits, and what a client asks for it by. */
export const STAFF_COUNTS = 'staff-counts';
export const WATCH_STAFF = 'watch-staff';

/** What waits for approval, and things that were reported; what one may not decide is left out. */
export interface StaffCounts {
  held?: number;
  reports?: number;
}
