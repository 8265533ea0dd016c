/** Where the blog's days begin and end, whatever zone the server runs in. */
const TIME_ZONE = 'Asia/Shanghai';

// Swedish writes dates as ISO 8601 does: 2026-11-21 09:05.
const day = new Intl.DateTimeFormat('sv-SE', { timeZone: TIME_ZONE, dateStyle: 'short' });
const minute = new Intl.DateTimeFormat('sv-SE', {
  timeZone: TIME_ZONE,
  dateStyle: 'short',
  timeStyle: 'short',
});

/**
 * Day of an ISO 8601 instant as YYYY-MM-DD. Always with the year: a cached page outlives the year it was made in, so the shorter
 * forms of DESIGN.md §4 (刚刚, MM月DD日) are for the browser, which knows the present.
 */
export const formatDay = (iso: string) => day.format(new Date(iso));

/** Day and minute of an ISO 8601 instant, YYYY-MM-DD HH:mm. */
export const formatMinute = (iso: string) => minute.format(new Date(iso));
