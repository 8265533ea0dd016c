// Swedish writes dates as ISO 8601 does: 2026-11-21 09:05.
const LOCALE = 'sv-SE';
const formats = new Map<string, Intl.DateTimeFormat>();

/** Day and minute of an ISO 8601 instant in `timeZone`, YYYY-MM-DD HH:mm. */
export function formatMinute(iso: string, timeZone: string): string {
  let format = formats.get(timeZone);
  if (!format) {
    // Making a format costs a hundred times what using it does; a site has one zone.
    format = new Intl.DateTimeFormat(LOCALE, { timeZone, dateStyle: 'short', timeStyle: 'short' });
    formats.set(timeZone, format);
  }
  return format.format(new Date(iso));
}

/**
 * Day of an ISO 8601 instant in `timeZone` as YYYY-MM-DD. Always with the year: a cached page outlives the year it was made in, so
 * the shorter forms of DESIGN.md §4 (刚刚, MM月DD日) are for the browser, which knows the present.
 */
export const formatDay = (iso: string, timeZone: string) =>
  formatMinute(iso, timeZone).slice(0, 'YYYY-MM-DD'.length);
