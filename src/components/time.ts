// Swedish writes dates as ISO 8601 does: 2026-11-21 09:05.
const LOCALE = 'sv-SE';
const formats = new Map<string, { day: Intl.DateTimeFormat; minute: Intl.DateTimeFormat }>();

/** Building a format costs a hundred times what using it does; a site has one zone. */
function formatsOf(timeZone: string) {
  const known = formats.get(timeZone);
  if (known) return known;
  const made = {
    day: new Intl.DateTimeFormat(LOCALE, { timeZone, dateStyle: 'short' }),
    minute: new Intl.DateTimeFormat(LOCALE, { timeZone, dateStyle: 'short', timeStyle: 'short' }),
  };
  formats.set(timeZone, made);
  return made;
}

/**
 * Day of an ISO 8601 instant in `timeZone` as YYYY-MM-DD. Always with the year: a cached page outlives the year it was made in, so
 * the shorter forms of DESIGN.md §4 (刚刚, MM月DD日) are for the browser, which knows the present.
 */
export const formatDay = (iso: string, timeZone: string) => formatsOf(timeZone).day.format(new Date(iso));

/** Day and minute of an ISO 8601 instant in `timeZone`, YYYY-MM-DD HH:mm. */
export const formatMinute = (iso: string, timeZone: string) =>
  formatsOf(timeZone).minute.format(new Date(iso));
