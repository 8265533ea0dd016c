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

/** The same as people say it, 11月23日 09:15; with the year where it is not that of `now`. */
export function formatMoment(iso: string, timeZone?: string, now = new Date()): string {
  const [year = '', month, day, time] = formatMinute(iso, timeZone).split(/[- ]/);
  const isThisYear = formatMinute(now.toISOString(), timeZone).startsWith(year);
  return `${isThisYear ? '' : `${year}年`}${Number(month)}月${Number(day)}日 ${time}`;
}

const MINUTE_LENGTH = 'YYYY-MM-DD HH:mm'.length;
const DAY_MS = 86_400_000;

/** Day and minute of an instant as a `datetime-local` field takes them; zone as in `formatMinute`. */
export const formatLocal = (iso: string, timeZone?: string) => formatMinute(iso, timeZone).replace(' ', 'T');

/**
 * The instant at which clocks of the zone show `local` (YYYY-MM-DDTHH:mm, as a `datetime-local` field gives
 * it), the earlier of two where they are put back; null where they are put forward over it, or it is no time.
 * @param timeZone as in `formatMinute`
 */
export function instantOf(local: string, timeZone?: string): string | null {
  const wanted = local.slice(0, MINUTE_LENGTH);
  const asUtc = Date.parse(`${wanted}Z`);
  if (Number.isNaN(asUtc)) return null;
  const shown = (instant: number) => formatLocal(new Date(instant).toISOString(), timeZone);
  const offsetAt = (instant: number) => Date.parse(`${shown(instant)}Z`) - instant;
  // A zone changes its clocks at most once within two days: one of the offsets on both sides is right.
  const instants = [asUtc - DAY_MS, asUtc + DAY_MS].map((around) => asUtc - offsetAt(around));
  const found = instants.filter((instant) => shown(instant) === wanted);
  return found.length === 0 ? null : new Date(Math.min(...found)).toISOString();
}

/** Day of an ISO 8601 instant as YYYY-MM-DD, in the zone that `formatMinute` takes. */
export const formatDay = (iso: string, timeZone?: string) =>
  formatMinute(iso, timeZone).slice(0, 'YYYY-MM-DD'.length);
