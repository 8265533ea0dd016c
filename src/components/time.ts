// Swedish writes dates as ISO 8601 does: 2026-11-21 09:05.
const LOCALE = 'sv-SE';

/** Making a format costs a hundred times what using it does. */
const formats = new Map<string | undefined, Intl.DateTimeFormat>();

/**
 * Day and minute of an ISO 8601 instant, YYYY-MM-DD HH:mm.
 * @param timeZone IANA name; in a browser the blog's by default, as its page names it (`html[data-zone]`)
 */
export function formatMinute(iso: string, timeZone = document.documentElement.dataset['zone']): string {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat(LOCALE, { timeZone, dateStyle: 'short', timeStyle: 'short' });
    formats.set(timeZone, format);
  }
  return format.format(new Date(iso));
}

/** Day of an ISO 8601 instant as YYYY-MM-DD, in the zone that `formatMinute` takes. */
export const formatDay = (iso: string, timeZone?: string) =>
  formatMinute(iso, timeZone).slice(0, 'YYYY-MM-DD'.length);
